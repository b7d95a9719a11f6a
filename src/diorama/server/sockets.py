"""What all WebSockets have in common: they end with words, never with a bare disconnect."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import msgspec
from fastapi import WebSocket, WebSocketDisconnect, WebSocketException
from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import DioramaError
from diorama.server.errors import BROKEN, FORBIDDEN, BadValue, OriginRefused, detail_of, status_of, validation_words
from diorama.server.origins import check_visitor
from diorama.server.services import Services

DONE: Final = 1000
CLIENT_ERROR: Final = 1008
SERVER_ERROR: Final = 1011
GOING_AWAY: Final = 1001
_LONGEST_COMMAND: Final = 4096  # characters
_UNEXPECTED: Final = "the server made a mistake; its log says which"

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


@asynccontextmanager
async def conversation(socket: WebSocket, services: Services) -> AsyncIterator[None]:
    """Accept a WebSocket and turn whatever ends the block into an `error` message and a closing code.

    A client that leaves ends the block quietly.

    Raises:
        WebSocketException: It is a page of an origin that is not allowed; there is no block for it. It was told why.
    """
    await socket.accept()
    try:
        check_visitor(socket, services.settings)
    except OriginRefused as error:
        await tell_error(socket, FORBIDDEN, str(error))
        raise WebSocketException(CLIENT_ERROR) from None
    try:
        yield
    except WebSocketDisconnect:
        return
    except DioramaError as error:
        status = status_of(error)
        await _end(socket, status, detail_of(error, services.settings.runs_root))
    except Exception:
        await _end(socket, BROKEN, _UNEXPECTED)
        raise


async def tell_error(socket: WebSocket, status: int, detail: str) -> None:
    """Say what is wrong to whoever is still there."""
    text = msgspec.json.encode({"type": "error", "status_code": status, "detail": detail}).decode()
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(text)


async def _end(socket: WebSocket, status: int, detail: str) -> None:
    await tell_error(socket, status, detail)
    with suppress(WebSocketDisconnect, RuntimeError):  # the client may be gone already
        await socket.close(SERVER_ERROR if status >= BROKEN else CLIENT_ERROR)


@asynccontextmanager
async def listening(socket: WebSocket) -> AsyncIterator[None]:
    """Take in whatever a client that has nothing to say sends, so that its pings and its goodbye are heard.

    A client that leaves cancels the block, which then ends quietly.
    """
    block = asyncio.current_task()
    has_left = False

    async def hear() -> None:
        nonlocal has_left
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
        has_left = True
        if block is not None:
            block.cancel()

    ear = asyncio.create_task(hear())
    try:
        yield
    except asyncio.CancelledError:
        if not has_left or block is None:
            raise
        block.uncancel()
        raise WebSocketDisconnect from None
    finally:
        ear.cancel()


async def talk(socket: WebSocket, talking: Coroutine[Any, Any, T], obey: Callable[[str], None]) -> T:
    """Talk while the client is listened to; whatever goes wrong on either side ends both.

    Args:
        socket: An accepted WebSocket.
        talking: Everything that is told.
        obey: Takes what the client sends, command by command.

    Returns:
        What `talking` does.

    Raises:
        BadValue: The client sent something that is no text.
        WebSocketDisconnect: It left.
    """

    async def hear() -> None:
        while True:
            obey(await _text(socket))

    speaking, hearing = asyncio.create_task(talking), asyncio.create_task(hear())
    try:
        await asyncio.wait({speaking, hearing}, return_when=asyncio.FIRST_COMPLETED)
        if hearing.done() and not speaking.done():
            await hearing
        return await speaking
    finally:
        for task in (speaking, hearing):
            task.cancel()
        await asyncio.gather(speaking, hearing, return_exceptions=True)


def parse_question(query: Mapping[str, str], model: type[ModelT]) -> ModelT:
    """Read the query of a socket.

    Raises:
        BadValue: With every parameter that is wrong and what would be right.
    """
    try:
        return model.model_validate(dict(query))
    except ValidationError as error:
        raise BadValue(validation_words(error.errors(include_url=False))) from None


def parse_command(text: str, model: type[ModelT]) -> ModelT:
    """Read what a client sends.

    Raises:
        BadValue: It is no command.
    """
    if len(text) > _LONGEST_COMMAND:
        raise BadValue(f"a command has at most {_LONGEST_COMMAND} characters; this one has {len(text)}")
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise BadValue(validation_words(error.errors(include_url=False))) from None


async def _text(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text = message.get("text")
    if not isinstance(text, str):
        raise BadValue('commands are sent as text, such as {"paused": true}')
    return text
