"""Asks the console of a live world over HTTP; every failure becomes words."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import (
    BaseHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

import msgspec

from diorama.cli.unreachable import why_unreachable
from diorama.contracts.errors import DioramaError, UnknownName

_MAX_BODY_BYTES: Final = 64 << 20
_REQUEST_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.25
_OK: Final = 200
_ACCEPTED: Final = 202
_UNAUTHORIZED: Final = 401
_NOT_FOUND: Final = 404

ReadT = TypeVar("ReadT")
JsonDict = dict[str, Any]  # what a server answers, before anybody has looked at it


class ConsoleFailure(DioramaError):
    """The console cannot be asked; the message says why."""


class TokenRefused(ConsoleFailure):
    """A token is needed, or is not the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedEvent:
    """An event of a server-sent stream."""

    name: str
    id: str
    data: JsonDict


class ConsoleClient:
    """The console of one server."""

    def __init__(self, base: str, token: str | None) -> None:
        """Speak to the server at an address, with a token if there is one."""
        self._base = base.rstrip("/")
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._opener = _opener(is_secure=urlsplit(base).scheme == "https")

    def world(self, wanted: str | None) -> str:
        """Return the name of the live world that is meant: the wanted one, or the only one.

        Raises:
            UnknownName: There is no such world.
            TokenRefused: It is not shown to whoever asks.
            ConsoleFailure: The server does not answer as it should.
        """
        status, answer = self._ask("GET", "/api/v1/worlds")
        if status == _UNAUTHORIZED:
            raise TokenRefused(f"{self._base}: {_words(status, answer)}")
        if status == _NOT_FOUND:
            raise ConsoleFailure(f"{self._base} {self._what_else_it_is()}")
        names = [str(row["id"]) for row in answer.get("worlds", []) if isinstance(row, dict) and "id" in row]
        if status != _OK or not names:
            raise ConsoleFailure(f"{self._base}: {_words(status, answer)}")
        if wanted is not None and wanted not in names:
            raise UnknownName.among("live world", wanted, names)
        return wanted or names[0]

    def give(self, world: str, envelope: JsonDict, *, timeout_seconds: float) -> JsonDict:
        """Give a command and wait for its answer.

        Raises:
            ConsoleFailure: There is none in time, or none at all.
        """
        place = f"/api/v1/worlds/{quote(world, safe='')}/console"
        deadline = time.monotonic() + timeout_seconds
        status, answer = self._ask("POST", place, msgspec.json.encode(envelope))
        while status == _ACCEPTED:
            if time.monotonic() > deadline:
                raise ConsoleFailure(f"{envelope['name']} still waits for its turn; its cmd_id is {answer['cmd_id']}")
            time.sleep(_POLL_SECONDS)
            status, answer = self._ask("GET", f"{place}/{quote(str(answer['cmd_id']), safe='')}")
        if "status" not in answer:
            raise ConsoleFailure(f"{self._base}: {_words(status, answer)}")
        return answer

    def events(self, world: str, *, since_seq: int | None, types: str | None) -> Iterator[StreamedEvent]:
        """Yield batches of events as they happen, until the server ends the stream.

        Raises:
            ConsoleFailure: It does not begin, or breaks off.
        """
        asked = {"since_seq": since_seq, "types": types}
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        place = f"/api/v1/worlds/{quote(world, safe='')}/events{'?' if query else ''}{query}"
        return self._lines(place, _parse_stream)

    def _lines(self, place: str, read: Callable[[HTTPResponse], Iterator[ReadT]]) -> Iterator[ReadT]:
        try:
            with self._opener.open(Request(self._base + place, headers=self._headers), timeout=60.0) as stream:
                yield from read(stream)
        except HTTPError as error:
            with error:
                raise ConsoleFailure(
                    f"{self._base}: {_words(error.code, _parse(error.read(_MAX_BODY_BYTES)))}"
                ) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None

    def audit(self, world: str) -> Iterator[bytes]:
        """Yield the audit of the console, line by line.

        Raises:
            ConsoleFailure: It is not for whoever asks, or breaks off.
        """
        return self._lines(f"/api/v1/worlds/{quote(world, safe='')}/audit", iter)

    def _ask(self, method: str, place: str, body: bytes | None = None) -> tuple[int, JsonDict]:
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        request = Request(self._base + place, data=body, method=method, headers=headers)
        try:
            with self._opener.open(request, timeout=_REQUEST_SECONDS) as answer:
                return answer.status, _parse(answer.read(_MAX_BODY_BYTES))
        except HTTPError as error:
            with error:
                return error.code, _parse(error.read(_MAX_BODY_BYTES))
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None

    def _what_else_it_is(self) -> str:
        """Say what answers where no live world does: a server of runs may know where one is."""
        status, answer = self._ask("GET", "/api/live")
        address = answer.get("address")
        if status == _OK and isinstance(address, str) and address:
            return f"shows runs; the live world answers at {address}"
        return "shows no live world; 'diorama live WORLD' starts one and prints its address"

    def _unreachable(self, error: Exception) -> ConsoleFailure:
        why = why_unreachable(error)
        return ConsoleFailure(f"{self._base} does not answer ({why}); 'diorama live WORLD' starts a live world")


def _opener(*, is_secure: bool) -> OpenerDirector:
    """Open addresses themselves: no proxies, and no redirects, because the token is for this address alone."""
    opener = OpenerDirector()
    kinds: list[type[BaseHandler]] = [HTTPHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor]
    for kind in [*kinds, HTTPSHandler] if is_secure else kinds:  # one that reads certificates takes its time
        opener.add_handler(kind())
    return opener


def _parse(body: bytes) -> JsonDict:
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _words(status: int, answer: JsonDict) -> str:
    detail = answer.get("detail")
    return detail if isinstance(detail, str) else f"answers {status}, which no live server does; is it one?"


def _parse_stream(stream: HTTPResponse) -> Iterator[StreamedEvent]:
    fields: dict[str, str] = {}
    for raw in stream:
        line = raw.decode(errors="replace").rstrip("\r\n")
        if line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif not line and "data" in fields:
            data = _parse(fields["data"].encode())
            yield StreamedEvent(name=fields.get("event", "message"), id=fields.get("id", ""), data=data)
            fields = {}
