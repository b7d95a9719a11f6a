"""Every command, as viewer and as admin, over REST, WebSocket and the command line."""

import io
import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from diorama.cli.app import run
from diorama.operate.rehearsals.drills import Drill
from tests.server.live.drills import drills
from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, Stage

Answers = list[dict[str, Any]]
Give = Callable[[Sequence[Drill], str], Answers]
TOKENS = {"viewer": VIEWER_TOKEN, "admin": ADMIN_TOKEN}


@pytest.fixture(params=["rest", "socket", "command line"])
def give(
    request: pytest.FixtureRequest, stage: Stage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Give:
    """Gives commands of a role one after another, and returns their answers."""

    def over_rest(given: Sequence[Drill], role: str) -> Answers:
        return [stage.post(_envelope(drill, f"rest {drill.name}"), TOKENS[role]).json() for drill in given]

    def over_a_socket(given: Sequence[Drill], role: str) -> Answers:
        with stage.socket("operator", TOKENS[role]) as socket:
            for drill in given:
                message = {"type": "command", "payload": _envelope(drill, f"socket {drill.name}")}
                socket.send(json.dumps(message))
            told = (json.loads(text) for text in socket)
            results = (message["payload"] for message in told if message["type"] == "result")
            by_name = {answer["name"]: answer for _, answer in zip(given, results, strict=False)}
        return [by_name[drill.name] for drill in given]

    def over_the_command_line(given: Sequence[Drill], role: str) -> Answers:
        monkeypatch.setenv("A_TOKEN", TOKENS[role])
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(_line(drill) for drill in given)))
        run(["console", "--url", stage.base_url, "--token-env", "A_TOKEN", "--format", "json"])
        return list(_documents(capsys.readouterr().out))

    return {"rest": over_rest, "socket": over_a_socket, "command line": over_the_command_line}[request.param]


def _envelope(drill: Drill, cmd_id: str) -> dict[str, Any]:
    return {"name": drill.name, "args": list(drill.args), "kwargs": drill.kwargs, "cmd_id": cmd_id}


def _line(drill: Drill) -> str:
    named = (f"{name}={_word(value)}" for name, value in drill.kwargs.items())
    return shlex.join([drill.name, *map(_word, drill.args), *named])


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _documents(text: str) -> Iterator[dict[str, Any]]:
    while text := text.lstrip():
        document, end = json.JSONDecoder().raw_decode(text)
        yield document
        text = text[end:]


def test_the_drills_know_every_command(stage: Stage) -> None:
    assert {drill.name for drill in drills("x")} == set(stage.runtime.desk.catalogue.entries)


def test_an_admin_can_give_every_command(stage: Stage, give: Give) -> None:
    given = drills(give.__name__)

    answers = give(given, "admin")

    for drill, answer in zip(given, answers, strict=True):
        assert answer.get("error", {}).get("reason") == drill.refusal, (drill, answer)
        assert (answer["name"], answer["issuer"], answer["replayed"]) == (drill.name, "olga", False)


def test_a_viewer_can_ask_and_change_nothing(stage: Stage, give: Give) -> None:
    given = drills(give.__name__)
    before = stage.fingerprint()
    entries = stage.runtime.desk.catalogue.entries

    answers = give(given, "viewer")

    for drill, answer in zip(given, answers, strict=True):
        is_asking = entries[drill.name].command.role == "viewer"
        assert answer.get("error", {}).get("code") == (None if is_asking else "forbidden"), (drill, answer)
        assert (answer["name"], answer["issuer"]) == (drill.name, "vera")
    assert stage.fingerprint() == before
