"""`diorama live` and `diorama snapshot`: exit codes, one-line refusals, and what their files are good for."""

import json
from pathlib import Path

import pytest
import yaml

from diorama.cli.app import run
from diorama.cli.live.running import LiveFlags, open_runtime, opening_lines
from diorama.contracts.live.refusals import CommandError

TOKEN = "a-token-of-the-environment"


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


@pytest.mark.parametrize(
    ("logged", "forged", "why"),
    [
        pytest.param('"actions":[6]', '"actions":[11]', "the state was", id="another-action"),
        pytest.param('"source":"scripted"', '"source":"learned"', "what decided was learned", id="another-policy"),
    ],
)
def test_a_log_that_comes_out_different_fails(
    logged: str, forged: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _live(tmp_path, "--ticks", "20", "--run-id", "one", "--policy", "idle") == 0
    log = tmp_path / "journals/one/000001.jsonl"
    *before, last = log.read_text().splitlines()
    assert logged in last
    log.write_text("\n".join([*before, last.replace(logged, forged)]) + "\n")
    capsys.readouterr()

    assert run(["snapshot", "replay", str(tmp_path), "--verify"]) == 1
    assert why in json.loads(capsys.readouterr().out)["message"]


def test_a_snapshot_of_another_configuration_is_no_valid_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _live(tmp_path / "belt", "--ticks", "3", "--run-id", "one") == 0
    config = tmp_path / "belt.yaml"
    config.write_text("time_max: 77\n")
    path = tmp_path / "belt/snapshots/one/snapshot-0.json.gz"
    capsys.readouterr()

    assert run(["snapshot", "validate", str(path), "--config-file", str(config)]) == 1
    assert "config_mismatch" in capsys.readouterr().out
    assert run(["snapshot", "migrate", str(path), str(tmp_path / "new.json.gz"), "--config-file", str(config)]) == 2
    assert not (tmp_path / "new.json.gz").exists()


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        pytest.param(("--speed", "2x"), "speed '2x'", id="speed"),
        pytest.param(("--policy", "nobody"), "no bot is called 'nobody'", id="policy"),
        pytest.param(("--resume",), "no live world", id="nothing-to-resume"),
        pytest.param(("--config-file", "missing.yaml"), "there is no such file", id="config"),
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


def _flags(root: Path, world: str, config: Path | None = None) -> LiveFlags:
    return LiveFlags(
        world=world,
        config=config,
        services=None,
        policy=None,
        shadow=None,
        speed="pause",
        seed=None,
        resume=False,
        run_id="one",
        root=root,
        autosave=100,
        ticks=None,
        deterministic=False,
        address=("127.0.0.1", 0),
        run_root=root / "runs",
    )


@pytest.mark.parametrize("world", ["prospector", "townlet"])
def test_a_token_of_the_environment_makes_an_operator_and_is_written_nowhere(
    world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", TOKEN)
    flags = _flags(tmp_path, world)
    runtime = open_runtime(flags)

    caller = runtime.desk.authenticate(TOKEN, "here")
    told = "\n".join(opening_lines(runtime, flags))
    with pytest.raises(CommandError, match="unknown"):
        runtime.desk.authenticate(TOKEN + "x", "here")
    runtime.run_ticks(2)
    runtime.close()

    assert (caller.issuer, caller.role) == ("operator", "admin")
    assert runtime.desk.authenticate(None, "here").role == "viewer"
    assert "commanded by operator" in told
    assert TOKEN not in told
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


def test_the_environment_changes_nothing_where_the_configuration_names_who_may_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "town.yaml"
    auth = {"enabled": True, "tokens": [{"label": "mayor", "role": "admin", "token": "m" * 20}]}
    config.write_text(yaml.safe_dump({"config_id": "x", "features": {}, "rewards": {}, "console_auth": auth}))
    monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", TOKEN)
    flags = _flags(tmp_path, "townlet", config)
    runtime = open_runtime(flags)

    with pytest.raises(CommandError, match="unknown"):
        runtime.desk.authenticate(TOKEN, "here")
    assert runtime.desk.issuers == ("mayor",)
    assert "commanded by mayor" in "\n".join(opening_lines(runtime, flags))
    runtime.close()


def test_a_short_token_of_the_environment_is_refused_without_being_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", "sesame")

    assert _live(tmp_path, "--ticks", "1") == 2

    told = capsys.readouterr().err
    assert "too short" in told
    assert "sesame" not in told


def test_a_world_whose_steps_are_long_stops_at_the_tick_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["live", "gameboy", "--no-server", "--speed", "max", "--ticks", "48", "--root", str(tmp_path)])

    told = capsys.readouterr().out
    assert code == 0
    assert "stopped at tick 48" in told
    assert "champion/gameboy decides" in told


def test_a_run_that_never_was_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _live(tmp_path, "--ticks", "2", "--run-id", "one", "--policy", "idle") == 0
    before = sorted(tmp_path.rglob("*"))

    assert _live(tmp_path, "--ticks", "2", "--run-id", "two", "--resume") == 2

    assert "run 'two' of" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
