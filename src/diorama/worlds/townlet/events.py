"""What happens in a town: the kinds of events in bit order, their fields, and their priority."""

from collections.abc import Mapping
from enum import IntEnum, auto
from typing import Final, NamedTuple


class EventKind(IntEnum):
    """Events by bit; the names in lower case are those of messages and files."""

    AGENT_SPAWN = 0
    AGENT_EXIT = auto()
    EXIT_DEFERRED = auto()
    AGENT_NEAR_DEATH = auto()
    AGENT_FAINTED = auto()
    NEED_CRITICAL = auto()
    AFFORDANCE_START = auto()
    AFFORDANCE_FINISH = auto()
    AFFORDANCE_FAIL = auto()
    AFFORDANCE_PRECONDITION_FAIL = auto()
    RESERVATION_GRANTED = auto()
    RESERVATION_TIMEOUT = auto()
    QUEUE_TIMEOUT = auto()
    QUEUE_CONFLICT = auto()
    QUEUE_INTERACTION = auto()
    GHOST_STEP = auto()
    CHAT_SUCCESS = auto()
    CHAT_FAILURE = auto()
    SHARED_MEAL = auto()
    POLICY_GUARDRAIL_BLOCK = auto()
    RELATIONSHIP_TIE_EVICTED = auto()
    JOB_LATE = auto()
    SHIFT_ABSENT = auto()
    SHIFT_DEPARTED_EARLY = auto()
    SHIFT_COMPLETED = auto()
    JOB_ASSIGNED = auto()
    EMPLOYMENT_WARNING = auto()
    EMPLOYMENT_HELPED_WHEN_LATE = auto()
    EMPLOYMENT_TOOK_MY_SHIFT = auto()
    EMPLOYMENT_EXIT_PENDING = auto()
    EMPLOYMENT_EXIT_PROCESSED = auto()
    EMPLOYMENT_EXIT_MANUAL_REQUEST = auto()
    EMPLOYMENT_EXIT_DEFERRED = auto()
    EMPLOYMENT_EXIT_QUEUE_OVERFLOW = auto()
    RENT_PAID = auto()
    RENT_MISSED = auto()
    STOCK_REPLENISH = auto()
    ECONOMY_PRICE_UPDATE = auto()
    ECONOMY_WARNING = auto()
    PERTURBATION_STARTED = auto()
    PERTURBATION_ENDED = auto()
    PERTURBATION_CANCELLED = auto()
    ARRANGED_MEET_KEPT = auto()
    ARRANGED_MEET_MISSED = auto()
    SHOWER_COMPLETE = auto()
    SLEEP_COMPLETE = auto()
    SHOWER_POWER_OUTAGE = auto()
    EMBEDDING_FORCED_REUSE = auto()
    EMBEDDING_POOL_EXHAUSTED = auto()
    AGENT_TELEPORTED = auto()
    AGENT_POSSESSED = auto()
    AGENT_RELEASED = auto()


class FieldType(IntEnum):
    """How the number or numbers of a field are told; -1 is told as nothing wherever an index is expected."""

    AGENT = 0  # citizen number; told as its id
    NAME = auto()  # citizen number; told as its display name
    OBJECT = auto()
    AFFORDANCE = auto()
    CONDITION = auto()  # affordance * 64 + place of the condition; told as its text
    JOB = auto()
    ZONE = auto()
    ITEM = auto()
    PRICE = auto()
    NEED = auto()
    PROFILE = auto()
    TILE = auto()  # told as [x, y]
    WHOLE = auto()
    REAL = auto()
    FLAG = auto()
    FAIL_REASON = auto()
    CONFLICT_REASON = auto()
    EXIT_REASON = auto()
    EXIT_BLOCK = auto()
    EXIT_PATH = auto()
    GUARD_REASON = auto()
    EVICTION_REASON = auto()
    QUEUE_VARIANT = auto()
    KIND = auto()  # of a perturbation
    SPEC = auto()  # row of a perturbation; told as its name
    BUCKET = auto()
    EVENT_ID = auto()  # told as evt_<n>
    EFFECTS = auto()  # three numbers, one per need; told as a mapping of those that are not 0
    AGENTS = auto()  # all numbers that are left, as citizen numbers
    VALUES = auto()  # all numbers that are left, as the operands of the condition before
    TARGETS = auto()  # all numbers that are left: citizens of a meeting, or prices of a spike


