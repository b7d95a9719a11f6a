"""`diorama live` and `diorama snapshot`: exit codes, one-line refusals, and what their files are good for."""

import json
from pathlib import Path

import pytest
import yaml

from diorama.cli.app import run


def _live(root: Path, *flags: str) -> int:
    return run(["live", "prospector", "--no-server", "--speed", "max", "--root", str(root), *flags])


def test_a_world_is_run_continued_inspected_and_lived_through_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services = tmp_path / "services.yaml"
    services.write_text(
        yaml.safe_dump({"runtime": {"state_hash_every": 10}, "telemetry": {"transport": {"type": "none"}}})
    )
    root = tmp_path / "belt"
    flags = ("--autosave", "100", "--services", str(services))

    assert _live(root, "--ticks", "150", "--policy", "idle", *flags) == 0
    assert _live(root, "--ticks", "30", "--resume", *flags) == 0
    assert "stopped at tick 180" in capsys.readouterr().out
    newest = max((root / "snapshots").rglob("*.json.gz"), key=lambda path: path.stat().st_mtime_ns)
    assert run(["snapshot", "inspect", str(newest)]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["world"], facts["tick"], facts["schema_version"]) == ("prospector", 180, "2.0")
    assert "body" not in facts
    assert run(["snapshot", "validate", str(newest), "--strict"]) == 0
    assert json.loads(capsys.readouterr().out)["valid"] is True
    assert run(["snapshot", "replay", str(root), "--verify"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["holds"] is True
    assert replayed["ticks"] > 0
    assert replayed["hashes_compared"] > 0


def test_a_log_that_comes_out_different_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _live(tmp_path, "--ticks", "20", "--run-id", "one", "--policy", "idle") == 0
    log = tmp_path / "journals/one/000001.jsonl"
    *before, last = log.read_text().splitlines()
    listening = last.replace('"actions":[6]', '"actions":[11]')
    assert listening != last
    log.write_text("\n".join([*before, listening]) + "\n")
    capsys.readouterr()

    assert run(["snapshot", "replay", str(tmp_path), "--verify"]) == 1
    assert "diverged" in json.loads(capsys.readouterr().out)["message"]


def test_a_snapshot_of_another_configuration_is_no_valid_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _live(tmp_path / "belt", "--ticks", "3", "--run-id", "one") == 0
    config = tmp_path / "belt.yaml"
    config.write_text("time_max: 77\n")
    path = tmp_path / "belt/snapshots/one/snapshot-0.json.gz"
    capsys.readouterr()

    assert run(["snapshot", "validate", str(path), "--config", str(config)]) == 1
    assert "config_mismatch" in capsys.readouterr().out
    assert run(["snapshot", "migrate", str(path), str(tmp_path / "new.json.gz"), "--config", str(config)]) == 2
    assert not (tmp_path / "new.json.gz").exists()


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        pytest.param(("--speed", "2x"), "speed '2x'", id="speed"),
        pytest.param(("--policy", "nobody"), "no bot is called 'nobody'", id="policy"),
        pytest.param(("--resume",), "no live world", id="nothing-to-resume"),
        pytest.param(("--config", "missing.yaml"), "there is no such file", id="config"),
        pytest.param(("--run-id", "../x"), "not allowed", id="run-id"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    flags: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _live(tmp_path, *flags) == 2

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert why in lines[0]
