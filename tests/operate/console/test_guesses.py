import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.operation import ConsoleAuth
from diorama.operate.console import guesses
from diorama.operate.console.guesses import WRONG_TOKENS_PER_MINUTE, GuessLimit
from diorama.operate.console.tokens import TokenBook
from tests.operate.console.services import ADMIN_TOKEN, AUTH, ENVIRONMENT, open_desk

HERE = "10.6.6.6"


class Door:
    """Tokens behind a limit, and a clock that stands still."""

    def __init__(self, **auth: Any) -> None:
        self.now = 0.0
        book = TokenBook(ConsoleAuth.model_validate({**AUTH, **auth}), ENVIRONMENT)
        self.limit = GuessLimit(book, per_minute=3, clock=lambda: self.now)

    def try_token(self, token: str | None, address: str = HERE) -> str:
        """Say who somebody is, or why they are nobody."""
        try:
            return self.limit.caller(token, address).issuer
        except CommandError as error:
            return error.reason

    def guess(self, count: int, address: str = HERE) -> list[str]:
        return [self.try_token(f"guess number {number}", address) for number in range(count)]


def test_after_too_many_wrong_tokens_none_is_looked_at_not_even_a_right_one() -> None:
    door = Door()

    assert door.guess(5) == ["token_unknown"] * 3 + ["too_many_wrong_tokens"] * 2
    assert door.try_token(ADMIN_TOKEN) == "too_many_wrong_tokens"


def test_it_is_told_when_to_come_again_and_holds_no_longer_whatever_came_meanwhile() -> None:
    door = Door()
    for moment, token in ((0.0, "one"), (10.0, "two"), (20.0, "three")):
        door.now = moment
        door.try_token(token)

    door.now = 59.5
    with pytest.raises(CommandError, match="looked at for 1 s") as caught:
        door.limit.caller(ADMIN_TOKEN, HERE)
    door.now = 60.0

    assert (caught.value.code, caught.value.details) == ("rate_limited", {"retry_after_seconds": 1})
    assert door.try_token(ADMIN_TOKEN) == "olga"
    assert door.try_token("four") == "token_unknown"
    assert door.try_token(ADMIN_TOKEN) == "too_many_wrong_tokens"


def test_an_old_token_that_comes_again_and_again_keeps_nobody_out() -> None:
    door = Door()

    assert [door.try_token("of last week") for _ in range(50)] == ["token_unknown"] * 50
    assert door.try_token(ADMIN_TOKEN) == "olga"


def test_who_brings_no_token_guesses_nothing_and_is_kept_from_nothing() -> None:
    open_to_all, known_only = Door(), Door(require_auth_for_viewer=True)
    open_to_all.guess(9)

    assert open_to_all.try_token(None) == "anonymous"
    assert [known_only.try_token(None) for _ in range(9)] == ["token_missing"] * 9
    assert known_only.try_token(ADMIN_TOKEN) == "olga"


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        pytest.param("2001:db8:1:2:ffff::9", "too_many_wrong_tokens", id="same-network"),
        pytest.param("2001:db8:1:3::1", "olga", id="other-network"),
        pytest.param("::ffff:10.0.0.1", "olga", id="mapped"),
        pytest.param("somewhere", "olga", id="no-number"),
    ],
)
def test_others_are_not_kept_out_and_a_network_of_ipv6_is_one(other: str, reason: str) -> None:
    door = Door()
    door.guess(5, "2001:db8:1:2::1")

    assert door.try_token(ADMIN_TOKEN, other) == reason


def test_an_address_of_ipv4_is_the_same_however_it_is_written() -> None:
    door = Door()
    door.guess(5, "::ffff:10.6.6.6")

    assert door.try_token(ADMIN_TOKEN, "10.6.6.6") == "too_many_wrong_tokens"
    assert door.try_token(ADMIN_TOKEN, "::ffff:10.6.6.7") == "olga"


def test_only_so_many_places_are_remembered_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "_PLACES", 2)
    door = Door()
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3"):
        door.guess(3, address)

    assert [door.try_token(ADMIN_TOKEN, f"10.0.0.{last}") for last in (1, 2, 3)] == [
        "olga",
        "too_many_wrong_tokens",
        "too_many_wrong_tokens",
    ]
    assert "guess number" not in repr(vars(door.limit))


def test_guesses_that_come_at_once_are_all_counted() -> None:
    door = Door()

    with ThreadPoolExecutor(8) as pool:
        reasons = list(pool.map(lambda number: door.try_token(f"guess {number}"), range(64)))

    assert reasons.count("token_unknown") == 3


def test_a_console_audits_guesses_and_that_it_looks_at_no_more_of_them(tmp_path: Path) -> None:
    desk, _ = open_desk(tmp_path, rate_limit_per_minute=WRONG_TOKENS_PER_MINUTE + 2)

    for number in range(WRONG_TOKENS_PER_MINUTE + 9):
        with pytest.raises(CommandError):
            desk.authenticate(f"guess number {number}", HERE)

    lines = [json.loads(line) for line in (tmp_path / "logs/console/commands.jsonl").read_text().splitlines()]
    assert [line["error_reason"] for line in lines] == [
        *["token_unknown"] * WRONG_TOKENS_PER_MINUTE,
        *["too_many_wrong_tokens"] * 2,
    ]
    assert lines[-1]["error_code"] == "rate_limited"
    assert desk.health()["failed_attempts"] == WRONG_TOKENS_PER_MINUTE + 9
