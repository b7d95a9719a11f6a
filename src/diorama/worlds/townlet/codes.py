"""The numbers that stand for words in states, tables and records; they are part of the interface and never change."""

from enum import IntEnum
from typing import Final

NOBODY: Final = -1  # no seat, no citizen
NOTHING: Final = -1  # no object, zone, tile, job or affordance
NEVER: Final = -(1 << 40)  # a tick long before any other
ENDLESS: Final = 1 << 40  # a tick long after any other

NEED_NAMES: Final = ("hunger", "hygiene", "energy")
TRAIT_NAMES: Final = ("extroversion", "forgiveness", "ambition")
DIRECTIONS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # north, east, south, west; y grows south


class Need(IntEnum):
    """Needs; 1 is satisfied, 0 is empty."""

    HUNGER = 0
    HYGIENE = 1
    ENERGY = 2


class Trait(IntEnum):
    """Traits of a personality, -1 to 1."""

    EXTROVERSION = 0
    FORGIVENESS = 1
    AMBITION = 2


class Price(IntEnum):
    """Prices that spikes and operators change."""

    MEAL = 0
    INGREDIENTS = 1
    SHOWER = 2
    RENT = 3


class Utility(IntEnum):
    """What an outage turns off."""

    POWER = 0
    WATER = 1


class TileClass(IntEnum):
    """What a tile is made of."""

    STREET = 0
    FLOOR = 1
    DOOR = 2
    WALL = 3
    OBJECT = 4


class Option(IntEnum):
    """What a citizen can set out to do (`action_level: option`)."""

    IDLE = 0
    GET_FED = 1
    GET_CLEAN = 2
    GO_TO_WORK = 3
    SHOP_GROCERIES = 4
    SLEEP = 5
    SOCIALISE = 6
    AVOID_RIVALS = 7


class Primitive(IntEnum):
    """What a citizen can do in one tick (`action_level: primitive`)."""

    WAIT = 0
    MOVE_NORTH = 1
    MOVE_EAST = 2
    MOVE_SOUTH = 3
    MOVE_WEST = 4
    INTERACT_0 = 5
    INTERACT_1 = 6
    INTERACT_2 = 7
    INTERACT_3 = 8
    RELEASE = 9
    TALK = 10
    YIELD = 11


OPTION_NAMES: Final = (
    "Idle",
    "GetFed",
    "GetClean",
    "GoToWork",
    "ShopGroceries",
    "Sleep",
    "Socialise",
    "AvoidRivals",
)
PRIMITIVE_NAMES: Final = (
    "Wait",
    "MoveNorth",
    "MoveEast",
    "MoveSouth",
    "MoveWest",
    "Interact0",
    "Interact1",
    "Interact2",
    "Interact3",
    "Release",
    "Talk",
    "Yield",
)


class ShiftState(IntEnum):
    """Where a citizen stands with the shift of the day."""

    NONE = 0
    PRE_SHIFT = 1
    AWAIT_START = 2
    ON_TIME = 3
    LATE = 4
    ABSENT = 5
    POST_SHIFT = 6


class FailReason(IntEnum):
    """Why an affordance did not start, or did not finish."""

    MISSING_SPEC = 0
    PRECONDITION_FAILED = 1
    HOOK_CANCELLED = 2
    RELEASED = 3
    UTILITY_OUTAGE = 4
    GHOST_STEP = 5
    AGENT_REMOVED = 6
    TELEPORTED = 7
    OBJECT_REMOVED = 8
    TIMEOUT = 9


class ConflictReason(IntEnum):
    """What a conflict at a queue was about."""

    GHOST_STEP = 0
    HANDOVER = 1


class ExitReason(IntEnum):
    """Why a citizen left, in the order in which the reasons are tried."""

    KILLED = 0
    FAINT = 1
    EVICTION = 2
    UNEMPLOYMENT = 3
    NEGLECT = 4
    AGE_OUT = 5


class ExitBlock(IntEnum):
    """What kept a citizen from leaving."""

    DAILY_CAP = 0
    COOLDOWN = 1
    CITY_EVENT = 2


class ExitPath(IntEnum):
    """How the exit queue came to let a citizen go."""

    MANUAL_APPROVE = 0
    AUTO_REVIEW = 1
    DAILY_CAP = 2


class RelationEvent(IntEnum):
    """What changes a tie."""

    SHARED_MEAL = 0
    QUEUE_POLITE = 1
    CONFLICT = 2
    CHAT_SUCCESS = 3
    CHAT_FAILURE = 4
    EMPLOYMENT_HELP = 5
    EMPLOYMENT_SHIFT_TAKEN = 6
    APPOINTMENT_KEPT = 7


class EvictionReason(IntEnum):
    """Why a tie was dropped."""

    CAPACITY = 0
    DECAY = 1
    REMOVED = 2


class PerturbationKind(IntEnum):
    """What can befall the town."""

    PRICE_SPIKE = 0
    BLACKOUT = 1
    OUTAGE = 2
    ARRANGED_MEET = 3


class GuardReason(IntEnum):
    """Why a guard held a citizen back."""

    CHAT_RIVAL = 0
    QUEUE_RIVAL = 1


class QueueVariant(IntEnum):
    """How somebody was let ahead."""

    FAVOUR = 0
    YIELD = 1


class ApplyMode(IntEnum):
    """When an affordance takes effect."""

    FINISH = 0
    SPREAD = 1


class Role(IntEnum):
    """Affordances that options look for."""

    EAT = 0
    COOK = 1
    SHOWER = 2
    SLEEP = 3
    BUY = 4


def word(code: IntEnum) -> str:
    """Return the word a code stands for, as it is written in files and messages."""
    return code.name.lower()
