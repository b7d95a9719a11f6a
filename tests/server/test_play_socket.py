"""Play at the world's pace over a WebSocket."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from diorama.server.play.pace import Pace
from tests.server.loopback import LoopbackServer, serving
from tests.server.play_factories import HOLD, ManualClock, opened, stepped
from tests.server.sockets import PATIENCE, closing_code
from tests.server.toy_worlds import registered


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    with registered(), serving(tmp_path_factory.mktemp("arcade")) as server:
        yield server


@pytest.fixture
def player(arcade: LoopbackServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=arcade.base_url, timeout=PATIENCE) as client:
        yield client


def socket(arcade: LoopbackServer, session_id: str, query: str = "") -> ClientConnection:
    return connect(f"{arcade.ws_url}/ws/play/session/{session_id}{query}", max_size=None)


def message(connection: ClientConnection) -> dict[str, Any]:
    received: dict[str, Any] = json.loads(connection.recv(timeout=PATIENCE))
    return received


def test_a_world_is_stepped_at_its_pace_with_the_newest_action(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, world="screen", config={"length": 40})
    with socket(arcade, state["session_id"]) as connection:
        connection.send(json.dumps({"action": 2}))
        messages: list[dict[str, Any]] = []
        pictures: list[bytes] = []
        while not messages or messages[-1]["type"] == "state":
            messages.append(message(connection))
            if messages[-1]["type"] == "state":
                picture = connection.recv(timeout=PATIENCE)
                assert isinstance(picture, bytes)
                pictures.append(picture)
        assert closing_code(connection) == 1000

    states = messages[:-1]
    assert [item["steps"] for item in states] == list(range(41))
    assert messages[-1] == {"type": "complete", "session_id": state["session_id"], "steps": 40}
    assert (states[-1]["action"], states[-1]["is_over"], states[-1]["pictures"]) == (
        2,
        True,
        [{"name": "picture", "shape": [2, 3]}],
    )
    assert pictures[0] == bytes(6)
    assert pictures[-1] == bytes([2] * 6)
    for item, picture in zip(states, pictures, strict=True):
        assert set(picture) == {item["action"] or 0}


def test_any_world_can_be_played_so(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, seed=4, env_time_max=30)
    with socket(arcade, state["session_id"], "?speed=200") as connection:
        opening = message(connection)
        last = opening
        while last["type"] == "state":
            received = message(connection)
            if received["type"] != "state":
                break
            last = received

    assert (opening["steps"], opening["obs"]) == (0, state["obs"])
    assert (last["truncated"], last["render_state"]["time"], last["action"]) == (True, 30, HOLD)
    assert player.get(f"/api/play/session/{state['session_id']}").json()["steps"] == last["steps"]


def test_time_stands_still_in_a_pause(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, world="screen", config={"length": 3})
    with socket(arcade, state["session_id"], "?paused=true") as connection:
        first = message(connection)
        connection.recv(timeout=PATIENCE)
        told = message(connection)
        connection.recv(timeout=PATIENCE)
        by_hand = stepped(player, state["session_id"], 1).json()
        connection.send(json.dumps({"paused": False, "action": 2}))
        after = message(connection)

    assert (first["paused"], told["paused"], told["steps"]) == (True, True, 0)
    assert by_hand["steps"] == 1
    assert (after["steps"], after["action"], after["paused"]) == (2, 2, False)


def test_the_speed_can_be_changed_on_the_way(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, world="screen", config={"length": 30})
    with socket(arcade, state["session_id"], "?speed=0.05") as connection:
        message(connection)
        connection.recv(timeout=PATIENCE)
        connection.send(json.dumps({"speed": 1000, "action": 1}))
        code = closing_code(connection)

    assert code == 1000
    assert player.get(f"/api/play/session/{state['session_id']}").json()["steps"] == 30


@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param('{"action": 3}', "use 0..2", id="out-of-range"),
        pytest.param('{"action": "a"}', "whole number", id="wrong-type"),
        pytest.param('{"act": 1}', "no such key", id="unknown-key"),
        pytest.param('{"speed": 0}', "greater than or equal to 0.01", id="standing-still"),
        pytest.param("{", "JSON", id="no-json"),
        pytest.param("[" * 5000, "at most 4096 characters", id="long"),
        pytest.param(b"\x01", "sent as text", id="binary"),
    ],
)
def test_a_wrong_command_gets_an_error_and_a_closing_code(
    arcade: LoopbackServer, player: httpx.Client, command: str | bytes, words: str
) -> None:
    state = opened(player, world="screen", config={"length": 1000})
    with socket(arcade, state["session_id"], "?paused=1") as connection:
        message(connection)
        connection.recv(timeout=PATIENCE)
        connection.send(command)
        received = connection.recv(timeout=PATIENCE)
        while isinstance(received, bytes) or json.loads(received)["type"] == "state":
            received = connection.recv(timeout=PATIENCE)
        error = json.loads(received)
        code = closing_code(connection)

    assert (error["type"], error["status_code"], code) == ("error", 422, 1008)
    assert words in error["detail"]
    assert player.get(f"/api/play/session/{state['session_id']}").status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        pytest.param("?speed=0", 422, id="standing-still"),
        pytest.param("?speed=nan", 422, id="no-number"),
        pytest.param("?speed=1e9", 422, id="too-fast"),
        pytest.param("?paused=perhaps", 422, id="no-flag"),
    ],
)
def test_a_wrong_query_gets_an_error(arcade: LoopbackServer, player: httpx.Client, query: str, status: int) -> None:
    state = opened(player)
    with socket(arcade, state["session_id"], query) as connection:
        error = message(connection)
        assert (error["type"], error["status_code"], closing_code(connection)) == ("error", status, 1008)


def test_an_unknown_session_gets_an_error(arcade: LoopbackServer) -> None:
    with socket(arcade, "f" * 32) as connection:
        error = message(connection)

        assert (error["type"], error["status_code"], closing_code(connection)) == ("error", 404, 1008)


@pytest.mark.parametrize("query", ["?paused=true", "?speed=50"], ids=["paused", "running"])
def test_the_newest_socket_takes_over(arcade: LoopbackServer, player: httpx.Client, query: str) -> None:
    state = opened(player, seed=1)
    with socket(arcade, state["session_id"], query) as first:
        message(first)
        with socket(arcade, state["session_id"], "?speed=50") as second:
            assert message(second)["type"] == "state"
            received = message(first)
            while received["type"] == "state":
                received = message(first)
            assert (received["status_code"], closing_code(first)) == (409, 1008)
            assert message(second)["type"] == "state"
    player.delete(f"/api/play/session/{state['session_id']}")


@pytest.mark.parametrize("query", ["?paused=true", "?speed=100"], ids=["paused", "running"])
def test_a_session_that_is_deleted_says_so(arcade: LoopbackServer, player: httpx.Client, query: str) -> None:
    state = opened(player, seed=1)
    with socket(arcade, state["session_id"], query) as connection:
        message(connection)
        player.delete(f"/api/play/session/{state['session_id']}")
        received = message(connection)
        while received["type"] == "state":
            received = message(connection)

        assert (received["type"], received["status_code"], closing_code(connection)) == ("error", 404, 1008)


def test_a_finished_session_is_shown_and_complete(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, world="screen", config={"length": 1})
    stepped(player, state["session_id"], 1)
    with socket(arcade, state["session_id"]) as connection:
        shown = message(connection)
        connection.recv(timeout=PATIENCE)

        assert (shown["is_over"], message(connection)["type"], closing_code(connection)) == (True, "complete", 1000)


def test_a_player_who_leaves_can_come_back_at_once(arcade: LoopbackServer, player: httpx.Client) -> None:
    state = opened(player, seed=1)
    for _ in range(5):
        with socket(arcade, state["session_id"], "?paused=true") as connection:
            assert message(connection)["steps"] == 0


def test_a_server_that_stops_lets_players_go(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ExitStack() as stack:
        with serving(tmp_path_factory.mktemp("stopping")) as server:
            state = httpx.post(f"{server.base_url}/api/play/session").json()
            connection = stack.enter_context(socket(server, state["session_id"], "?paused=true"))
            message(connection)

        assert closing_code(connection) in (1001, 1012)


def test_the_pace_keeps_time_and_does_not_run_after_what_is_lost() -> None:
    clock = ManualClock()
    pace = Pace(0.5, 2.0, clock.seconds)

    assert pace.wait_for(4) == pytest.approx(1.0)
    clock.at_seconds += 1.1
    assert pace.wait_for(4) == pytest.approx(0.9)
    clock.at_seconds += 60.0
    assert [pace.wait_for(4) for _ in range(4)] == pytest.approx([0.0, 0.0, 0.0, 1.0])
    clock.at_seconds += 60.0
    pace.restart()
    assert pace.wait_for(4) == pytest.approx(1.0)
