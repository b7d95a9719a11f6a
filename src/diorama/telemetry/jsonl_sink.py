"""Every event as one line of `telemetry/events.jsonl`."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final

import msgspec

from diorama.contracts.errors import ContractError, DocumentError
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import LineFile
from diorama.telemetry.events import Event, RunStarted, WorldTold

EVENTS_FILE: Final = "events.jsonl"
SCHEMA_VERSION: Final = 1


class JsonlSink:
    """Writes all events; a resumed run appends to the same file and counts on."""

    name: Final = "jsonl"

    def __init__(self, path: Path) -> None:
        """Choose the file; it is opened when the run starts."""
        self._path = path
        self._file: LineFile | None = None
        self._run_id = ""
        self._sequence = 0

    def receive(self, event: Event) -> None:
        """Append the event.

        Raises:
            StorageError: The disk refuses.
            DocumentError: The file is there and holds something else.
        """
        if isinstance(event, RunStarted):
            self._open(event.run_id)
        if self._file is None:
            raise ContractError(f"{event.event_type} came before RUN_STARTED")
        self._file.append(encode_event(event, run_id=self._run_id, sequence=self._sequence))
        self._sequence += 1

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _open(self, run_id: str) -> None:
        self._run_id = run_id
        self._file = LineFile(self._path)
        last = self._file.last_line()
        self._sequence = 0 if last is None else _sequence_of(last, run_id, self._path) + 1


def encode_event(event: Event, *, run_id: str, sequence: int) -> bytes:
    """Return the event as one JSON object in its envelope; numbers that are not finite become null.

    What a world told stands there under its own type, and the envelope has the fields that the world adds.
    """
    if isinstance(event, WorldTold):
        return _encoder.encode(
            {
                **event.body,
                "schema_version": SCHEMA_VERSION,
                "event_id": f"{run_id}-{sequence:012d}",
                "timestamp": event.at,
            }
        )
    return _encoder.encode(
        {
            "schema_version": SCHEMA_VERSION,
            "event_id": f"{run_id}-{sequence:012d}",
            "event_type": event.event_type,
            "timestamp": event.at,
            "data": {item.name: getattr(event, item.name) for item in fields(event) if item.name != "at"},
        }
    )


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_encoder: Final = msgspec.json.Encoder(enc_hook=_plain)


class _EventId(msgspec.Struct):
    event_id: str


def _sequence_of(line: bytes, run_id: str, path: Path) -> int:
    try:
        event_id = decode_json(line, _EventId, where="it").event_id
    except DocumentError as error:
        raise DocumentError(f"{path}: its last line is no telemetry event ({error}); move the file away") from None
    owner, _, number = event_id.rpartition("-")
    if owner != run_id or not number.isdecimal():
        raise DocumentError(f"{path}: its last event is {event_id!r}, which is none of run {run_id!r}")
    return int(number)
