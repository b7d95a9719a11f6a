"""What the sockets of a live world have in common: how they begin, and the codes they end with."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import msgspec
from fastapi import WebSocket, WebSocketDisconnect, WebSocketException

from diorama.contracts.errors import DioramaError
from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.answers import HTTP_STATUS
from diorama.operate.console.callers import Caller
from diorama.server.errors import (
    BROKEN,
    FORBIDDEN,
    TOO_MANY,
    UNPROCESSABLE,
    BadValue,
    LimitReached,
    OriginRefused,
    detail_of,
    status_of,
)
from diorama.server.live.access import address_of, bearer_token
from diorama.server.live.services import UNINTRODUCED, LiveServices
from diorama.server.origins import check_visitor
from diorama.server.sockets import CLIENT_ERROR, SERVER_ERROR, tell_error

UNAUTHORIZED: Final = 4401
REFUSED: Final = 4403
SLOW: Final = 4408
FULL: Final = 1013
WRONG_VERSION: Final = 4409
_CLOSING: Final = {"unauthorized": UNAUTHORIZED, "rate_limited": FULL}
_AUTH: Final = "auth"
_LONGEST_MESSAGE: Final = 65536  # characters
_LOOK_SECONDS: Final = 0.5
_UNEXPECTED: Final = "the server made a mistake; its log says which"


class SlowConsumer(Exception):
    """Somebody does not read what was sent to them."""


class WrongVersion(Exception):
    """Somebody speaks another version; the message says which would be right."""


Message = dict[str, Any]  # what a client sends, before anybody has looked at it


@asynccontextmanager
async def live_conversation(
    socket: WebSocket, services: LiveServices, *, subprotocol: str | None = None
) -> AsyncIterator[None]:
    """Accept a socket and turn whatever ends the block into an `error` message and a closing code.

    Raises:
        WebSocketException: It is a page of an origin that is not allowed; there is no block for it. It was told why.
    """
    await socket.accept(subprotocol)
    try:
        check_visitor(socket, services.settings)
    except OriginRefused as error:
        await tell_error(socket, FORBIDDEN, str(error))
        raise WebSocketException(REFUSED) from None
    try:
        yield
    except WebSocketDisconnect:
        return
    except SlowConsumer:
        # No message: it would wait behind all those that are not read.
        await _close(socket, SLOW)
    except WrongVersion as error:
        await _end(socket, UNPROCESSABLE, str(error), WRONG_VERSION)
    except CommandError as error:
        status = HTTP_STATUS[error.code]
        await _end(socket, status, error.message, _CLOSING.get(error.code, CLIENT_ERROR))
    except LimitReached as error:
        await _end(socket, TOO_MANY, str(error), FULL)
    except DioramaError as error:
        status = status_of(error)
        code = SERVER_ERROR if status >= BROKEN else CLIENT_ERROR
        await _end(socket, status, detail_of(error, services.settings.runs_root), code)
    except Exception:
        await _end(socket, BROKEN, _UNEXPECTED, SERVER_ERROR)
        raise


async def _end(socket: WebSocket, status: int, detail: str, code: int) -> None:
    await tell_error(socket, status, detail)
    await _close(socket, code)


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)


async def receive(socket: WebSocket) -> Message:
    """Wait for what a client sends.

    Raises:
        BadValue: It is no message.
        WebSocketDisconnect: It left.
    """
    packet = await socket.receive()
    if packet["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(packet["code"])
    text = packet.get("text")
    if not isinstance(text, str) or len(text) > _LONGEST_MESSAGE:
        raise BadValue(f'messages are texts of at most {_LONGEST_MESSAGE} characters, such as {{"type": "resync"}}')
    try:
        message = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise BadValue("the message is no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadValue('a message is an object with a type, such as {"type": "resync"}')
    return message


async def first_of(*activities: Coroutine[Any, Any, None]) -> None:
    """Run until one of several ends, however it ends; the others are cancelled."""
    tasks = [asyncio.create_task(activity) for activity in activities]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def send_unless_slow(sending: Coroutine[Any, Any, None], is_slow: Callable[[], bool]) -> None:
    """Send a message; whoever does not take it is let go once too much waits for them.

    Raises:
        SlowConsumer: It is no longer worth waiting.
    """
    task = asyncio.create_task(sending)
    try:
        while not (await asyncio.wait({task}, timeout=_LOOK_SECONDS))[0]:
            if is_slow():
                raise SlowConsumer
        task.result()
    finally:
        task.cancel()


class Doorkeeper:
    """Finds out who is at the other end of a socket."""

    def __init__(self, socket: WebSocket, services: LiveServices) -> None:
        """Look at nothing yet."""
        self._socket = socket
        self._desk = services.host.desk
        self._streams = services.streams
        self._address = address_of(socket)

    @property
    def needs_token(self) -> bool:
        """Whether nobody is let in without a token."""
        return self._desk.needs_token

    def known(self) -> Caller | None:
        """Return whoever brought a token in the header; None if nobody did.

        Raises:
            CommandError: `unauthorized`.
        """
        token = bearer_token(self._socket)
        return None if token is None else self._desk.authenticate(token, self._address)

    def anonymous(self) -> Caller:
        """Let somebody in without a token.

        Raises:
            CommandError: `unauthorized`: a token is needed.
        """
        return self._desk.authenticate(None, self._address)

    def introduced(self, message: Message) -> Caller | None:
        """Return whoever says who they are; None if the message is about something else.

        Raises:
            CommandError: `unauthorized`.
        """
        if message["type"] != _AUTH:
            return None
        token = message.get("token")
        return self._desk.authenticate(token if isinstance(token, str) else "", self._address)

    async def ask(self, patience_seconds: float) -> tuple[Caller, Message | None]:
        """Wait for a first message; returns who it is, and the message where it was about something else.

        Raises:
            CommandError: `unauthorized`.
            LimitReached: Too many others are being waited for.
        """
        try:
            with self._streams.one(UNINTRODUCED):
                message = await asyncio.wait_for(receive(self._socket), patience_seconds)
        except TimeoutError:
            return self.anonymous(), None
        caller = self.introduced(message)
        return (self.anonymous(), message) if caller is None else (caller, None)
