"""`/api/v1/worlds/{id}/events`: what happens in a live world, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query

from diorama.contracts.values import JsonObject
from diorama.runs.documents import encode
from diorama.server.errors import NOT_FOUND, TOO_MANY, UNAUTHORIZED, UNPROCESSABLE, BadValue, stream_problems
from diorama.server.live.access import ViewerDep
from diorama.server.live.event_reader import EventReader
from diorama.server.live.services import LiveId, LiveServices, LiveServicesDep
from diorama.server.routes.follow import EventStream

router = APIRouter(prefix="/api/v1/worlds/{live_id}", tags=["live"])

_RETRY: Final = b"retry: 2000\n\n"  # milliseconds until a browser comes back
_HEARTBEAT: Final = b": still here\n\n"


@router.get(
    "/events",
    response_class=EventStream,
    responses={
        200: {"description": "`events` {seq, tick, events[]}, and `gap` {from_seq, to_seq} where some are lost"},
        **stream_problems(UNAUTHORIZED, NOT_FOUND, UNPROCESSABLE, TOO_MANY),
    },
)
async def live_events(
    services: LiveServicesDep,
    viewer: ViewerDep,
    live_id: LiveId,
    since_seq: Annotated[int | None, Query(ge=0, le=1 << 62, description="The last batch that was seen.")] = None,
    types: Annotated[str | None, Query(max_length=2048, description="Names of events with commas between.")] = None,
    last_event_id: Annotated[str | None, Header(max_length=32, description="The same as `since_seq`.")] = None,
) -> EventStream:
    """Follow the events of a live world: those of one tick together, from now on or after a batch that was seen."""
    services.find(live_id)
    reader = EventReader(services.host, _since(last_event_id, since_seq), _names(types))
    services.streams.check("events")
    return EventStream(_stream(services, reader), headers={"Cache-Control": "no-store"})


def _since(last_event_id: str | None, since_seq: int | None) -> int | None:
    if last_event_id is None:
        return since_seq
    if not last_event_id.isdecimal():
        raise BadValue(f"header.Last-Event-ID: {last_event_id!r} is wrong; send back an id of this stream")
    return int(last_event_id)


def _names(types: str | None) -> frozenset[str] | None:
    return None if types is None else frozenset(name.strip() for name in types.split(",") if name.strip())


async def _stream(services: LiveServices, reader: EventReader) -> AsyncIterator[bytes]:
    with services.streams.one("events"):
        yield _RETRY
        ending = asyncio.create_task(services.streams.ending.wait())
        reading = asyncio.create_task(reader.receive())
        try:
            while not ending.done():
                done, _ = await asyncio.wait(
                    {ending, reading},
                    timeout=services.settings.follow_heartbeat_seconds,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if not done:
                    yield _HEARTBEAT
                if reading.done():
                    told = reading.result()
                    if told is None:
                        return
                    yield _encode(told)
                    reading = asyncio.create_task(reader.receive())
        finally:
            ending.cancel()
            reading.cancel()


def _encode(told: JsonObject) -> bytes:
    body = {key: value for key, value in told.items() if key != "type"}
    last = told["seq"] if told["type"] == "events" else told["to_seq"]
    return f"id: {last}\nevent: {told['type']}\ndata: ".encode() + encode(body) + b"\n\n"
