"""The town's events as they are told live: the catalogue with schemas, and events under it."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.live.events import EventField, EventKind, LiveEvent, Priority
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import (
    NEED_NAMES,
    ConflictReason,
    EvictionReason,
    ExitBlock,
    ExitPath,
    ExitReason,
    FailReason,
    GuardReason,
    PerturbationKind,
    QueueVariant,
    word,
)
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.events import EVENT_NAMES, SCHEMAS, Event, FieldType
from diorama.worlds.townlet.events import EventKind as TownEvent
from diorama.worlds.townlet.reference.names import payload
from diorama.worlds.townlet.reference.state.town import Town

_TEXT: Final[JsonObject] = {"type": "string"}
_TEXT_OR_NOTHING: Final[JsonObject] = {"type": ["string", "null"]}
_TEXTS: Final[JsonObject] = {"type": "array", "items": {"type": "string"}}
_NUMBERS: Final[JsonObject] = {"type": "object", "additionalProperties": {"type": "number"}}


def _one_of(*words: str) -> JsonObject:
    return {"enum": [*words, None]}


_FIELD_SCHEMAS: Final[Mapping[FieldType, JsonObject]] = {
    FieldType.AGENT: _TEXT_OR_NOTHING,
    FieldType.NAME: _TEXT_OR_NOTHING,
    FieldType.OBJECT: _TEXT_OR_NOTHING,
    FieldType.AFFORDANCE: _TEXT_OR_NOTHING,
    FieldType.CONDITION: _TEXT_OR_NOTHING,
    FieldType.JOB: _TEXT_OR_NOTHING,
    FieldType.ZONE: _TEXT_OR_NOTHING,
    FieldType.ITEM: _TEXT_OR_NOTHING,
    FieldType.PRICE: _one_of(*PRICE_KEYS),
    FieldType.NEED: _one_of(*NEED_NAMES),
    FieldType.PROFILE: _TEXT_OR_NOTHING,
    FieldType.TILE: {"type": ["array", "null"], "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    FieldType.WHOLE: {"type": "integer"},
    FieldType.REAL: {"type": "number"},
    FieldType.FLAG: {"type": "boolean"},
    FieldType.FAIL_REASON: _one_of(*map(word, FailReason)),
    FieldType.CONFLICT_REASON: _one_of(*map(word, ConflictReason)),
    FieldType.EXIT_REASON: _one_of(*map(word, ExitReason)),
    FieldType.EXIT_BLOCK: _one_of(*map(word, ExitBlock)),
    FieldType.EXIT_PATH: _one_of(*map(word, ExitPath)),
    FieldType.GUARD_REASON: _one_of(*map(word, GuardReason)),
    FieldType.EVICTION_REASON: _one_of(*map(word, EvictionReason)),
    FieldType.QUEUE_VARIANT: _one_of(*map(word, QueueVariant)),
    FieldType.KIND: _one_of(*map(word, PerturbationKind)),
    FieldType.SPEC: _TEXT_OR_NOTHING,
    FieldType.BUCKET: _TEXT_OR_NOTHING,
    FieldType.EVENT_ID: _TEXT,
    FieldType.EFFECTS: _NUMBERS,
    FieldType.AGENTS: _TEXTS,
    FieldType.VALUES: _NUMBERS,
    FieldType.TARGETS: _TEXTS,
}


def _entry(kind: TownEvent) -> EventKind:
    schema = SCHEMAS[kind]
    return EventKind(
        name=EVENT_NAMES[kind],
        priority=Priority(schema.priority),
        fields=tuple(EventField(name=name, schema=_FIELD_SCHEMAS[field_type]) for name, field_type in schema.fields),
    )


EVENTS: Final = tuple(_entry(kind) for kind in TownEvent)


def live_event(town: Town, event: Event) -> LiveEvent:
    """An event as it is told."""
    return LiveEvent(
        name=EVENT_NAMES[event.kind],
        tick=event.tick,
        priority=Priority(SCHEMAS[event.kind].priority),
        fields=payload(town, event),
    )