class EventField(NamedTuple):
    """One field of an event."""

    name: str
    type: FieldType


class EventSchema(NamedTuple):
    """Fields of a kind in the order of an event's values, and its priority: 0 is never dropped."""

    fields: tuple[EventField, ...]
    priority: int


class Event(NamedTuple):
    """Something that happened: its values are the fields of its kind, as numbers, in order."""

    kind: EventKind
    tick: int
    values: tuple[float, ...]


def _schema(priority: int, **fields: FieldType) -> EventSchema:
    return EventSchema(tuple(EventField(name, kind) for name, kind in fields.items()), priority)


_T: Final = FieldType
_WAITING: Final = _schema(2, agent_id=_T.AGENT, object_id=_T.OBJECT, waited=_T.WHOLE)
_NEED: Final = {"agent_id": _T.AGENT, "need": _T.NEED, "value": _T.REAL}
_USE: Final = {"agent_id": _T.AGENT, "object_id": _T.OBJECT}
_DOING: Final = {**_USE, "affordance_id": _T.AFFORDANCE}
_WORK: Final = {"agent_id": _T.AGENT, "job_id": _T.JOB}
_CHAT: Final = {"speaker": _T.AGENT, "listener": _T.AGENT, "quality": _T.REAL}
_EVENT: Final = {"event_id": _T.EVENT_ID, "spec": _T.SPEC, "kind": _T.KIND}

