"""`Connection`: waits for nobody forever, and holds no more of what somebody asks, or is told, than it must."""

import asyncio
import json
import logging
from http import HTTPStatus
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from diorama.server.cautious_headers import HEADERS

MAX_HEAD_BYTES: Final = 1 << 16
REQUEST_SECONDS: Final = 30.0  # until a request has arrived, its body included
TAKING_SECONDS: Final = 30.0  # in which somebody must take `TAKEN_BYTES` of what waits for them, or all of it
TAKEN_BYTES: Final = 1 << 16
MAX_WAITING_BYTES: Final = 512 << 20  # of answers that nobody has taken yet, in all

_AROUND_A_HEADER: Final = 4  # a colon, a space and the end of the line

LOG: Final = logging.getLogger("uvicorn.error.connections")


class _HeadTooLong(Exception):
    """Ends the parser."""


class Connection(HttpToolsProtocol):
    """One connection; the framework reads requests and writes answers, and knows no bounds of its own."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Begin with nothing asked."""
        super().__init__(config, server_state, app_state, _loop)
        self.logger = LOG
        self._asking: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        self._is_head_open = True
        self._head_bytes = 0
        self._told_bytes = 0
        self._asked = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request from now on."""
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._stop_awaiting_request()
        self._stop_watching()

    def data_received(self, data: bytes) -> None:
        """Read on, unless what comes before a body becomes too long."""
        asked = self._asked
        super().data_received(data)
        if not self._is_head_open or self._asked != asked or self.transport.is_closing():
            return
        self._await_request()
        # What is not complete yet, the parser has told nobody of.
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES:
            self._refuse_head()

    def on_message_begin(self) -> None:
        """Wait for the rest of a request."""
        super().on_message_begin()
        self._told_bytes = 0
        self._stop_watching()
        self._await_request()

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address."""
        self._take_in(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or one that comes after a body."""
        self._take_in(len(name) + len(value) + _AROUND_A_HEADER)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        self._is_head_open = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Let the answer take its time."""
        self._stop_awaiting_request()
        self._is_head_open = True
        self._head_bytes = 0
        self._asked += 1
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Look after what waits to be taken; somebody who comes when too much waits already gets nothing."""
        super().pause_writing()
        self._watch()
        waiting = (other.waiting_bytes for other in self.connections if isinstance(other, Connection))
        if sum(waiting) > MAX_WAITING_BYTES:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Note that enough was taken."""
        super().resume_writing()
        self._stop_watching()

    def on_response_complete(self) -> None:
        """Look after what still waits of an answer."""
        super().on_response_complete()
        self._watch()

    @property
    def waiting_bytes(self) -> int:
        """What was told and is not taken yet."""
        return self.transport.get_write_buffer_size()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, in the form of every error."""
        if self._told_bytes > MAX_HEAD_BYTES:
            self._refuse_head()
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is no HTTP")

    def _take_in(self, size_bytes: int) -> None:
        self._told_bytes += size_bytes
        if self._told_bytes > MAX_HEAD_BYTES:
            # The parser ends here, before the request is given to the app, and reports it as no HTTP.
            raise _HeadTooLong

    def _refuse_head(self) -> None:
        self._refuse(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            f"address and headers have more than {MAX_HEAD_BYTES} bytes, the most that is read",
        )

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        body = json.dumps({"detail": detail}).encode()
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()

    def _await_request(self) -> None:
        if self._asking is None:
            self._asking = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _stop_awaiting_request(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _watch(self) -> None:
        waiting = self.waiting_bytes
        if self._taking is None and waiting:
            self._taking = self.loop.call_later(TAKING_SECONDS, self._look, waiting)

    def _stop_watching(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _look(self, waiting_before: int) -> None:
        self._taking = None
        if self.waiting_bytes > max(0, waiting_before - TAKEN_BYTES):
            self.transport.abort()
        else:
            self._watch()
