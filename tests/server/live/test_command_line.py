import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, Stage


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", ADMIN_TOKEN)
    monkeypatch.delenv("DIORAMA_CONSOLE_TOKEN", raising=False)


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        pytest.param(["noop"], 0, "{}", "tick", id="done"),
        pytest.param(["help", "teleport"], 0, "usage: teleport agent_id x y", "", id="help"),
        pytest.param(["help"], 0, "snapshot_save", "", id="help-for-all"),
        pytest.param(["teleport"], 2, "", "usage", id="wrong"),
        pytest.param(["kill", "nobody"], 1, "", "not_found", id="refused"),
        pytest.param(["rollback_policy", "--to", "nowhere"], 1, "", "not_found", id="options-of-the-command"),
    ],
)
def test_a_command_ends_with_its_code(
    stage: Stage, capsys: pytest.CaptureFixture[str], words: list[str], code: int, out: str, err: str
) -> None:
    assert run(["console", "--url", stage.base_url, "--token-env", "A_TOKEN", *words]) == code

    told = capsys.readouterr()
    assert out in told.out
    assert err in told.err


def test_an_id_of_the_command_line_makes_it_happen_once(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [
        "console",
        "--url",
        stage.base_url,
        "--token-env",
        "A_TOKEN",
        "--format",
        "json",
        "--cmd-id",
        "from-a-shell",
    ]

    run([*flags, "price", "meal_cost", "3"])
    first = json.loads(capsys.readouterr().out)
    run([*flags, "price", "meal_cost", "3"])
    again = json.loads(capsys.readouterr().out)
    run([*flags, "--dry-run", "spawn", "name=2024"])
    checked = json.loads(capsys.readouterr().out)

    assert again == {**first, "replayed": True}
    assert checked["result"]["arguments"]["name"] == "2024"


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        pytest.param(["--token-env", "NOT_SET", "noop"], 2, "NOT_SET", id="no-token"),
        pytest.param(["--world", "atlantis", "noop"], 2, "townlet", id="unknown-world"),
        pytest.param(["--url", "ftp://x", "noop"], 2, "no address", id="no-address"),
        pytest.param(["--url", "http://127.0.0.1:9", "noop"], 1, "does not answer", id="nobody-there"),
        pytest.param(["--token-env", "WRONG", "noop"], 1, "unknown", id="wrong-token"),
        pytest.param(["speed", "max"], 1, "forbidden", id="viewer"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(
    stage: Stage,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.setenv("WRONG", "a wrong token of somebody")
    monkeypatch.setenv("DIORAMA_LIVE_URL", stage.base_url)

    assert run(["console", *flags]) == code

    told = capsys.readouterr().err
    assert words in told
    assert told.startswith("diorama: ")
    assert told.count("\n") == 1
    assert "a wrong token" not in told


def test_events_are_printed_line_by_line(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.post({"name": "price", "args": ["meal_cost", 2], "cmd_id": "cli-events"}, ADMIN_TOKEN)
    flags = ["--url", stage.base_url, "--since", "0", "--types", "console_result", "--limit", "1"]

    assert run(["events", *flags, "--format", "json"]) == 0
    event = json.loads(capsys.readouterr().out)
    assert run(["events", *flags]) == 0

    assert event["event"] == "console_result"
    assert "console_result" in capsys.readouterr().out


def test_the_audit_is_written_to_a_new_file(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "audit.ndjson"
    flags = ["console", "--url", stage.base_url, "--token-env", "A_TOKEN", "--audit"]
    run(["console", "--url", stage.base_url, "--token-env", "A_TOKEN", "price", "meal_cost", "3"])

    assert run([*flags, str(target)]) == 0
    assert run([*flags, str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert run([*flags, "-"]) == 0
    printed = capsys.readouterr().out
    monkeypatch.setenv("A_TOKEN", VIEWER_TOKEN)
    assert run([*flags, str(tmp_path / "none")]) == 1

    assert "for admins" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert json.loads(target.read_text().splitlines()[-1])["name"] == "price"
    assert printed.startswith(target.read_text())
