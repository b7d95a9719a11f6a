"""`Compress`: packs answers where that pays."""

import asyncio
from typing import Final

from isal import isal_zlib
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SMALLEST: Final = 1024  # bytes; below, a packet is a packet
_LARGE: Final = 1 << 17  # bytes; above, the event loop has better things to do
_LEVEL: Final = 1
_GZIP_WINDOW: Final = 31  # 16 asks zlib for a gzip frame, 15 for the largest window
_WORTHWHILE: Final = ("application/json", "text/", "application/javascript", "application/wasm", "image/svg+xml")
_NEVER: Final = "text/event-stream"  # an event must leave at once


class Compress:
    """Middleware: gzip for clients that take it, for answers that are text and not small."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, packed if it pays."""
        if scope["type"] == "http" and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            await self._app(scope, receive, _Packer(send))
        else:
            await self._app(scope, receive, send)


class _Packer:
    """Takes the messages of one answer and passes them on."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._packer: isal_zlib.Compress | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_worthwhile(message):
            self._packer = isal_zlib.compressobj(_LEVEL, isal_zlib.DEFLATED, _GZIP_WINDOW)
            headers = MutableHeaders(raw=message["headers"])
            headers["Content-Encoding"] = "gzip"
            headers.add_vary_header("Accept-Encoding")
            del headers["Content-Length"]
            self._start = message
        elif message["type"] == "http.response.body" and self._packer is not None:
            await self._pack(message, self._packer)
        else:
            await self._send(message)

    async def _pack(self, message: Message, packer: isal_zlib.Compress) -> None:
        body: bytes = message.get("body", b"")
        is_last = not message.get("more_body", False)
        if len(body) > _LARGE:
            packed = await asyncio.to_thread(_packed, packer, body, is_last)
        else:
            packed = _packed(packer, body, is_last)
        if self._start is not None:
            if is_last:
                MutableHeaders(raw=self._start["headers"])["Content-Length"] = str(len(packed))
            await self._send(self._start)
            self._start = None
        await self._send({"type": "http.response.body", "body": packed, "more_body": not is_last})


def _packed(packer: isal_zlib.Compress, body: bytes, is_last: bool) -> bytes:
    packed: bytes = packer.compress(body)
    return packed + packer.flush() if is_last else packed


def _is_worthwhile(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "")
    length = headers.get("content-length")
    return (
        kind.startswith(_WORTHWHILE)
        and not kind.startswith(_NEVER)
        and "content-encoding" not in headers
        and (length is None or int(length) >= _SMALLEST)
    )
