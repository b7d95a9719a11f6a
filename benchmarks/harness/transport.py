"""Reads frames the two ways a client can: pages over HTTP and a stream over a WebSocket."""

import re
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlencode

import msgspec
from websockets.sync.client import connect

from diorama.contracts.errors import DioramaError
from harness.servers import RunningServer
from harness.subject import Subject

_NEXT_OFFSET: Final = re.compile(rb'"next_offset": ?(\d+)')
_HEAD_BYTES: Final = 1024


class BadAnswer(DioramaError):
    """A server answered something else than it should."""


class _Page(msgspec.Struct):
    count: int


class _Message(msgspec.Struct):
    type: str
    count: int = 0
    chunk_bytes: int = 0
    prelude: bool = False
    detail: str = ""


class PageReader:
    """Asks for pages over one connection that stays open."""

    def __init__(self, server: RunningServer, path: str, *, packed: bool = False) -> None:
        """Read one replay; `packed` asks for gzip, as a browser does."""
        self._connection: HTTPConnection = server.connect()
        self._path = path
        self._headers = {"Accept-Encoding": "gzip" if packed else "identity"}

    def read(self, offset: int, limit: int) -> tuple[float, bytes]:
        """Return how many seconds a page took, to its last byte, and its body as it came.

        Raises:
            BadAnswer: It is no page.
        """
        address = f"{self._path}?offset={offset}&limit={limit}"
        began = time.perf_counter()
        self._connection.request("GET", address, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - began
        if answer.status != 200:
            raise BadAnswer(f"GET {address} answers {answer.status}: {body[:200]!r}")
        return seconds, body

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def frames_in(body: bytes) -> int:
    """Return the number of frames a page says it holds."""
    return msgspec.json.decode(body, type=_Page).count


def next_offset(body: bytes) -> int:
    """Return where the page after this one begins, without reading its frames."""
    found = _NEXT_OFFSET.search(body, 0, _HEAD_BYTES)
    if found is None:
        raise BadAnswer(f"a page says nothing about the next: {body[:_HEAD_BYTES]!r}")
    return int(found[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """One stream from its request to `complete`.

    Attributes:
        frames: That came.
        messages: That held them; the prelude is none of them.
        frame_bytes: Serialized size of the frames.
        seconds: From the request until `complete`; the farewell pause of the server is not part of it.
        prelude_seconds: From the request until the prelude.
        first_chunk_seconds: From the request until the first frames.
        chunk_seconds: Waits for each message with frames, each since the message before.
    """

    frames: int
    messages: int
    frame_bytes: int
    seconds: float
    prelude_seconds: float
    first_chunk_seconds: float
    chunk_seconds: tuple[float, ...]


def stream(server: RunningServer, subject: Subject, **query: int) -> Streamed:
    """Stream a replay as fast as it comes.

    Raises:
        BadAnswer: The stream ends with an error.
    """
    address = f"{server.ws_url}{subject.stream_path}?{urlencode(query)}"
    began = time.perf_counter()
    frames = frame_bytes = 0
    prelude = 0.0
    arrivals = []
    with connect(address, compression=None, max_size=None) as socket:
        while True:
            text = socket.recv()
            now = time.perf_counter()
            message = msgspec.json.decode(text, type=_Message)
            if message.type == "complete":
                break
            if message.type != "frames":
                raise BadAnswer(f"{address} answers {message.type!r}: {message.detail}")
            if message.prelude:
                prelude = now - began
                continue
            arrivals.append(now)
            frames += message.count
            frame_bytes += message.chunk_bytes
    waits = [later - earlier for earlier, later in zip([began + prelude, *arrivals], arrivals, strict=False)]
    return Streamed(
        frames=frames,
        messages=len(arrivals),
        frame_bytes=frame_bytes,
        seconds=now - began,
        prelude_seconds=prelude,
        first_chunk_seconds=arrivals[0] - began if arrivals else now - began,
        chunk_seconds=tuple(waits),
    )
