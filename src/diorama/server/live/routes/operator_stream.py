"""`WS /ws/v1/worlds/{id}/operator`: commands one way, their results, the status and events the other."""

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket

from diorama.operate.console.answers import Response
from diorama.operate.console.callers import Caller
from diorama.server.errors import BadValue
from diorama.server.live.event_reader import EventReader
from diorama.server.live.host import LiveHost
from diorama.server.live.operator_outbox import OperatorOutbox
from diorama.server.live.services import LiveServicesDep
from diorama.server.live.sockets import Doorkeeper, Message, first_of, live_conversation, receive, send_unless_slow
from diorama.server.sockets import GOING_AWAY

router = APIRouter()

_PATIENCE_SECONDS: Final = 10.0
_STATUS_SECONDS: Final = 1.0


@router.websocket("/ws/v1/worlds/{live_id}/operator")
async def operator_stream(socket: WebSocket, services: LiveServicesDep, live_id: str) -> None:
    """Take commands of an operator and answer each, in the order of their turns."""
    async with live_conversation(socket, services):
        host = services.find(live_id)
        caller, first = await _meet(Doorkeeper(socket, services))
        with services.streams.one("operator"):
            outbox = OperatorOutbox()
            await first_of(
                _send(socket, outbox),
                _obey(socket, host, caller, outbox, first),
                _tell_status(host, caller, outbox),
                _tell_events(host, outbox),
                _until(services.streams.ending),
            )
        await socket.close(GOING_AWAY)


async def _meet(doorkeeper: Doorkeeper) -> tuple[Caller, Message | None]:
    known = doorkeeper.known()
    return (known, None) if known is not None else await doorkeeper.ask(_PATIENCE_SECONDS)


async def _send(socket: WebSocket, outbox: OperatorOutbox) -> None:
    while True:
        text = await outbox.next()
        await send_unless_slow(socket.send_text(text), lambda: outbox.has_overflowed)


async def _obey(
    socket: WebSocket, host: LiveHost, caller: Caller, outbox: OperatorOutbox, first: Message | None
) -> None:
    loop = asyncio.get_running_loop()

    def answer(done: Future[Response]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(outbox.put_result, done.result())

    message = first
    while True:
        if message is None:
            message = await receive(socket)
        if message["type"] != "command":
            raise BadValue(f"type: {message['type'][:64]!r} is wrong; use command, and auth only in the first message")
        answering = await asyncio.to_thread(host.desk.submit, message.get("payload"), caller)
        answering.add_done_callback(answer)
        message = None


async def _tell_status(host: LiveHost, caller: Caller, outbox: OperatorOutbox) -> None:
    known = {"issuer": caller.issuer, "role": caller.role}
    while True:
        outbox.put_status({**await asyncio.to_thread(host.status), **known})
        await asyncio.sleep(_STATUS_SECONDS)


async def _tell_events(host: LiveHost, outbox: OperatorOutbox) -> None:
    reader = EventReader(host, None)
    while (told := await reader.receive()) is not None:
        outbox.put_events(told)
        await outbox.has_room()


async def _until(ending: asyncio.Event) -> None:
    await ending.wait()