SCHEMAS: Final[Mapping[EventKind, EventSchema]] = {
    EventKind.AGENT_SPAWN: _schema(
        0,
        agent_id=_T.AGENT,
        display_name=_T.NAME,
        position=_T.TILE,
        profile=_T.PROFILE,
        job_id=_T.JOB,
        slot=_T.WHOLE,
        replaces=_T.AGENT,
    ),
    EventKind.AGENT_EXIT: _schema(0, agent_id=_T.AGENT, reason=_T.EXIT_REASON, lived_days=_T.REAL, afi=_T.REAL),
    EventKind.EXIT_DEFERRED: _schema(1, agent_id=_T.AGENT, reason=_T.EXIT_REASON, blocked_by=_T.EXIT_BLOCK),
    EventKind.AGENT_NEAR_DEATH: _schema(0, **_NEED),
    EventKind.AGENT_FAINTED: _schema(0, **_NEED),
    EventKind.NEED_CRITICAL: _schema(1, **_NEED),
    EventKind.AFFORDANCE_START: _schema(2, **_DOING, duration=_T.WHOLE),
    EventKind.AFFORDANCE_FINISH: _schema(2, **_DOING, effects=_T.EFFECTS),
    EventKind.AFFORDANCE_FAIL: _schema(1, **_DOING, reason=_T.FAIL_REASON),
    EventKind.AFFORDANCE_PRECONDITION_FAIL: _schema(2, **_DOING, condition=_T.CONDITION, values=_T.VALUES),
    EventKind.RESERVATION_GRANTED: _WAITING,
    EventKind.RESERVATION_TIMEOUT: _WAITING,
    EventKind.QUEUE_TIMEOUT: _WAITING,
    EventKind.QUEUE_CONFLICT: _schema(
        1,
        object_id=_T.OBJECT,
        actor=_T.AGENT,
        rival=_T.AGENT,
        reason=_T.CONFLICT_REASON,
        queue_length=_T.WHOLE,
        intensity=_T.REAL,
    ),
    EventKind.QUEUE_INTERACTION: _schema(
        2, object_id=_T.OBJECT, actor=_T.AGENT, other=_T.AGENT, variant=_T.QUEUE_VARIANT
    ),
    EventKind.GHOST_STEP: _schema(2, **{"agent_id": _T.AGENT, "other_id": _T.AGENT, "from": _T.TILE, "to": _T.TILE}),
    EventKind.CHAT_SUCCESS: _schema(1, **_CHAT),
    EventKind.CHAT_FAILURE: _schema(1, **_CHAT),
    EventKind.SHARED_MEAL: _schema(1, object_id=_T.OBJECT, agents=_T.AGENTS),
    EventKind.POLICY_GUARDRAIL_BLOCK: _schema(
        2, agent_id=_T.AGENT, reason=_T.GUARD_REASON, target_agent=_T.AGENT, object_id=_T.OBJECT
    ),
    EventKind.RELATIONSHIP_TIE_EVICTED: _schema(2, owner=_T.AGENT, other=_T.AGENT, reason=_T.EVICTION_REASON),
    EventKind.JOB_LATE: _schema(1, **_WORK, ticks_late=_T.WHOLE, shift_start=_T.WHOLE),
    EventKind.SHIFT_ABSENT: _schema(1, **_WORK, absences=_T.WHOLE),
    EventKind.SHIFT_DEPARTED_EARLY: _schema(1, **_WORK),
    EventKind.SHIFT_COMPLETED: _schema(1, **_WORK, attendance=_T.REAL, earned=_T.REAL),
    EventKind.JOB_ASSIGNED: _schema(1, **_WORK),
    EventKind.EMPLOYMENT_WARNING: _schema(1, **_WORK, absences=_T.WHOLE),
    EventKind.EMPLOYMENT_HELPED_WHEN_LATE: _schema(1, agent_id=_T.AGENT, coworkers=_T.AGENTS),
    EventKind.EMPLOYMENT_TOOK_MY_SHIFT: _schema(1, agent_id=_T.AGENT, coworkers=_T.AGENTS),
    EventKind.EMPLOYMENT_EXIT_PENDING: _schema(0, agent_id=_T.AGENT, pending_count=_T.WHOLE),
    EventKind.EMPLOYMENT_EXIT_PROCESSED: _schema(0, **_WORK, reason=_T.EXIT_PATH),
    EventKind.EMPLOYMENT_EXIT_MANUAL_REQUEST: _schema(0, agent_id=_T.AGENT),
    EventKind.EMPLOYMENT_EXIT_DEFERRED: _schema(0, agent_id=_T.AGENT),
    EventKind.EMPLOYMENT_EXIT_QUEUE_OVERFLOW: _schema(0, pending_count=_T.WHOLE, limit=_T.WHOLE),
    EventKind.RENT_PAID: _schema(2, agent_id=_T.AGENT, amount=_T.REAL),
    EventKind.RENT_MISSED: _schema(1, agent_id=_T.AGENT, arrears_days=_T.WHOLE),
    EventKind.STOCK_REPLENISH: _schema(2, object_id=_T.OBJECT, item=_T.ITEM, amount=_T.WHOLE),
    EventKind.ECONOMY_PRICE_UPDATE: _schema(0, key=_T.PRICE, baseline=_T.REAL, value=_T.REAL),
    EventKind.ECONOMY_WARNING: _schema(0, job_id=_T.JOB, ratio=_T.REAL),
    EventKind.PERTURBATION_STARTED: _schema(
        0,
        **_EVENT,
        bucket=_T.BUCKET,
        magnitude=_T.REAL,
        started_at=_T.WHOLE,
        ends_at=_T.WHOLE,
        manual=_T.FLAG,
        targets=_T.TARGETS,
    ),
    EventKind.PERTURBATION_ENDED: _schema(0, **_EVENT),
    EventKind.PERTURBATION_CANCELLED: _schema(0, **_EVENT, pending=_T.FLAG),
    EventKind.ARRANGED_MEET_KEPT: _schema(1, event_id=_T.EVENT_ID, zone=_T.ZONE, agents=_T.AGENTS),
    EventKind.ARRANGED_MEET_MISSED: _schema(1, event_id=_T.EVENT_ID, zone=_T.ZONE, agents=_T.AGENTS),
    EventKind.SHOWER_COMPLETE: _schema(2, **_USE),
    EventKind.SLEEP_COMPLETE: _schema(2, **_USE),
    EventKind.SHOWER_POWER_OUTAGE: _schema(2, **_USE),
    EventKind.EMBEDDING_FORCED_REUSE: _schema(0, slot=_T.WHOLE, age_ticks=_T.WHOLE),
    EventKind.EMBEDDING_POOL_EXHAUSTED: _schema(0),
    EventKind.AGENT_TELEPORTED: _schema(0, agent_id=_T.AGENT, position=_T.TILE),
    EventKind.AGENT_POSSESSED: _schema(0, agent_id=_T.AGENT),
    EventKind.AGENT_RELEASED: _schema(0, agent_id=_T.AGENT),
}
EVENT_NAMES: Final = tuple(kind.name.lower() for kind in EventKind)
