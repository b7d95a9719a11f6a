"""`LimitBodies`: nobody makes the server hold more of a request than it may."""

from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES: Final = 1 << 20
_TOO_LARGE: Final = 413
_DETAIL: Final = f"the body has more than {MAX_BODY_BYTES} bytes, the most that is read"


class LimitBodies:
    """Middleware: refuses a body that says it is too large, and stops reading one that turns out to be."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, if the body is of a size."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "")
        if told.isdecimal() and int(told[:20]) > MAX_BODY_BYTES:
            await JSONResponse({"detail": _DETAIL}, _TOO_LARGE)(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MAX_BODY_BYTES:
                raise HTTPException(_TOO_LARGE, _DETAIL)
            return message

        await self._app(scope, counted, send)
