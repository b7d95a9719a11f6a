"""`diorama eval RUN`: the policy of a run beside every baseline."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.training.small_runs import small_plan, train_small


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    train_small(root, "taught", small_plan(steps=512))
    train_small(root, "aimless", small_plan(steps=512, backend="random"))
    return root


def test_a_run_is_scored_beside_every_baseline_of_its_world(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "2", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) == 0

    report = json.loads(target.read_text())
    assert [item["kind"] for item in report["contenders"]] == ["run", *["bot"] * 7]
    assert {item["name"] for item in report["contenders"]} > {"taught", "prudent_hauler", "random_valid"}
    assert report["config"]["time_max"] == 300.0
    assert report["training_runs"][0]["run_id"] == "taught"
    assert report["training_runs"][0]["deterministic"] is True


def test_the_table_shows_intervals(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "taught", "--run-root", str(root), "--episodes", "2", "--bot", "cash_out"]) == 0

    printed = capsys.readouterr().out
    assert "95% intervals" in printed
    assert "taught" in printed
    assert ".." in printed


def test_a_policy_can_draw_its_actions(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "2", "--bot", "idle", "--stochastic", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) == 0

    assert json.loads(target.read_text())["training_runs"][0]["deterministic"] is False


def test_the_protocol_judges_the_run_in_the_default_configuration(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "1", "--bot", "cash_out", "--protocol", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) in (0, 1)

    report = json.loads(target.read_text())
    assert report["comparison"]["reference_policy"] == "taught"
    assert report["config"]["time_max"] == 20000.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nobody"], "no world", id="neither-world-nor-run"),
        pytest.param(["../evil"], "not allowed", id="traversal"),
        pytest.param(["aimless"], "played at random", id="no-policy"),
        pytest.param(["prospector"], "--bot", id="a-world-needs-bots"),
        pytest.param(["prospector", "--bot", "idle", "--stochastic"], "go with a run", id="stochastic-bots"),
    ],
)
def test_bad_input_is_one_line(
    root: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", *arguments, "--run-root", str(root)]) == 2

    printed = capsys.readouterr().err
    assert message in printed
    assert len(printed.splitlines()) == 1
