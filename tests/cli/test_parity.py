"""`diorama parity`: lines, report and exit codes."""

import json
from functools import partial
from pathlib import Path

import pytest

import diorama.parity.matrix  # noqa: F401  # knows the registry before a test puts another one in its place
from tests.cli.invoking import invoke as command
from tests.parity.flawed_tiers import Flawless, WrongDt, prospector_with

SHORT = ["--suite", "C", "--steps", "10", "--jobs", "1"]


parity = partial(command, "parity", "prospector")


@pytest.fixture
def wrong_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    world = prospector_with(WrongDt)
    monkeypatch.setattr("diorama.worlds.registry.load_world", lambda world_id: world)


@pytest.fixture
def right_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    world = prospector_with(Flawless)
    monkeypatch.setattr("diorama.worlds.registry.load_world", lambda world_id: world)


@pytest.mark.usefixtures("right_tier")
def test_agreement_is_a_line_per_case_a_summary_and_code_0(tmp_path: Path) -> None:
    report_file = tmp_path / "parity.json"

    result = parity(*SHORT, "--seeds", "2", "--time-max", "50", "--time-max", "90", "--json", str(report_file))

    lines = result.stdout.splitlines()
    report = json.loads(report_file.read_text())
    assert result.exit_code == 0
    assert [line.split()[:6] for line in lines[:-1]] == [
        ["PASS", "suite", "C", "seed", str(seed), f"time-{budget}"] for budget in (50, 90) for seed in (0, 1)
    ]
    assert lines[-1] == "4 cases, 40 steps compared: all agree"
    assert report["summary"]["pass"]
    assert list(report["config"]["configs"]) == ["time-50", "time-90"]


@pytest.mark.usefixtures("wrong_tier")
def test_a_mismatch_is_told_kept_and_code_1(tmp_path: Path) -> None:
    result = parity(*SHORT, "--seeds", "2", "--bundle-dir", str(tmp_path))

    assert result.exit_code == 1
    assert result.stdout.count("FAIL") == 2
    assert "step 7, episode 0: dt is 1 in the reference and 2 in the fast tier (and 1 more)" in result.stdout
    assert result.stdout.endswith("2 cases, 16 steps compared: 2 differ\n")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.usefixtures("wrong_tier")
def test_a_run_can_stop_at_the_first_mismatch(tmp_path: Path) -> None:
    result = parity(*SHORT, "--seeds", "3", "--bundle-dir", str(tmp_path), "--stop-on-first")

    assert result.exit_code == 1
    assert result.stdout.endswith("1 case, 8 steps compared: 1 differ, 2 not run\n")


@pytest.mark.usefixtures("wrong_tier")
def test_a_mismatch_can_be_allowed(tmp_path: Path) -> None:
    assert parity(*SHORT, "--seeds", "1", "--bundle-dir", str(tmp_path), "--allow-mismatch").exit_code == 0


@pytest.mark.usefixtures("wrong_tier")
def test_a_bundle_replays_with_code_1_while_the_tier_is_wrong(tmp_path: Path) -> None:
    parity(*SHORT, "--seeds", "1", "--bundle-dir", str(tmp_path))
    (bundle,) = tmp_path.iterdir()

    result = parity("--replay", str(bundle))

    assert result.exit_code == 1
    assert result.stdout.startswith("the tiers still differ: step 7, episode 0: dt")


def test_a_bundle_replays_with_code_0_once_the_tier_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, right = prospector_with(WrongDt), prospector_with(Flawless)
    monkeypatch.setattr("diorama.worlds.registry.load_world", lambda world_id: wrong)
    parity(*SHORT, "--seeds", "1", "--bundle-dir", str(tmp_path))
    (bundle,) = tmp_path.iterdir()
    monkeypatch.setattr("diorama.worlds.registry.load_world", lambda world_id: right)

    result = parity("--replay", str(bundle))

    assert result.exit_code == 0
    assert result.stdout == "the tiers agree now over 8 steps; they differed at step 7\n"


def test_the_registered_tiers_agree_on_all_cores() -> None:
    result = parity("--seeds", "1", "--steps", "60")

    assert result.exit_code == 0
    assert result.stdout.endswith("3 cases, 180 steps compared: all agree\n")
