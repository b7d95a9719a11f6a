"""Events of a run read back from the lines of a file, also of one that is still being written."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ContractError, DocumentError
from diorama.contracts.values import JsonObject
from diorama.storage.artifact_files import open_named
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import MAX_FILE_BYTES, MAX_LINE_BYTES
from diorama.worlds.morphogenesis.contracts.events import (
    ANALYTICS_PAYLOADS,
    EVENT_PAYLOADS,
    TelemetryEvent,
    TelemetryEventType,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload

PIECE_BYTES: Final = 1 << 20


def event_of(document: JsonObject) -> TelemetryEvent:
    """Return the event a line tells of.

    Raises:
        ContractError: The payload has keys it should not have, or lacks some.
        KeyError: The envelope lacks a key, or the kind is unknown; other errors of values likewise.
    """
    kind = TelemetryEventType[str(document["event_type"])]
    return TelemetryEvent(
        event_id=str(document["event_id"]),
        event_type=kind,
        timestamp=datetime.fromisoformat(str(document["timestamp"])),
        seed_id=_text(document["seed_id"]),
        slot_id=_text(document["slot_id"]),
        epoch=document["epoch"] if isinstance(document["epoch"], int) else None,
        group_id=str(document["group_id"]),
        message=str(document["message"]),
        data=_payload(kind, document["data"]),
        severity=document["severity"],  # type: ignore[arg-type]
    )


def is_of_the_world(document: JsonObject) -> bool:
    """Say whether a line is an event of this world; the platform's own stand in the same file."""
    return "group_id" in document


@dataclass(slots=True)
class EventFollower:
    """Reads a file of events as it grows, a piece of it at a time: a view must not stand still before a long file.

    `malformed` lines could not be read.
    """

    path: Path
    piece_bytes: int = PIECE_BYTES
    malformed: int = 0
    _offset: int = 0
    _rest: bytes = b""

    def take(self) -> list[TelemetryEvent]:
        """Return the next events, at most a piece of the file; a line still being written waits for its end."""
        if not self.path.exists():
            return []
        with open_named(self.path, most_bytes=MAX_FILE_BYTES) as file:
            if file.seek(0, 2) < self._offset:
                # The file was begun again: what was read of the old one says nothing about this one.
                self._offset, self._rest = 0, b""
            file.seek(self._offset)
            written = file.read(self.piece_bytes)
        self._offset += len(written)
        *lines, self._rest = (self._rest + written).split(b"\n")
        if len(self._rest) > MAX_LINE_BYTES:
            # No event is as long; what is left of it is as malformed as its beginning.
            self.malformed, self._rest = self.malformed + 1, b""
        found = (self._event(line) for line in lines if line.strip())
        return [event for event in found if event is not None]

    def _event(self, line: bytes) -> TelemetryEvent | None:
        try:
            document = decode_json(line, dict, where="an event")
            return event_of(document) if is_of_the_world(document) else None
        except (DocumentError, ValueError, KeyError, TypeError, AttributeError, ContractError):
            self.malformed += 1
            return None


def _payload(kind: TelemetryEventType, data: object) -> Payload | None:
    if not isinstance(data, dict):
        return None
    shape = ANALYTICS_PAYLOADS[str(data["kind"])] if kind is TelemetryEventType.ANALYTICS_SNAPSHOT else None
    return (shape or EVENT_PAYLOADS[kind]).from_dict(data)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
