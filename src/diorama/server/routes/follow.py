"""`/api/runs/{run_id}/follow`: what a running run does, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from diorama.runs.layout import RunLayout
from diorama.server.errors import BROKEN, NOT_FOUND, TOO_MANY, UNPROCESSABLE, stream_problems
from diorama.server.following.cursor import Cursor
from diorama.server.following.hub import Watcher
from diorama.server.following.picture import RunPicture, is_final, status_mark
from diorama.server.models.follow import FollowEvent
from diorama.server.parameters import RunId
from diorama.server.services import Services, ServicesDep

router = APIRouter(prefix="/api/runs", tags=["runs"])

_RETRY: Final = b"retry: 2000\n\n"  # milliseconds until a browser comes back
_HEARTBEAT: Final = b": still here\n\n"
_NO_CONTENT: Final = 204


class EventStream(StreamingResponse):
    """A stream of events; nothing on the way may hold it back."""

    media_type = "text/event-stream"


@router.get(
    "/{run_id}/follow",
    response_class=EventStream,
    responses={
        200: {"model": FollowEvent, "description": "Events as they happen; ends after the final status"},
        _NO_CONTENT: {"description": "The run has ended and everything was told: do not come back"},
        **stream_problems(NOT_FOUND, UNPROCESSABLE, TOO_MANY, BROKEN),
    },
)
async def follow(
    services: ServicesDep,
    run_id: RunId,
    last_event_id: Annotated[str | None, Header(description="Id of the last event that was seen.")] = None,
    since: Annotated[str | None, Query(max_length=256, description="The same, for a first connection.")] = None,
) -> Response:
    """Follow a run: `window`, `checkpoint`, `replay` and `status` events.

    Without an id the stream begins with the present `status`; with one it goes on after that event, also after a
    restart of the server. It ends after the final status of the run.
    """
    given = last_event_id or since
    cursor = Cursor.parse(given) if given else None
    layout = await asyncio.to_thread(services.runs.find, run_id)
    metadata = await asyncio.to_thread(services.runs.metadata, layout)
    if cursor is not None and is_final(metadata) and cursor.status == status_mark(metadata):
        return Response(status_code=_NO_CONTENT)
    services.streams.check("follow")
    return EventStream(_events(services, layout, cursor), headers={"Cache-Control": "no-store"})


async def _events(services: Services, layout: RunLayout, cursor: Cursor | None) -> AsyncIterator[bytes]:
    with services.streams.one("follow"):
        async with services.follow.watch(layout) as watcher:
            yield _RETRY
            picture: RunPicture | None = watcher.picture
            told = watcher.picture.end() if cursor is None else cursor
            while picture is not None:
                while (news := await watcher.news(picture, told)).text:
                    told = news.cursor
                    yield news.text
                if picture.is_final:
                    return
                known, picture = picture, None
                async for beat in _until(services, watcher, known):
                    yield beat
                if watcher.picture is not known and not services.streams.ending.is_set():
                    picture = watcher.picture


async def _until(services: Services, watcher: Watcher, known: RunPicture) -> AsyncIterator[bytes]:
    """Wait until there is news or the server stops, with a sign of life now and then."""
    waits: set[asyncio.Task[object]] = {
        asyncio.create_task(watcher.newer(known)),
        asyncio.create_task(services.streams.ending.wait()),
    }
    try:
        done: set[asyncio.Task[object]] = set()
        while not done:
            done, _ = await asyncio.wait(
                waits, timeout=services.settings.follow_heartbeat_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                yield _HEARTBEAT
    finally:
        for wait in waits:
            wait.cancel()
