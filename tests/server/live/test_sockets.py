import json
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from diorama.server.live import operator_outbox
from diorama.telemetry.live import subscription
from diorama.telemetry.live.reader import LiveState
from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, Stage, on_stage
from tests.server.sockets import closing


def price_of_a_meal(state: LiveState) -> float:
    told: dict[str, Any] = state.state
    return float(told["economy"]["prices"]["meal_cost"])


def test_a_spectator_gets_a_snapshot_and_then_what_changes(stage: Stage) -> None:
    state = LiveState()
    with stage.socket("telemetry", subprotocols=["telemetry.0.3"], query="?mode=spectator") as socket:
        first = json.loads(socket.recv(timeout=20))
        state.apply(first)
        stage.post({"name": "price", "args": ["meal_cost", 3.25], "cmd_id": "spectator"}, ADMIN_TOKEN)
        while price_of_a_meal(state) != 3.25:
            state.apply(json.loads(socket.recv(timeout=20)))

        assert (socket.subprotocol, first["payload_type"]) == ("telemetry.0.3", "snapshot")


def test_a_spectator_chooses_blocks_and_asks_anew(stage: Stage) -> None:
    def next_snapshot(socket: ClientConnection) -> dict[str, Any]:
        while (message := json.loads(socket.recv(timeout=20)))["payload_type"] != "snapshot":
            pass
        return dict(message["state"])

    with stage.socket("telemetry") as socket:
        everything = next_snapshot(socket)
        socket.send(json.dumps({"type": "subscribe", "blocks": ["utilities"]}))
        chosen = next_snapshot(socket)
        socket.send(json.dumps({"type": "resync"}))
        again = next_snapshot(socket)
        socket.send(json.dumps({"type": "subscribe", "blocks": ["*", "scene"]}))
        state = LiveState()
        while "scene" not in state.state:  # it is asked for at the next tick or heartbeat
            state.apply(json.loads(socket.recv(timeout=20)))

    assert {"agents", "economy"} <= set(everything)
    assert set(chosen) == set(again) == {"utilities"}
    assert set(state.state) == set(everything) | {"scene"}


@pytest.mark.parametrize(
    ("kind", "options", "code", "words"),
    [
        pytest.param("telemetry", {"token": "a wrong token"}, 4401, "unknown", id="telemetry-wrong-token"),
        pytest.param("operator", {"token": "a wrong token"}, 4401, "unknown", id="operator-wrong-token"),
        pytest.param("operator", {"query": f"?token={ADMIN_TOKEN}"}, 4401, "address", id="token-in-address"),
        pytest.param("telemetry", {"origin": "https://evil.example"}, 4403, "origin", id="telemetry-origin"),
        pytest.param(
            "operator", {"origin": "https://evil.example", "token": ADMIN_TOKEN}, 4403, "origin", id="operator-origin"
        ),
        pytest.param("telemetry", {"subprotocols": ["telemetry.9.9"]}, 4409, "telemetry.0.3", id="wrong-version"),
        pytest.param("telemetry", {"query": "?mode=god"}, 1008, "spectator", id="wrong-mode"),
    ],
)
def test_who_may_not_come_in_is_told_why(
    stage: Stage, kind: str, options: dict[str, Any], code: int, words: str
) -> None:
    with stage.socket(kind, **options) as socket:
        closed, told = closing(socket)

    assert closed == code
    (error,) = [json.loads(text) for text in told]
    assert error["type"] == "error"
    assert words in error["detail"]


@pytest.mark.parametrize(
    "sent",
    ["", "no json", "[1]", "{}", '{"type": 5}', '{"type": "fly"}', '{"type":"auth","token":"x"}', "[" * 5000, b"\x00"],
)
@pytest.mark.parametrize("kind", ["telemetry", "operator"])
def test_nonsense_ends_a_socket_and_nothing_else(stage: Stage, kind: str, sent: str | bytes) -> None:
    with stage.socket(kind, ADMIN_TOKEN) as socket:
        socket.send(sent)
        code, told = closing(socket)

    assert code == (4401 if "auth" in str(sent) and kind == "telemetry" else 1008)
    assert json.loads(told[-1])["type"] == "error"
    assert stage.post({"name": "noop"}, None).status_code == 200


def test_a_message_beyond_all_measure_ends_a_socket(stage: Stage) -> None:
    with stage.socket("operator", ADMIN_TOKEN) as socket:
        socket.send(json.dumps({"type": "command", "payload": {"name": "x" * 100_000}}))
        code, _ = closing(socket)

    assert code == 1009


def test_a_wrong_envelope_is_answered_and_the_socket_stays(stage: Stage) -> None:
    with stage.socket("operator", ADMIN_TOKEN) as socket:
        for payload in (None, 5, {"nam": "noop"}, {"name": "noop"}):
            socket.send(json.dumps({"type": "command", "payload": payload}))
        told = (json.loads(text) for text in socket)
        results = (message["payload"] for message in told if message["type"] == "result")
        answers = [answer for _, answer in zip(range(4), results, strict=False)]

    assert [answer["status"] for answer in answers] == ["error", "error", "error", "ok"]


def test_an_operator_introduces_herself_and_sees_status_results_and_events(stage: Stage) -> None:
    with stage.socket("operator") as socket:
        socket.send(json.dumps({"type": "auth", "token": ADMIN_TOKEN}))
        status = json.loads(socket.recv(timeout=20))
        socket.send(
            json.dumps({"type": "command", "payload": {"name": "price", "args": ["meal_cost", 2], "cmd_id": "o"}})
        )
        told: dict[str, Any] = {}
        while set(told) != {"result", "events"}:
            message = json.loads(socket.recv(timeout=20))
            if message["type"] != "status":
                told[message["type"]] = message["payload"]

    assert (status["type"], status["payload"]["issuer"], status["payload"]["role"]) == ("status", "olga", "admin")
    assert told["result"]["status"] == "ok"
    assert told["events"]["events"][0]["event"] == "console_result"


def test_where_viewers_need_a_token_nobody_watches_without(strict_stage: Stage) -> None:
    with strict_stage.socket("telemetry") as socket:
        socket.send(json.dumps({"type": "resync"}))
        assert closing(socket)[0] == 4401
    with strict_stage.socket("operator") as socket:
        socket.send(json.dumps({"type": "command", "payload": {"name": "noop"}}))
        assert closing(socket)[0] == 4401
    with strict_stage.socket("telemetry") as socket:
        socket.send(json.dumps({"type": "auth", "token": VIEWER_TOKEN}))
        assert json.loads(socket.recv(timeout=20))["payload_type"] == "snapshot"


def test_whoever_does_not_read_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (operator_outbox, subscription):
        monkeypatch.setattr(module, "CAPACITY_BYTES", 1 << 19)
    limits = {"rate_limit_per_minute": 100_000, "max_pending": 10_000}
    with (
        on_stage(tmp_path, console=limits) as stage,
        stage.deaf_socket("telemetry") as spectator,
        stage.deaf_socket("operator", ADMIN_TOKEN) as operator,
    ):
        spectator.send(json.dumps({"type": "subscribe", "blocks": ["*", "scene"]}))
        for _ in range(60):
            operator.send(json.dumps({"type": "command", "payload": {"name": "telemetry_snapshot"}}))
        stage.wait_until_left("operator")
        assert closing(operator)[0] == 4408

        stage.runtime.set_speed("max")
        stage.wait_until_left("telemetry")
        assert closing(spectator)[0] == 4408
        assert stage.post({"name": "noop"}, None).status_code == 200
