"""Plain requests and streams as the smoke checks make them; every failure becomes words."""

import json
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from diorama.cli.unreachable import why_unreachable
from diorama.contracts.errors import MissingExtra

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_MAX_BODY_BYTES: Final = 64 << 20
_ATTEMPTS: Final = 3
_WORDS: Final = 200  # of an answer that is told


class SmokeFailure(Exception):
    """A check does not hold; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    status: int
    headers: dict[str, str]
    body: bytes

    def document(self) -> dict[str, Any]:
        """Return the JSON object of an answer that went well.

        Raises:
            SmokeFailure: It did not, or is none.
        """
        words = self.body[:_WORDS].decode(errors="replace")
        if self.status != 200:
            raise SmokeFailure(f"answers {self.status}: {words}")
        try:
            document = json.loads(self.body)
        except ValueError:
            raise SmokeFailure(f"answers no JSON: {words}") from None
        if not isinstance(document, dict):
            raise SmokeFailure(f"answers no JSON object: {words}")
        return document


def origin_of(base: str) -> str:
    """Return the origin a browser would name for a page of this address."""
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}"


def ask(address: str, *, timeout_seconds: float, method: str = "GET", headers: dict[str, str] | None = None) -> Answer:
    """Make one request; redirects are followed, proxies are not used.

    Raises:
        SmokeFailure: Nobody answers.
    """
    request = Request(address, method=method, headers=headers or {})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=timeout_seconds) as answer:
            return Answer(answer.status, _lower(answer.headers.items()), answer.read(_MAX_BODY_BYTES))
    except HTTPError as error:
        with error:
            return Answer(error.code, _lower(error.headers.items()), error.read(_MAX_BODY_BYTES))
    except (OSError, HTTPException) as error:
        raise SmokeFailure(f"{address} does not answer: {why_unreachable(error)}") from None


def stream_frames(address: str, *, origin: str, timeout_seconds: float) -> tuple[int, int]:
    """Read a frame stream to its end and return the number of frames and of attempts it took.

    Raises:
        SmokeFailure: The transport fails three times, or the server says that something is wrong.
        MissingExtra: There is no WebSocket client here.
    """
    try:
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
        from websockets.typing import Origin
    except ModuleNotFoundError:
        raise MissingExtra.of("serve", needed_for="checking frame streams") from None

    trouble: Exception | None = None
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with connect(
                address, origin=Origin(origin), open_timeout=timeout_seconds, max_size=_MAX_BODY_BYTES, proxy=None
            ) as socket:
                return _count_frames(socket, timeout_seconds), attempt
        except (OSError, WebSocketException) as error:  # of the transport; what the server says is final
            trouble = error
        except (ValueError, KeyError, TypeError) as error:
            raise SmokeFailure(f"sends something else than frames: {error!r}") from None
    raise SmokeFailure(f"fails {_ATTEMPTS} times, at last with {type(trouble).__name__}: {trouble}")


def _count_frames(socket: "ClientConnection", timeout_seconds: float) -> int:
    frames = 0
    while (message := json.loads(socket.recv(timeout=timeout_seconds)))["type"] != "complete":
        if message["type"] == "error":
            raise SmokeFailure(f"answers {message['status_code']}: {message['detail']}")
        frames += len(message["frames"])
    return frames


def _lower(items: list[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in items}
