"""`WS …/frames`: frames of a replay as a stream."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject
from diorama.runs.champions import champion_world
from diorama.runs.documents import encode
from diorama.runs.layout import check_id
from diorama.server.errors import BadValue, validation_words
from diorama.server.json_answers import with_list
from diorama.server.reading.frames import Page
from diorama.server.reading.shelf import OpenedReplay
from diorama.server.services import Services, ServicesDep
from diorama.server.sockets import DONE, conversation, listening

router = APIRouter()

_FAREWELL_SECONDS: Final = 0.05  # some intermediaries drop what comes right before a close
_QUEUE_BYTES: Final = 4 << 20
_SOCKET_BUFFER_BYTES: Final = 1 << 16  # what may wait in front of a message
_HEAD_BYTES: Final = 1 << 12
_MESSAGE_BYTES: Final = _QUEUE_BYTES - _SOCKET_BUFFER_BYTES - _HEAD_BYTES


class StreamQuestion(BaseModel):
    """The query of a stream."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    offset: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=50_000)] = 5000
    batch_size: Annotated[int, Field(ge=1, le=5000)] = 256
    max_chunk_bytes: Annotated[int, Field(ge=1024, le=4_194_304)] = 262_144
    yield_every_batches: Annotated[int, Field(ge=0, le=1000)] = 8


@router.websocket("/ws/runs/{run_id}/replays/{replay_id}/frames")
async def frame_stream(socket: WebSocket, services: ServicesDep, run_id: str, replay_id: str) -> None:
    """Send the frames of a replay as fast as the client takes them."""
    async with conversation(socket, services):
        with services.streams.one("frames"):
            question = parse_question(run_id, replay_id, socket.query_params)
            stream = _Stream(socket, services, question, run_id, replay_id)
            async with listening(socket):
                await stream.run()
            await socket.close(DONE)


def parse_question(run_id: str, replay_id: str, query: Mapping[str, str]) -> StreamQuestion:
    """Read what a client asks for.

    Raises:
        BadValue: With every parameter that is wrong and what would be right.
    """
    try:
        if champion_world(run_id) is None:
            check_id("run", run_id)
        check_id("replay", replay_id)
        return StreamQuestion.model_validate(dict(query))
    except ConfigError as error:
        raise BadValue(str(error)) from None
    except ValidationError as error:
        raise BadValue(validation_words(error.errors(include_url=False))) from None


class _Stream:
    """One replay on its way to one client."""

    def __init__(
        self, socket: WebSocket, services: Services, question: StreamQuestion, run_id: str, replay_id: str
    ) -> None:
        self._socket = socket
        self._services = services
        self._question = question
        self._run_id = run_id
        self._replay_id = replay_id
        self._chunks = 0
        self._frames = 0

    async def run(self) -> None:
        question = self._question
        await self._send_frames(Page(offset=question.offset, lines=[], has_more=True), is_prelude=True)
        opened = await asyncio.to_thread(self._services.frames.open, self._run_id, self._replay_id)
        page = await self._next(opened, question.offset)
        while page.lines:
            await self._send_frames(page)
            self._chunks += 1
            self._frames += len(page.lines)
            if question.yield_every_batches and self._chunks % question.yield_every_batches == 0:
                await asyncio.sleep(0)
            if self._services.streams.ending.is_set():
                return
            page = await self._next(opened, page.next_offset)
        await self._send_complete(opened, page)
        await asyncio.sleep(_FAREWELL_SECONDS)

    async def _next(self, opened: OpenedReplay, offset: int) -> Page:
        left = self._question.limit - self._frames
        return await asyncio.to_thread(
            self._services.frames.chunk,
            opened.reader,
            offset,
            min(left, self._question.batch_size),
            at_most=min(self._question.max_chunk_bytes, _MESSAGE_BYTES),
        )

    async def _send_frames(self, page: Page, *, is_prelude: bool = False) -> None:
        head: JsonObject = {
            "type": "frames",
            "run_id": self._run_id,
            "replay_id": self._replay_id,
            "offset": page.offset,
            "next_offset": page.next_offset,
            "count": len(page.lines),
            "has_more": page.has_more,
            "chunk_index": -1 if is_prelude else self._chunks,
            "chunk_bytes": sum(map(len, page.lines)),
            "max_chunk_bytes": self._question.max_chunk_bytes,
            **({"prelude": True} if is_prelude else {}),
        }
        await self._socket.send_text(with_list(head, "frames", page.lines).decode())

    async def _send_complete(self, opened: OpenedReplay, last: Page) -> None:
        question = self._question
        message: JsonObject = {
            "type": "complete",
            "run_id": self._run_id,
            "replay_id": self._replay_id,
            "offset": question.offset,
            "next_offset": last.offset,
            "count": self._frames,
            "has_more": last.offset < opened.reader.frame_count,
            "replay_path": opened.entry.replay_path,
            "chunks_sent": self._chunks,
            "batch_size": question.batch_size,
            "max_chunk_bytes": question.max_chunk_bytes,
            "yield_every_batches": question.yield_every_batches,
        }
        await self._socket.send_text(encode(message).decode())
