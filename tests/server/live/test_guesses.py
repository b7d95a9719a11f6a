"""Whoever guesses tokens is soon no longer listened to, whichever way they come."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection

from diorama.operate.console.guesses import WRONG_TOKENS_PER_MINUTE
from tests.server.live.stage import ADMIN_TOKEN, Stage, bearer, on_stage
from tests.server.sockets import closing

NOOP = {"name": "noop"}


@pytest.fixture
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A small paused town that nobody has guessed at yet."""
    with on_stage(tmp_path_factory.mktemp("besieged"), world={"population": 1}) as opened:
        yield opened


def guess_over_http(stage: Stage) -> None:
    for number in range(WRONG_TOKENS_PER_MINUTE):
        assert stage.get("/kpis", f"guess number {number}").status_code == 401


def guess_by_header(stage: Stage) -> None:
    for number in range(WRONG_TOKENS_PER_MINUTE):
        with stage.socket("telemetry", f"guess number {number}") as socket:
            assert closing(socket)[0] == 4401


def guess_by_message(stage: Stage) -> None:
    for number in range(WRONG_TOKENS_PER_MINUTE):
        with stage.socket("operator") as socket:
            socket.send(json.dumps({"type": "auth", "token": f"guess number {number}"}))
            assert closing(socket)[0] == 4401


def noop_of(socket: ClientConnection) -> dict[str, Any]:
    socket.send(json.dumps({"type": "command", "payload": NOOP}))
    told = (json.loads(text) for text in socket)
    return next(message["payload"] for message in told if message["type"] == "result")


def refused(socket: ClientConnection) -> tuple[int, int]:
    first = json.loads(socket.recv(timeout=20))
    assert first.get("type") == "error", "it was let in"
    return closing(socket)[0], first["status_code"]


@pytest.mark.parametrize("guess", [guess_over_http, guess_by_header, guess_by_message])
def test_after_too_many_guesses_no_door_looks_at_a_token(besieged: Stage, guess: Any) -> None:
    guess(besieged)

    shown = besieged.get("/kpis", ADMIN_TOKEN)
    commanded = besieged.post(NOOP, ADMIN_TOKEN)
    saved = besieged.http.post(f"{besieged.address}/snapshots", json={"name": "a"}, headers=bearer(ADMIN_TOKEN))
    with besieged.socket("telemetry", ADMIN_TOKEN) as socket:
        telemetry = refused(socket)
    with besieged.socket("operator") as socket:
        socket.send(json.dumps({"type": "auth", "token": ADMIN_TOKEN}))
        operator = refused(socket)

    assert [answer.status_code for answer in (shown, commanded, saved)] == [429] * 3
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in (shown, commanded, saved))
    assert "wrong tokens" in shown.json()["detail"]
    assert commanded.json()["error"]["code"] == "rate_limited"
    assert telemetry == operator == (1013, 429)


def test_guesses_keep_out_neither_who_is_in_already_nor_who_only_watches_nor_who_is_elsewhere(besieged: Stage) -> None:
    with besieged.socket("operator", ADMIN_TOKEN) as operator:
        guess_over_http(besieged)
        within = noop_of(operator)
    watching = besieged.get("/kpis")
    elsewhere = httpx.post(
        f"{besieged.address}/console", json=NOOP, headers={**bearer(ADMIN_TOKEN), "X-Forwarded-For": "10.1.2.3"}
    )

    assert (within["status"], within["issuer"]) == ("ok", "olga")
    assert watching.status_code == 200
    assert (elsewhere.status_code, elsewhere.json()["issuer"]) == (200, "olga")


def test_a_page_with_an_old_token_keeps_nobody_out(besieged: Stage) -> None:
    for _ in range(2 * WRONG_TOKENS_PER_MINUTE):
        assert besieged.get("/kpis", "the token of last week").status_code == 401

    assert besieged.post(NOOP, ADMIN_TOKEN).json()["issuer"] == "olga"
