"""Events of a step, each with a sentence."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.contract import Event
from diorama.worlds.tidebreak.render.constants import EVENTS_MAX
from diorama.worlds.tidebreak.sentences import EventRow, Names, sentence

# Dropped first where a tick has more events than a frame holds.
_MINOR: Final = frozenset(
    {Event.CONTACT_NEW, Event.CONTACT_UPGRADED, Event.CONTACT_LOST, Event.PING, Event.MUNITION_SPENT, Event.HAZARD}
)


def event_pictures(tick: int, names: Names, event_data: Mapping[str, JsonObject]) -> list[JsonValue]:
    """Return what happened in the step that led to this tick, by id."""
    rows = sorted(event_rows(event_data, tick=max(tick - 1, 0)), key=lambda row: row.id)
    known = {row.id: row for row in rows}
    if len(rows) > EVENTS_MAX:
        kept = sorted(rows, key=lambda row: (row.kind in _MINOR, row.id))[:EVENTS_MAX]
        rows = sorted(kept, key=lambda row: row.id)
    return [_picture(row, names, known) for row in rows]


def event_rows(event_data: Mapping[str, JsonObject], *, tick: int) -> list[EventRow]:
    """Read the payloads of a step record; `tick` is that of events that do not tell theirs."""
    return [
        EventRow.read(Event(name), tick, record) for name, payload in event_data.items() for record in _records(payload)
    ]


def _records(payload: JsonObject) -> list[list[float]]:
    records = payload["records"]
    assert isinstance(records, list), "a payload is a list of records"
    return records


def _picture(row: EventRow, names: Names, known: Mapping[int, EventRow]) -> JsonObject:
    return {
        "id": row.id,
        "tick": row.tick,
        "kind": row.kind.name,
        "source": row.source,
        "target": row.target,
        "cause": row.cause,
        "f0": row.f0,
        "f1": row.f1,
        "i0": row.i0,
        "text": sentence(row, names, known),
    }
