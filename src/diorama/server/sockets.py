"""What all WebSockets have in common: they end with words, never with a bare disconnect."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from diorama.contracts.errors import DioramaError
from diorama.server.errors import BROKEN, detail_of, status_of
from diorama.server.origins import check_origin
from diorama.server.services import Services

DONE: Final = 1000
CLIENT_ERROR: Final = 1008
SERVER_ERROR: Final = 1011
_UNEXPECTED: Final = "the server made a mistake; its log says which"


@asynccontextmanager
async def conversation(socket: WebSocket, services: Services) -> AsyncIterator[None]:
    """Accept a WebSocket and turn whatever ends the block into an `error` message and a closing code.

    A client that leaves ends the block quietly.
    """
    await socket.accept()
    try:
        check_origin(socket, services.settings)
        yield
    except WebSocketDisconnect:
        return
    except DioramaError as error:
        status = status_of(error)
        await _end(socket, status, detail_of(error, services.settings.runs_root))
    except Exception:
        await _end(socket, BROKEN, _UNEXPECTED)
        raise


async def _end(socket: WebSocket, status: int, detail: str) -> None:
    text = msgspec.json.encode({"type": "error", "status_code": status, "detail": detail}).decode()
    with suppress(WebSocketDisconnect, RuntimeError):  # the client may be gone already
        await socket.send_text(text)
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
