import json
import logging
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.operation import ConsoleAuth
from diorama.operate.console.callers import Caller
from diorama.operate.console.tokens import TokenBook
from tests.operate.console.services import ADMIN_TOKEN, AUTH, ENVIRONMENT, OLGA, VERA, VIEWER_TOKEN, ask, open_desk


def book(**changes: object) -> TokenBook:
    return TokenBook(ConsoleAuth.model_validate({**AUTH, **changes}), ENVIRONMENT)


def test_a_token_says_who_somebody_is() -> None:
    known = book()

    assert known.caller(ADMIN_TOKEN, "10.0.0.1") == OLGA
    assert known.caller(VIEWER_TOKEN, "10.0.0.2") == VERA
    assert known.caller(None, "x") == Caller.anonymous("x")


@pytest.mark.parametrize("token", ["", "x", ADMIN_TOKEN[:-1], ADMIN_TOKEN + "x", ADMIN_TOKEN.upper(), "ü\ud800"])
def test_any_other_token_is_nobody(token: str) -> None:
    with pytest.raises(CommandError, match="unknown") as caught:
        book().caller(token, "x")

    assert caught.value.code == "unauthorized"


def test_viewers_may_be_asked_for_a_token_too() -> None:
    with pytest.raises(CommandError, match="needed"):
        book(require_auth_for_viewer=True).caller(None, "x")


def test_without_auth_everybody_is_a_viewer_whatever_they_bring() -> None:
    known = book(enabled=False, require_auth_for_viewer=True)

    assert known.caller(ADMIN_TOKEN, "x").role == known.caller(None, "x").role == "viewer"


@pytest.mark.parametrize(
    ("tokens", "environment", "words"),
    [
        pytest.param([{"label": "a", "role": "admin", "token_env": "UNSET"}], {}, "UNSET is not set", id="unset"),
        pytest.param([{"label": "a", "role": "admin", "token_env": "T"}], {"T": "short"}, "too short", id="short"),
        pytest.param([{"label": "a", "role": "admin", "token_env": "T"}], {"T": "ü" * 20}, "ASCII", id="not-plain"),
        pytest.param(
            [
                {"label": "a", "role": "admin", "token": "x" * 16},
                {"label": "b", "role": "viewer", "token_env": "T"},
            ],
            {"T": "x" * 16},
            "the same token",
            id="twice",
        ),
        pytest.param([{"label": "anonymous", "role": "viewer", "token": "x" * 16}], {}, "label", id="reserved"),
    ],
)
def test_a_wrong_token_stops_the_start_and_is_not_repeated(
    tokens: list[dict[str, str]], environment: dict[str, str], words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        TokenBook(ConsoleAuth.model_validate({"enabled": True, "tokens": tokens}), environment)

    assert "x" * 16 not in str(caught.value)


def test_tokens_are_found_inside_of_texts_and_kept_nowhere() -> None:
    known = book()

    assert known.appears_in(["nothing", f"see: {ADMIN_TOKEN}!"])
    assert not known.appears_in(["nothing", ADMIN_TOKEN[:-1]])
    assert ADMIN_TOKEN not in repr(vars(known))
    assert VIEWER_TOKEN not in repr(vars(known))


def test_an_admin_cannot_give_a_token_away(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk, services = open_desk(tmp_path)
    named_like_a_token: dict[str, Any] = {ADMIN_TOKEN: 1}

    answers = [
        ask(desk, OLGA, "announce_story", f"the token is {ADMIN_TOKEN}", cmd_id="1"),
        ask(desk, OLGA, "noop", cmd_id=VIEWER_TOKEN),
        ask(desk, OLGA, ADMIN_TOKEN),
        ask(desk, OLGA, "noop", **named_like_a_token),
    ]

    assert {answer["error"]["reason"] for answer in answers} == {"contains_token"}
    assert services.asked == []
    told = json.dumps([answers, desk.executor.export(), services.journal]) + caplog.text
    audit = (tmp_path / "logs/console/commands.jsonl").read_text()
    assert ADMIN_TOKEN not in told + audit
    assert VIEWER_TOKEN not in told + audit


def test_who_has_no_token_learns_nothing_from_guessing_one_and_it_is_not_written_down(tmp_path: Path) -> None:
    desk, _ = open_desk(tmp_path)
    stranger = Caller.anonymous("10.9.9.9")

    right = ask(desk, stranger, "rivalry_dump", ADMIN_TOKEN)
    wrong = ask(desk, stranger, "rivalry_dump", ADMIN_TOKEN[::-1])
    desk.submit({"name": "rivalry_dump", "args": [ADMIN_TOKEN], "cmd_id": ADMIN_TOKEN}, stranger)
    events = desk.drain()

    assert right["error"]["code"] == wrong["error"]["code"] == "not_found"
    assert ADMIN_TOKEN not in json.dumps([event.fields for event in events] + desk.results)
    assert ADMIN_TOKEN not in (tmp_path / "logs/console/commands.jsonl").read_text()
    assert ADMIN_TOKEN not in json.dumps(desk.executor.export())


def test_failed_attempts_are_counted_audited_and_cannot_fill_the_disk(tmp_path: Path) -> None:
    desk, _ = open_desk(tmp_path, rate_limit_per_minute=3)

    codes = []
    for _ in range(5):
        with pytest.raises(CommandError) as caught:
            desk.authenticate("a wrong token of somebody", "10.6.6.6")
        codes.append(caught.value.code)

    lines = [json.loads(line) for line in (tmp_path / "logs/console/commands.jsonl").read_text().splitlines()]
    assert codes == ["unauthorized"] * 3 + ["rate_limited"] * 2
    assert [(line["error_code"], line["client"]) for line in lines] == [("unauthorized", "10.6.6.6")] * 3
    assert desk.health()["failed_attempts"] == 5
    assert desk.authenticate(ADMIN_TOKEN, "10.6.6.6").role == "admin"
