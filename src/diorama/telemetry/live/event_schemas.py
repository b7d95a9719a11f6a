"""JSON Schemas of events, made from their catalogue."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from diorama.contracts.live.events import EventField, EventKind
from diorama.contracts.values import JsonObject

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_NULL: Final[JsonObject] = {"type": "null"}


def event_schema(kind: EventKind) -> JsonObject:
    """The schema of one event as messages tell it; a field that may be null may be absent."""
    heading: JsonObject = {
        "event": {"const": kind.name},
        "tick": {"type": "integer", "minimum": 0},
        "seq_in_tick": {"type": "integer", "minimum": 0},
        "priority": {"const": kind.priority.name},
    }
    needed = [field.name for field in kind.fields if not may_be_null(_told(field))]
    return {
        "title": kind.name,
        "type": "object",
        "properties": {**heading, **{field.name: _told(field) for field in kind.fields}},
        "required": list(dict.fromkeys([*heading, *needed])),
        "additionalProperties": False,
    }


def catalogue_schema(title: str, catalogue: Iterable[EventKind]) -> JsonObject:
    """One schema that fits every event of a catalogue, with a definition for each."""
    definitions = {kind.name: event_schema(kind) for kind in catalogue}
    return {
        "$schema": DIALECT,
        "title": title,
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
        "$defs": definitions,
    }


def may_be_null(schema: JsonObject) -> bool:
    """Whether a schema lets null pass, as far as its type and its alternatives say."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind == "null"
    if isinstance(kind, Sequence):
        return "null" in kind
    alternatives = schema.get("anyOf")
    if isinstance(alternatives, Sequence) and not isinstance(alternatives, str):
        return any(may_be_null(item) for item in alternatives if isinstance(item, Mapping))
    return False


def _told(field: EventField) -> JsonObject:
    if field.is_free_text and not may_be_null(field.schema):
        return {"anyOf": [field.schema, _NULL]}
    return field.schema
