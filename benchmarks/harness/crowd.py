"""A crowd of viewers: some stream a replay over a WebSocket, some page through it over HTTP, some follow a run."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import httpx
import msgspec
from websockets.asyncio.client import connect

from diorama.contracts.values import JsonObject
from harness.servers import RunningServer
from harness.subject import Subject

_CHUNK_FRAMES: Final = 64
_TIMEOUT_SECONDS: Final = 60.0


class _Message(msgspec.Struct):
    type: str
    count: int = 0


@dataclass(slots=True)
class Seen:
    """What the crowd got."""

    streamed_frames: int = 0
    paged_frames: int = 0
    events: int = 0
    failures: list[str] = field(default_factory=list)

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return {
            "streamed_frames": self.streamed_frames,
            "paged_frames": self.paged_frames,
            "events": self.events,
            "failures": list(self.failures),
        }


class Crowd:
    """Viewers in equal parts of the three kinds, each at the pace of somebody who watches.

    Attributes:
        seen: What they got so far.
    """

    def __init__(self, server: RunningServer, subject: Subject, followed_run: str, frames_per_second: float) -> None:
        """Prepare; nobody watches yet.

        Args:
            server: Whom they ask.
            subject: The replay they watch.
            followed_run: The run that those who follow look at.
            frames_per_second: Pace of each viewer; 0 for as fast as frames come.
        """
        self.seen = Seen()
        self._server = server
        self._subject = subject
        self._run_id = followed_run
        self._pause = _CHUNK_FRAMES / frames_per_second if frames_per_second else 0.0

    async def watch(self, viewers: int, seconds: float) -> None:
        """Let so many viewers watch for so long."""
        kinds: tuple[Callable[[httpx.AsyncClient, int], Awaitable[None]], ...] = (
            self._stream,
            self._follow,
            self._page,
        )
        limits = httpx.Limits(max_connections=viewers)
        async with httpx.AsyncClient(
            base_url=self._server.base_url, timeout=httpx.Timeout(_TIMEOUT_SECONDS, read=None), limits=limits
        ) as client:
            tasks = [
                asyncio.ensure_future(self._one(kinds[place % len(kinds)], client, place)) for place in range(viewers)
            ]
            await asyncio.wait(tasks, timeout=seconds)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(
        self, kind: Callable[[httpx.AsyncClient, int], Awaitable[None]], client: httpx.AsyncClient, place: int
    ) -> None:
        try:
            await kind(client, place)
        except Exception as error:
            self.seen.failures.append(f"{kind.__name__.strip('_')}: {type(error).__name__}: {error}")

    async def _stream(self, client: httpx.AsyncClient, place: int) -> None:
        # A queue of one message holds the server back, as a browser that shows frames at a pace does.
        address = (
            f"{self._server.ws_url}{self._subject.stream_path}"
            f"?limit=50000&batch_size={_CHUNK_FRAMES}&offset={self._start(place)}"
        )
        while True:
            async with connect(address, compression=None, max_size=None, max_queue=1) as socket:
                async for text in socket:
                    message = msgspec.json.decode(text, type=_Message)
                    if message.type == "complete":
                        break
                    self.seen.streamed_frames += message.count
                    await asyncio.sleep(self._pause if message.count else 0.0)

    async def _page(self, client: httpx.AsyncClient, place: int) -> None:
        offset = self._start(place)
        while True:
            answer = await client.get(self._subject.frames_path, params={"offset": offset, "limit": _CHUNK_FRAMES})
            answer.raise_for_status()
            self.seen.paged_frames += _CHUNK_FRAMES
            offset = (offset + _CHUNK_FRAMES) % max(1, self._subject.frames - _CHUNK_FRAMES)
            await asyncio.sleep(self._pause)

    async def _follow(self, client: httpx.AsyncClient, place: int) -> None:
        async with client.stream("GET", f"/api/runs/{self._run_id}/follow") as answer:
            answer.raise_for_status()
            async for line in answer.aiter_lines():
                self.seen.events += line.startswith("event:")

    def _start(self, place: int) -> int:
        return place * self._subject.frames // 64 % max(1, self._subject.frames - _CHUNK_FRAMES)
