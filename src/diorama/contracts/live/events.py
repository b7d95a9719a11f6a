"""What happens in a live world, as it is told: events with a priority, and the sentences made of them."""

from dataclasses import dataclass, field
from enum import IntEnum

from diorama.contracts.values import JsonObject


class Priority(IntEnum):
    """What may be dropped when nobody keeps up: never, late, first."""

    P0 = 0
    P1 = 1
    P2 = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveEvent:
    """Something that happened in a tick, once.

    Attributes:
        name: As in the catalogue of its world, or of the services.
        fields: What the catalogue lists for it.
    """

    name: str
    tick: int
    priority: Priority
    fields: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class EventField:
    """A field of an event.

    Attributes:
        schema: The JSON Schema of its values.
        is_free_text: Whether it holds what an operator typed, which privacy mode leaves out.
    """

    name: str
    schema: JsonObject
    is_free_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """An entry of an event catalogue."""

    name: str
    priority: Priority
    fields: tuple[EventField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """A sentence about what happened; plain text.

    Attributes:
        is_priority: Whether cooldowns leave it alone.
        dedupe_key: Sentences of one key are told once in a while.
        people: Ids and shown names of whom the sentence speaks, for whoever must hide them.
    """

    tick: int
    category: str
    message: str
    is_priority: bool
    dedupe_key: str
    data: JsonObject = field(default_factory=dict)
    people: tuple[str, ...] = ()
