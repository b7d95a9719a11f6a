"""Frames over a WebSocket."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import Message
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from diorama.server.app import create_app
from diorama.server.reading.frames import FrameShelf, Page
from diorama.server.settings import ServerSettings
from tests.runs.factories import empty_run, prospector, recorded
from tests.server.conftest import LONG
from tests.server.loopback import LoopbackServer, serving

Answer = tuple[list[dict[str, Any]], int | None]


@pytest.fixture(scope="module")
def replay_id(server: LoopbackServer) -> str:
    return read_index(open_run(server.run_root, LONG).layout).entries[0].replay_id


def stream(server: LoopbackServer, path: str, query: str = "", *, origin: str | None = None) -> Answer:
    """Return all messages of a stream and the code it closed with."""
    with connect(f"{server.ws_url}/ws/runs/{path}/frames{query}", max_size=None, origin=origin) as socket:  # type: ignore[arg-type]
        messages: list[dict[str, Any]] = []
        with suppress(ConnectionClosedError):
            messages.extend(json.loads(message) for message in socket)
        return messages, socket.close_code


def test_a_stream_has_a_prelude_chunks_and_an_end(server: LoopbackServer, replay_id: str) -> None:
    messages, code = stream(server, f"{LONG}/replays/{replay_id}", "?offset=10&limit=600&batch_size=256")
    prelude, *chunks, complete = messages

    assert prelude == {
        "type": "frames",
        "run_id": LONG,
        "replay_id": replay_id,
        "offset": 10,
        "next_offset": 10,
        "count": 0,
        "has_more": True,
        "chunk_index": -1,
        "chunk_bytes": 0,
        "max_chunk_bytes": 262144,
        "frames": [],
        "prelude": True,
    }
    assert all("prelude" not in chunk for chunk in chunks)
    assert [chunk["chunk_index"] for chunk in chunks] == list(range(len(chunks)))
    assert [chunk["offset"] for chunk in chunks] == [10, *(chunk["next_offset"] for chunk in chunks[:-1])]
    assert all(chunk["count"] == len(chunk["frames"]) for chunk in chunks)
    assert complete == {
        "type": "complete",
        "run_id": LONG,
        "replay_id": replay_id,
        "offset": 10,
        "next_offset": 610,
        "count": 600,
        "has_more": True,
        "replay_path": f"replays/{replay_id}.jsonl.gz",
        "chunks_sent": len(chunks),
        "batch_size": 256,
        "max_chunk_bytes": 262144,
        "yield_every_batches": 8,
    }
    assert code == 1000


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    offset=st.integers(0, 800),
    limit=st.integers(1, 800),
    batch_size=st.integers(1, 300),
    max_chunk_bytes=st.integers(1024, 1 << 20),
)
def test_paging_and_streaming_give_the_same_frames(
    offset: int, limit: int, batch_size: int, max_chunk_bytes: int, server: LoopbackServer, replay_id: str
) -> None:
    path = f"{LONG}/replays/{replay_id}"
    query = f"?offset={offset}&limit={limit}&batch_size={batch_size}&max_chunk_bytes={max_chunk_bytes}"

    page = httpx.get(f"{server.base_url}/api/runs/{path}/frames", params={"offset": offset, "limit": limit}).json()
    (_, *chunks, complete), code = stream(server, path, query)

    assert [frame for chunk in chunks for frame in chunk["frames"]] == page["frames"]
    assert (complete["next_offset"], complete["has_more"]) == (page["next_offset"], page["has_more"])
    assert all(chunk["count"] <= batch_size for chunk in chunks)
    assert code == 1000


@pytest.mark.parametrize(("most", "holds_several"), [(20000, True), (1024, False)])
def test_a_message_has_at_most_its_size_or_one_frame(
    most: int, holds_several: bool, server: LoopbackServer, replay_id: str
) -> None:
    query = f"?max_chunk_bytes={most}&batch_size=5000&limit=40"

    (_, *chunks, _), _ = stream(server, f"{LONG}/replays/{replay_id}", query)

    def about(frame: object) -> int:  # floats are written otherwise by others, by a few letters
        return len(json.dumps(frame, separators=(",", ":")))

    assert all(chunk["chunk_bytes"] <= most or chunk["count"] == 1 for chunk in chunks)
    assert all(chunk["chunk_bytes"] + about(after["frames"][0]) > most - 16 for chunk, after in pairwise(chunks))
    assert any(chunk["count"] > 1 for chunk in chunks) is holds_several


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param("offset=-1", "offset", id="offset-low"),
        pytest.param("offset=x", "offset", id="offset-text"),
        pytest.param("offset=1.5", "offset", id="offset-fraction"),
        pytest.param("limit=0", "limit", id="limit-low"),
        pytest.param("limit=50001", "limit", id="limit-high"),
        pytest.param("batch_size=0", "batch_size", id="batch-low"),
        pytest.param("batch_size=5001", "batch_size", id="batch-high"),
        pytest.param("max_chunk_bytes=1023", "max_chunk_bytes", id="bytes-low"),
        pytest.param("max_chunk_bytes=4194305", "max_chunk_bytes", id="bytes-high"),
        pytest.param("yield_every_batches=-1", "yield_every_batches", id="yield-low"),
        pytest.param("yield_every_batches=1001", "yield_every_batches", id="yield-high"),
        pytest.param("limit=", "limit", id="empty"),
    ],
)
def test_a_parameter_out_of_bounds_is_told_before_the_close(
    query: str, name: str, server: LoopbackServer, replay_id: str
) -> None:
    messages, code = stream(server, f"{LONG}/replays/{replay_id}", f"?{query}")

    assert [(message["type"], message["status_code"]) for message in messages] == [("error", 422)]
    assert name in messages[0]["detail"]
    assert code == 1008


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("limit=1", id="limit-lowest"),
        pytest.param("limit=50000", id="limit-highest"),
        pytest.param("batch_size=5000&max_chunk_bytes=4194304", id="largest-messages"),
        pytest.param("batch_size=1&max_chunk_bytes=1024&limit=5", id="smallest-messages"),
        pytest.param("yield_every_batches=0", id="never-yields"),
        pytest.param("yield_every_batches=1000&unknown=1", id="yields-seldom"),
    ],
)
def test_the_bounds_themselves_are_allowed(query: str, server: LoopbackServer, replay_id: str) -> None:
    messages, code = stream(server, f"{LONG}/replays/{replay_id}", f"?{query}")

    assert messages[-1]["type"] == "complete"
    assert code == 1000


def test_the_prelude_comes_before_any_file_is_touched(server: LoopbackServer) -> None:
    (prelude, error), code = stream(server, "ghost/replays/replay-1")

    assert prelude["prelude"] is True
    assert (error["type"], error["status_code"], code) == ("error", 404, 1008)


@pytest.mark.parametrize("path", [".hidden/replays/a", "run/replays/..", "a%20b/replays/a"])
def test_an_id_that_is_not_allowed_is_told_before_the_close(path: str, server: LoopbackServer) -> None:
    (error,), code = stream(server, path)

    assert (error["type"], error["status_code"], code) == ("error", 422, 1008)


def test_a_broken_replay_ends_the_stream_as_the_servers_error(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    entry = recorded(layout, bot="idle", venue=prospector(time_max=5000.0), max_steps=600)
    path = layout.resolve(entry.replay_path)
    path.write_bytes(path.read_bytes()[:-40])

    with serving(tmp_path) as server:
        messages, code = stream(server, f"a/replays/{entry.replay_id}", "?batch_size=128&max_chunk_bytes=4194304")

    assert sum(message.get("count", 0) for message in messages) == 512
    assert (messages[-1]["type"], messages[-1]["status_code"], code) == ("error", 500, 1011)
    assert "member 2" in messages[-1]["detail"]
    assert str(tmp_path) not in messages[-1]["detail"]


def test_pages_of_other_origins_are_refused_unless_they_are_let_in(
    server: LoopbackServer, replay_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = f"{LONG}/replays/{replay_id}"

    own, _ = stream(server, path, "?limit=1", origin=server.base_url)
    (foreign,), code = stream(server, path, "?limit=1", origin="http://evil.example")
    with serving(server.run_root, cors_origins="http://friend.example") as open_server:
        friend, _ = stream(open_server, path, "?limit=1", origin="http://friend.example")

    assert own[-1]["type"] == friend[-1]["type"] == "complete"
    assert (foreign["type"], foreign["status_code"], code) == ("error", 403, 1008)
    assert caplog.messages == []


def test_there_is_a_limit_to_open_streams(server: LoopbackServer, replay_id: str) -> None:
    with serving(server.run_root, max_frame_streams=1) as small, small.services.streams.one("frames"):
        (error,), code = stream(small, f"{LONG}/replays/{replay_id}")

    assert (error["type"], error["status_code"], code) == ("error", 429, 1008)


def test_a_client_may_talk_and_leave_in_the_middle(server: LoopbackServer, replay_id: str) -> None:
    url = f"{server.ws_url}/ws/runs/{LONG}/replays/{replay_id}/frames?batch_size=1"

    with connect(url) as socket:
        socket.send("hello")
        socket.send(b"bytes")
        for _ in range(20):
            socket.recv()
    again, code = stream(server, f"{LONG}/replays/{replay_id}", "?limit=3")

    assert again[-1]["count"] == 3
    assert code == 1000


class CountingShelf:
    """Counts the chunks that are read from a shelf."""

    def __init__(self, shelf: FrameShelf) -> None:
        self.chunks = 0
        self._chunk = shelf.chunk

    def chunk(self, *args: Any, **options: Any) -> Page:
        self.chunks += 1
        return self._chunk(*args, **options)


@pytest.fixture
def counted(run_root: Path) -> Iterator[tuple[Any, CountingShelf]]:
    app = create_app(ServerSettings(runs_root=run_root))
    counting = CountingShelf(app.services.frames)
    app.services.frames.chunk = counting.chunk  # type: ignore[method-assign]
    yield app, counting
    app.services.runs.close()


def test_nothing_is_read_ahead_of_a_client_that_does_not_take_it(
    counted: tuple[Any, CountingShelf], replay_id: str
) -> None:
    app, counting = counted

    async def scenario() -> None:
        sent: list[str] = []
        is_stuck, forever = asyncio.Event(), asyncio.Event()
        incoming: list[Message] = [{"type": "websocket.connect"}]

        async def receive() -> Message:
            if incoming:
                return incoming.pop()
            await forever.wait()
            return {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Message) -> None:
            sent.append(message["type"])
            if len(sent) == 5:  # accept, prelude, three chunks
                is_stuck.set()
                await forever.wait()

        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "path": f"/ws/runs/{LONG}/replays/{replay_id}/frames",
            "raw_path": b"",
            "query_string": b"batch_size=10",
            "headers": [(b"host", b"here")],
            "subprotocols": [],
        }
        talk = asyncio.create_task(app(scope, receive, send))
        await is_stuck.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        assert counting.chunks == 3
        talk.cancel()
        await asyncio.wait([talk])

    asyncio.run(scenario())
