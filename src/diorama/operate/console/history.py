"""`History`: the last commands with a `cmd_id` and their answers, so that none happens twice."""

from collections import OrderedDict
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonValue, canonical_json, sha256_hex
from diorama.operate.console.answers import Response

_MOST_BYTES: Final = 2 << 20


class _Entry(NamedTuple):
    fingerprint: str
    answer: Response
    size: int


class _Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry as a snapshot holds it."""

    issuer: str
    cmd_id: str
    fingerprint: str
    response: dict[str, Any]


def fingerprint(name: str, args: JsonValue, kwargs: JsonValue) -> str:
    """Return what tells two commands apart."""
    return sha256_hex(canonical_json([name, args, kwargs]))


class History:
    """Answers by issuer and `cmd_id`; the oldest go when there are too many, or too many bytes of them.

    Ids of different issuers have nothing to do with each other: nobody can use up or read another's. Written by the
    thread that runs the world, read from any.
    """

    def __init__(self, limit: int) -> None:
        """Remember so many commands."""
        self._limit = limit
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def find(self, issuer: str, cmd_id: str, fingerprint: str) -> Response | None:
        """Return the answer of the same command; None if it was not given yet.

        Raises:
            CommandError: `conflict`: the id was used for another command.
        """
        entry = self._entries.get((issuer, cmd_id))
        if entry is None:
            return None
        if entry.fingerprint != fingerprint:
            raise CommandError(
                "conflict", "cmd_id_reuse", f"cmd_id {cmd_id!r} was used for another command; choose a new one"
            )
        return {**entry.answer, "replayed": True}

    def keep(self, issuer: str, cmd_id: str, fingerprint: str, answer: Response) -> None:
        """Remember an answer."""
        size = len(msgspec.json.encode(answer))
        if size > _MOST_BYTES:
            return
        with self._lock:
            self._put((issuer, cmd_id), _Entry(fingerprint, answer, size))

    def _put(self, key: tuple[str, str], entry: _Entry) -> None:
        if (old := self._entries.pop(key, None)) is not None:
            self._bytes -= old.size
        self._entries[key] = entry
        self._bytes += entry.size
        while len(self._entries) > self._limit or self._bytes > _MOST_BYTES:
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= oldest.size

    def lookup(self, issuer: str, cmd_id: str) -> Response | None:
        """Return the answer to an id, whatever the command was."""
        with self._lock:
            entry = self._entries.get((issuer, cmd_id))
        return None if entry is None else entry.answer

    def export(self) -> JsonValue:
        """Return everything, oldest first."""
        with self._lock:
            return [
                {"issuer": issuer, "cmd_id": cmd_id, "fingerprint": entry.fingerprint, "response": entry.answer}
                for (issuer, cmd_id), entry in self._entries.items()
            ]

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned; on an error nothing changes.

        Raises:
            SnapshotError: It is no such state.
        """
        try:
            stored = msgspec.convert(state, list[_Stored])
        except msgspec.ValidationError as error:
            raise SnapshotError(f"the console's history is broken: {error}") from None
        with self._lock:
            self._entries.clear()
            self._bytes = 0
            for item in stored:
                size = len(msgspec.json.encode(item.response))
                self._put((item.issuer, item.cmd_id), _Entry(item.fingerprint, item.response, size))
