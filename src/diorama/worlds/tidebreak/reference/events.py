"""What happened, as records that name their source, their cause and the root of their chain."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

NO_EVENT: Final = 0


class EventKind(IntEnum):
    """Kinds of events; the order is part of the contract."""

    BATTLE_START = 0
    BATTLE_END = 1
    WEAPON_FIRED = 2
    MUNITION_SPENT = 3
    HIT = 4
    DAMAGE = 5
    CRITICAL = 6
    DESTROYED = 7
    DISABLED = 8
    SURRENDERED = 9
    CAPTURED = 10
    SCUTTLED = 11
    EXITED = 12
    COLLISION = 13
    GROUNDING = 14
    TRANSITION_START = 15
    TRANSITION_COMPLETE = 16
    TRANSITION_BOTCHED = 17
    PING = 18
    CONTACT_NEW = 19
    CONTACT_UPGRADED = 20
    CONTACT_LOST = 21
    DECOY = 22
    PD_KILL = 23
    FIRE_STARTED = 24
    FLOODING_STARTED = 25
    BOARDING_STATE = 26
    BEACHHEAD = 27
    REPULSED = 28
    SQUADRON_LAUNCHED = 29
    SQUADRON_LOST = 30
    OBJECTIVE_COMPLETED = 31
    OBJECTIVE_FAILED = 32
    LIGHTNING = 33
    HAZARD = 34
    FIELD_SATURATED = 35
    MUNITION_CAP = 36
    CONFLICT = 37
    OPERATOR = 38


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Attributes:
        id: From 1, ascending in a battle.
        tick: When.
        kind: What.
        source: Id of the entity that did it, 0 for nobody.
        target: Id of the entity it was done to, 0 for nobody.
        cause: Id of the event that led to it, 0 for none.
        trace: Id of the first event of the chain of causes; its own without a cause.
        f0: First number of the kind.
        f1: Second number of the kind.
        i0: Integer of the kind.
    """

    id: int
    tick: int
    kind: EventKind
    source: int
    target: int
    cause: int
    trace: int
    f0: float
    f1: float
    i0: int


class EventLog:
    """Numbers events, and keeps them if it is told to; the numbers are the same either way.

    Attributes:
        next_event_id: Part of the state, so that causes stay true after a restore.
        is_collecting: Whether records are kept; training only counts.
    """

    __slots__ = ("_events", "_first_kept", "_traces", "is_collecting", "next_event_id")

    def __init__(self, *, is_collecting: bool = False) -> None:
        """Begin without events."""
        self.is_collecting = is_collecting
        self.next_event_id = 1
        self._events: list[Event] = []
        self._traces: dict[int, int] = {}
        self._first_kept = 0

    def record(
        self,
        tick: int,
        kind: EventKind,
        source: int = 0,
        target: int = 0,
        *,
        cause: int = NO_EVENT,
        f0: float = 0.0,
        f1: float = 0.0,
        i0: int = 0,
    ) -> int:
        """Note an event and return its id, which later events may name as their cause."""
        event_id = self.next_event_id
        self.next_event_id += 1
        if self.is_collecting:
            trace = self._traces.get(cause, cause) if cause else event_id
            self._traces[event_id] = trace
            self._events.append(Event(event_id, tick, kind, source, target, cause, trace, f0, f1, i0))
        return event_id

    def __iter__(self) -> Iterator[Event]:
        """All events kept, by id."""
        return iter(self._events)

    def __len__(self) -> int:
        """How many events are kept."""
        return len(self._events)

    def since_last_look(self) -> list[Event]:
        """Events kept since the last call."""
        news = self._events[self._first_kept :]
        self._first_kept = len(self._events)
        return news

    def take(self) -> list[Event]:
        """Hand over all events kept and forget them, so that a log that nobody explains stays short."""
        taken = self._events
        self._events, self._traces, self._first_kept = [], {}, 0
        return taken

    def chain(self, event_id: int) -> list[Event]:
        """An event, its cause, the cause of that and so on, back to the root; empty if the event is not kept."""
        by_id = {event.id: event for event in self._events}
        links: list[Event] = []
        while event_id in by_id:
            links.append(by_id[event_id])
            event_id = links[-1].cause
        return links
