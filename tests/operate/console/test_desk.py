import errno
import json
import os
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.settings.operation import Console
from diorama.operate.console.answers import Response
from diorama.operate.console.callers import Caller
from diorama.operate.console.desk import ConsoleDesk
from tests.operate.console.services import OLGA, VERA, Services, ask, open_desk, words_of


@pytest.fixture
def opened(tmp_path: Path) -> tuple[ConsoleDesk, Services]:
    return open_desk(tmp_path)


def at_once(answer: Future[Response]) -> dict[str, Any]:
    """What was answered without waiting."""
    return answer.result(0)


def audited(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "logs/console/commands.jsonl").read_text().splitlines()]


def test_an_answer_has_the_fields_of_the_interface(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened

    answer = ask(desk, OLGA, "noop", cmd_id="one")

    assert list(answer) == ["cmd_id", "name", "status", "result", "issuer", "tick", "latency_ms", "replayed"]
    assert (answer["cmd_id"], answer["issuer"], answer["tick"], answer["replayed"]) == ("one", "olga", 1, False)


@pytest.mark.parametrize("caller", [VERA, Caller.anonymous("10.9.9.9")], ids=["viewer", "anonymous"])
def test_who_is_no_admin_can_give_no_command_of_admins(
    opened: tuple[ConsoleDesk, Services], tmp_path: Path, caller: Caller
) -> None:
    desk, services = opened
    desk.apply_settings(Console(rate_limit_per_minute=1000))
    before = words_of(services)
    admins = [name for name, entry in desk.catalogue.entries.items() if entry.command.role == "admin"]

    answers = [ask(desk, caller, name, cmd_id=name) for name in admins]

    assert len(admins) > 20
    assert {answer["error"]["code"] for answer in answers} == {"forbidden"}
    assert (words_of(services), services.asked) == (before, [])
    assert [(line["name"], line["error_code"]) for line in audited(tmp_path)] == [
        (name, "forbidden") for name in admins
    ]


def test_what_changes_something_needs_an_id(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, services = opened
    before = words_of(services)

    refused = ask(desk, OLGA, "teleport", "citizen_000", 10, 2)

    assert refused["error"]["reason"] == "cmd_id_missing"
    assert words_of(services) == before


def test_a_command_sent_again_happens_once(opened: tuple[ConsoleDesk, Services], tmp_path: Path) -> None:
    desk, services = opened

    first = ask(desk, OLGA, "spawn", cmd_id="s-1")
    after = words_of(services)
    again = ask(desk, OLGA, "spawn", cmd_id="s-1")
    other = ask(desk, OLGA, "spawn", name="Nora", cmd_id="s-1")

    assert again == {**first, "replayed": True}
    assert other["error"]["reason"] == "cmd_id_reuse"
    assert words_of(services) == after
    assert [line["replayed"] for line in audited(tmp_path)] == [False, True, False]


def test_a_command_sent_twice_before_its_turn_happens_once(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, services = opened
    envelope = {"name": "spawn", "cmd_id": "s-1"}

    first, second = desk.submit(envelope, OLGA), desk.submit(envelope, OLGA)
    desk.drain()

    assert (at_once(first)["replayed"], at_once(second)["replayed"]) == (False, True)
    assert len(list(services.town.living())) == 4


def test_ids_of_others_are_neither_used_up_nor_read(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened
    ask(desk, OLGA, "snapshot_validate", "x.json.gz", cmd_id="1")

    mine = ask(desk, VERA, "noop", cmd_id="1")

    assert (mine["status"], mine["replayed"]) == ("ok", False)
    assert desk.lookup("1", OLGA) != desk.lookup("1", VERA)
    assert desk.lookup("2", OLGA) is None


def test_a_command_that_waits_is_found_as_pending(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened
    desk.submit({"name": "noop", "cmd_id": "w"}, OLGA)

    assert desk.lookup("w", OLGA) == {"cmd_id": "w", "status": "pending"}
    desk.drain()
    found = desk.lookup("w", OLGA)
    assert found is not None
    assert found["status"] == "ok"


def test_the_history_survives_a_snapshot_and_forgets_the_oldest(tmp_path: Path) -> None:
    desk, services = open_desk(tmp_path, history_limit=2)
    for number in range(3):
        ask(desk, OLGA, "price", "meal_cost", number + 1, cmd_id=str(number))

    other, _ = open_desk(tmp_path, services, history_limit=2)
    other.executor.load(json.loads(json.dumps(desk.executor.export())))

    assert [ask(other, OLGA, "price", "meal_cost", n + 1, cmd_id=str(n))["replayed"] for n in (2, 1, 0)] == [
        True,
        True,
        False,
    ]
    with pytest.raises(SnapshotError, match="history"):
        other.executor.load([{"issuer": 1}])


def test_commands_are_executed_in_order_and_so_many_a_tick(tmp_path: Path) -> None:
    desk, services = open_desk(tmp_path, max_commands_per_tick=2, max_pending=3)

    answers = [desk.submit({"name": "step", "args": [n], "cmd_id": str(n)}, OLGA) for n in (1, 2, 3, 4)]

    assert at_once(answers[3])["error"]["reason"] == "queue_full"
    assert len(desk.drain()) == 2
    assert (services.asked, answers[2].done()) == ([("step", 1), ("step", 2)], False)
    assert len(desk.drain()) == 1
    assert services.asked[-1] == ("step", 3)


def test_a_mistake_in_a_command_is_answered_without_a_traceback(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened

    answer = ask(desk, OLGA, "set_privacy", "on", cmd_id="p")

    assert answer["error"]["code"] == "internal"
    assert "ZeroDivision" not in json.dumps(answer)
    assert ask(desk, OLGA, "set_privacy", "on", cmd_id="p")["replayed"] is True
    assert ask(desk, OLGA, "noop")["status"] == "ok"


def test_a_refusal_carries_what_its_service_says(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened

    answer = ask(desk, OLGA, "promote_policy", "best", cmd_id="p")

    assert answer["error"] == {
        "code": "conflict",
        "reason": "not_ready",
        "message": "no candidate is ready",
        "details": {"state": "monitoring"},
    }


def test_a_dry_run_checks_and_changes_nothing(opened: tuple[ConsoleDesk, Services], tmp_path: Path) -> None:
    desk, services = opened
    before = words_of(services)
    envelope = {"name": "teleport", "args": ["citizen_000", "3", 4], "dry_run": True}

    answer = at_once(desk.submit(envelope, OLGA))
    wrong = at_once(desk.submit({**envelope, "args": ["citizen_000", "left", 4]}, OLGA))

    assert answer["result"] == {
        "dry_run": True,
        "command": "teleport",
        "arguments": {"agent_id": "citizen_000", "x": 3, "y": 4, "force": False},
        "changes": True,
    }
    assert wrong["error"]["code"] == "invalid_args"
    assert at_once(desk.submit(envelope, VERA))["error"]["code"] == "forbidden"
    assert (desk.drain(), words_of(services)) == ([], before)
    assert [line["dry_run"] for line in audited(tmp_path)] == [True, True, True]


def test_spectators_learn_what_was_done_and_not_what_was_asked(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened
    desk.submit({"name": "price", "args": ["meal_cost", 2], "cmd_id": "a"}, OLGA)
    desk.submit({"name": "relationship_detail", "args": ["citizen_000"], "cmd_id": "b"}, OLGA)
    desk.submit({"name": "rivalry_dump", "args": ["some text"], "cmd_id": "more text"}, VERA)

    done, detail, dump = (event.fields for event in desk.drain())

    assert done["result"]
    assert done["cmd_id"] == "a"
    assert (detail["result"], detail["cmd_id"]) == (None, "b")
    assert "text" not in json.dumps(dump)
    assert desk.results == [done, detail, dump]


def test_what_was_done_can_be_done_again(tmp_path: Path) -> None:
    desk, services = open_desk(tmp_path)
    ask(desk, OLGA, "spawn", name="Nora", cmd_id="1")
    ask(desk, OLGA, "setneed", "citizen_000", "hunger", 0.25, cmd_id="2")
    ask(desk, OLGA, "speed", "max", cmd_id="3")
    ask(desk, OLGA, "kill", "nobody", cmd_id="4")
    ask(desk, OLGA, "debug_queues")

    other, twin = open_desk(tmp_path)
    other.executor.replay(services.journal)

    assert [item["name"] for item in services.journal] == ["spawn", "setneed", "speed"]
    assert words_of(twin) == words_of(services)
    assert (twin.asked, ask(other, OLGA, "speed", "max", cmd_id="3")["replayed"]) == ([], True)
    with pytest.raises(SnapshotError, match="broken"):
        other.executor.replay([{"name": "spawn"}])


def test_a_closed_console_answers_everybody(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, services = opened
    waiting = desk.submit({"name": "spawn", "cmd_id": "1"}, OLGA)

    desk.close()

    assert at_once(waiting)["error"]["reason"] == "stopping"
    assert at_once(desk.submit({"name": "noop"}, OLGA))["error"]["reason"] == "stopping"
    assert services.journal == []


def test_a_line_of_the_audit_tells_who_did_what(opened: tuple[ConsoleDesk, Services], tmp_path: Path) -> None:
    desk, _ = opened
    envelope = {
        "name": "price",
        "args": ["meal_cost"],
        "kwargs": {"value": 3},
        "cmd_id": "c",
        "metadata": {"why": "drill", "api_key": "abc", "deep": [{"Password": "xyz"}]},
    }
    desk.submit(envelope, OLGA)
    desk.drain()

    (line,) = audited(tmp_path)

    assert line.pop("time").endswith("+00:00")
    assert line.pop("latency_ms") >= 0
    assert line == {
        "tick": 1,
        "issuer": "olga",
        "role": "admin",
        "cmd_id": "c",
        "name": "price",
        "args": ["meal_cost"],
        "kwargs": {"value": 3},
        "metadata": {"why": "drill", "api_key": "[removed]", "deep": [{"Password": "[removed]"}]},
        "dry_run": False,
        "status": "ok",
        "error_code": None,
        "error_reason": None,
        "client": "10.0.0.1",
        "replayed": False,
    }
    assert (tmp_path / "logs/console/commands.jsonl").stat().st_mode & 0o077 == 0


def test_help_describes_every_command_by_its_model(opened: tuple[ConsoleDesk, Services]) -> None:
    desk, _ = opened

    everything = ask(desk, VERA, "help")["result"]["commands"]
    teleport = ask(desk, VERA, "help", "teleport")["result"]["commands"][0]

    assert {"help", "noop", "snapshot_save", "teleport"} <= {command["name"] for command in everything}
    assert teleport["usage"] == "teleport agent_id x y [force=False]"
    assert teleport["arguments"]["required"] == ["agent_id", "x", "y"]
    assert ask(desk, VERA, "help", "teleprot")["error"]["code"] == "not_found"
    assert "did you mean teleport?" in ask(desk, OLGA, "teleprot")["error"]["message"]


def test_a_command_that_cannot_be_audited_is_refused_and_not_done(
    opened: tuple[ConsoleDesk, Services], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, services = opened
    before = words_of(services)
    with monkeypatch.context() as full:
        full.setattr("os.pwrite", _no_room)
        refused = ask(desk, OLGA, "spawn", cmd_id="s-1")

    done = ask(desk, OLGA, "spawn", cmd_id="s-1")

    assert (refused["error"]["code"], refused["error"]["reason"]) == ("internal", "not_audited")
    assert "console.allow_unaudited" in refused["error"]["message"]
    assert (done["status"], done["replayed"]) == ("ok", False)
    assert words_of(services) != before
    assert [line["status"] for line in audited(tmp_path)] == ["ok"]
    assert desk.health()["audit_failures"] == 2


def test_a_setting_lets_commands_happen_unaudited(
    opened: tuple[ConsoleDesk, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = opened
    desk.apply_settings(Console(allow_unaudited=True))
    monkeypatch.setattr("os.pwrite", _no_room)

    assert ask(desk, OLGA, "spawn", cmd_id="s-1")["status"] == "ok"
    assert desk.health()["audit_failures"] == 1


def _no_room(file: int, data: bytes, offset: int) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_command_stands_in_the_audit_while_it_is_carried_out(
    opened: tuple[ConsoleDesk, Services], tmp_path: Path
) -> None:
    desk, services = opened
    seen: list[dict[str, Any]] = []

    def save(name: str | None) -> dict[str, Any]:
        seen.extend(audited(tmp_path))
        return {}

    services.save_snapshot = save  # type: ignore[method-assign]
    ask(desk, OLGA, "snapshot_save", cmd_id="s-1")

    assert [(line["name"], line["issuer"], line["status"]) for line in seen] == [("snapshot_save", "olga", "begun")]
    assert [(line["name"], line["issuer"], line["status"]) for line in audited(tmp_path)] == [
        ("snapshot_save", "olga", "ok")
    ]


def test_the_audit_is_put_aside_and_handed_on_whole(opened: tuple[ConsoleDesk, Services], tmp_path: Path) -> None:
    desk, _ = opened
    desk.apply_settings(Console(audit_rotate_bytes=4096, audit_rotate_keep=3, rate_limit_per_minute=1000))
    for number in range(100):
        ask(desk, OLGA, "noop", cmd_id=f"n-{number}")

    files = sorted(path.name for path in (tmp_path / "logs/console").iterdir())
    lines = [json.loads(line)["cmd_id"] for line in desk.export_audit()]
    assert len(files) == 4
    assert files[0] == "commands.jsonl"
    assert lines == [f"n-{number}" for number in range(100 - len(lines), 100)]
    assert 45 < len(lines) < 100
