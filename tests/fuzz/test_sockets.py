"""WebSocket messages: replay streams, play sessions, spectators and operators."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.effort import examples
from tests.runs.factories import empty_run, recorded
from tests.server.live.stage import ADMIN_TOKEN, Stage, on_stage
from tests.server.loopback import LoopbackServer, serving

SILENT = 0
KNOWN_CODES = {SILENT, 1000, 1001, 1007, 1008, 1009, 1013, 4401, 4403, 4408, 4409}
COMMANDS = (
    {"action": 3},
    {"paused": True, "speed": 4.0},
    {"action": None, "step": True},
    {"action": [1, 2], "suggest": True},
)
MESSAGES = (
    {"type": "subscribe", "blocks": ["*", "agents"]},
    {"type": "resync"},
    {"type": "auth", "token": ADMIN_TOKEN},
    {"type": "command", "name": "noop", "cmd_id": "a"},
    {"type": "command", "command": {"name": "price", "args": ["meal_cost", 0.5]}},
)
QUESTION = b"offset=3&limit=5&batch_size=2&max_chunk_bytes=2048&yield_every_batches=1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    root: Path = tmp_path_factory.mktemp("runs")
    recorded(empty_run(root), bot="idle", max_steps=9)
    with serving(root, play_max_sessions=64) as opened:
        yield opened


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    root = tmp_path_factory.mktemp("live")
    with on_stage(root, world={"population": 2}, console={"rate_limit_per_minute": 1_000_000}) as opened:
        opened.runtime.desk.guesses.per_minute = 1_000_000
        yield opened


def _closing_code(connection: ClientConnection, *messages: str | bytes) -> int:
    """Send messages and read what comes back until the other side closes, and says why, or falls silent."""
    try:
        for message in messages:
            connection.send(message)
        for _ in range(20):
            connection.recv(timeout=0.05)
    except ConnectionClosed as closed:
        return SILENT if closed.rcvd is None else closed.rcvd.code
    except TimeoutError:
        return SILENT
    return SILENT


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def test_whatever_a_player_sends_the_session_answers_or_closes(server: LoopbackServer) -> None:
    with httpx.Client(base_url=server.base_url, timeout=30) as client:
        opened = client.post("/api/play/session", json={"world": "prospector"}).json()["session_id"]

        @examples(5, share=0.1)
        @given(data=st.sampled_from(COMMANDS).flatmap(damaged_json), is_text=st.integers(0, 4))
        def check(data: bytes, is_text: int) -> None:
            with connect(f"{server.ws_url}/ws/play/session/{opened}?paused=true", max_size=None) as connection:
                assert _closing_code(connection, _text(data) if is_text else data) in KNOWN_CODES

        check()
        assert client.get(f"/api/play/session/{opened}").status_code == 200
        assert client.get("/health").status_code == 200


def test_whatever_a_stream_of_frames_is_asked_for_it_comes_or_closes(server: LoopbackServer) -> None:
    run = "run-a"
    with httpx.Client(base_url=server.base_url, timeout=30) as client:
        replay = client.get(f"/api/runs/{run}/replays").json()["replays"][0]["replay_id"]

        @examples(5, share=0.1)
        @given(
            query=damaged_bytes(QUESTION),
            names=st.tuples(st.just(run) | st.text(max_size=5), st.just(replay) | st.text(max_size=5)),
        )
        def check(query: bytes, names: tuple[str, str]) -> None:
            run_id, replay_id = (quote(name.encode("utf-8", "replace"), safe="") or "-" for name in names)
            address = f"{server.ws_url}/ws/runs/{run_id}/replays/{replay_id}/frames?{quote(query, safe='=&')}"
            status = 101
            try:
                with connect(address, max_size=None) as connection:
                    assert _closing_code(connection) in KNOWN_CODES
            except InvalidStatus as refused:
                status = refused.response.status_code
            assert status < 500

        check()
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize("kind", ["telemetry", "operator"])
def test_whatever_a_spectator_or_operator_sends_the_world_answers_or_closes(stage: Stage, kind: str) -> None:
    @examples(5, share=0.1)
    @given(
        data=st.lists(st.sampled_from(MESSAGES).flatmap(damaged_json), min_size=1, max_size=2),
        is_text=st.integers(0, 4),
    )
    def check(data: list[bytes], is_text: int) -> None:
        with stage.socket(kind, ADMIN_TOKEN) as connection:
            code = _closing_code(connection, *(_text(message) if is_text else message for message in data))
            assert code in KNOWN_CODES

    check()
    assert stage.get("/status").status_code in {200, 404}
    assert stage.runtime.join(timeout=0) is None, "the town has ended"
    assert json.loads(stage.post({"name": "noop"}, ADMIN_TOKEN).text)["status"] == "ok"
