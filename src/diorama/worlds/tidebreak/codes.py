"""Integer codes of the contract; they are stable, and state words, buffers and resolved packages hold these numbers."""

from enum import IntEnum, IntFlag
from typing import Final


class Layer(IntEnum):
    """Depth as a set of rules, never as a number of meters."""

    SURFACE = 0
    SUBMERGED = 1
    ABYSSAL = 2


class UnitKind(IntEnum):
    """What a unit is."""

    SHIP = 0
    PLATFORM = 1
    SQUADRON = 2


class MunitionKind(IntEnum):
    """What a munition is; -1 stands for weapons that make none."""

    SALVO = 0
    TORPEDO = 1
    MISSILE = 2
    CHARGE = 3
    MINE = 4
    DECOY = 5


class SizeClass(IntEnum):
    """Size of a hull, by crew unless its class says otherwise."""

    S = 0
    M = 1
    L = 2
    XL = 3


class Emissions(IntEnum):
    """How much a unit gives away of itself."""

    SILENT = 0
    PASSIVE = 1
    ACTIVE = 2


class Modality(IntEnum):
    """Ways of sensing."""

    VISUAL = 0
    RADAR = 1
    ESM = 2
    PASSIVE_SONAR = 3
    ACTIVE_SONAR = 4
    LINK = 5


class TrackQuality(IntEnum):
    """Cue, coarse, local fire control, shared fire control."""

    Q0 = 0
    Q1 = 1
    Q2 = 2
    Q3 = 3


class LinkTier(IntEnum):
    """Class tiers of the data mesh."""

    T0 = 0
    T1 = 1
    T2 = 2
    T3 = 3


class Iff(IntEnum):
    """Identification of a track."""

    UNKNOWN = 0
    FRIENDLY_AUTHENTICATED = 1
    FRIENDLY_ASSUMED = 2
    SUSPECT = 3
    HOSTILE_DECLARED = 4


class DamageType(IntEnum):
    """What a hit works by."""

    KINETIC = 0
    EXPLOSIVE = 1
    UNDERWATER = 2
    THERMAL = 3
    PRESSURE = 4


class System(IntEnum):
    """Subsystems of a hull."""

    PROPULSION = 0
    WEAPONS = 1
    SENSORS = 2
    POWER = 3
    BALLAST = 4


class WeaponGroup(IntEnum):
    """Groups an order fires; AUTOMATIC weapons fire by themselves."""

    AUTOMATIC = 0
    GUN = 1
    TORPEDO = 2
    MISSILE = 3
    ASW = 4
    MINE = 5
    AIR = 6


class ShipFate(IntEnum):
    """What became of a ship."""

    OPERATIONAL = 0
    DISABLED = 1
    DESTROYED = 2
    SCUTTLED = 3
    CAPTURED = 4


class CaptureMethod(IntEnum):
    """How a ship was taken."""

    NONE = 0
    BOARDED = 1
    SURRENDERED = 2


class BoardingStatus(IntEnum):
    """How far a boarding came."""

    NONE = 0
    ATTEMPTED = 1
    ESTABLISHED = 2
    REPULSED = 3


class ConnectionState(IntEnum):
    """Where a boarding attacker stands."""

    NONE = 0
    APPROACHING = 1
    LATCHING = 2
    DOCKED = 3
    TRANSFERRING = 4


class ComponentStatus(IntEnum):
    """A fraction in words: from 0.75, from 0.25, below."""

    OPERATIONAL = 0
    DAMAGED = 1
    DESTROYED = 2


class Terrain(IntEnum):
    """What the depth at a point amounts to."""

    LAND = 0
    SHALLOWS = 1
    SHELF = 2
    DEEP_OCEAN = 3


class Precipitation(IntEnum):
    """What falls from the sky."""

    NONE = 0
    LIGHT_RAIN = 1
    HEAVY_RAIN = 2
    STORM = 3


class DcFocus(IntEnum):
    """What damage control works on first."""

    BALANCED = 0
    FIRE = 1
    FLOOD = 2
    REPAIR = 3


class ObjectiveType(IntEnum):
    """What a ship is told to do."""

    DESTROY = 0
    DISABLE = 1
    RAID = 2
    INTERCEPT = 3
    PROTECT = 4
    SCREEN = 5
    CAPTURE = 6
    EVADE = 7
    SHADOW = 8
    LOITER = 9
    SCOUT = 10
    DELIVER = 11
    RECOVER = 12
    EVACUATE = 13


class ObjectiveStatus(IntEnum):
    """How an objective stands."""

    ACTIVE = 0
    COMPLETED = 1
    FAILED = 2
    SUPERSEDED = 3


class EndReason(IntEnum):
    """Why a battle ended."""

    ELIMINATION = 0
    TIME_LIMIT = 1
    ALL_OUT = 2
    OBJECTIVE = 3
    ABORTED = 4


class ZoneEffect(IntEnum):
    """What a zone of the map does, in the order of the rules."""

    SENSOR_INTERFERENCE = 0
    HAZARD = 1
    CURRENT = 2
    SPEED_BONUS = 3
    ECM = 4
    VENT = 5


class StormProfile(IntEnum):
    """How a storm's strength falls off with distance."""

    UNIFORM = 0
    GRADIENT = 1
    CYCLONIC = 2


class UnitStatus(IntFlag):
    """Status bits of a unit."""

    MOBILITY_DISABLED = 1
    WEAPONS_DISABLED = 2
    SENSORS_DISABLED = 4
    DESTROYED = 8
    ON_FIRE = 16
    FLOODING = 32
    SURRENDERED = 64
    DEAD_IN_WATER = 128
    GROUNDED = 256
    EXITED = 512
    CAPTURED = 1024
    SCUTTLED = 2048
    DISABLED = 4096


ABSENT_STATUS: Final = UnitStatus.DESTROYED | UnitStatus.SCUTTLED | UnitStatus.EXITED
INEFFECTIVE_STATUS: Final = ABSENT_STATUS | UnitStatus.SURRENDERED | UnitStatus.CAPTURED | UnitStatus.DISABLED

ALL_LAYERS_MASK: Final = 0b111  # bit `1 << layer` of every layer
NO_LAYER: Final = 3  # a unit that is not in transit; a track whose layer is unknown
NO_MUNITION: Final = -1


def component_status(fraction: float) -> ComponentStatus:
    """Put a system's fraction into words."""
    if fraction >= 0.75:
        return ComponentStatus.OPERATIONAL
    return ComponentStatus.DAMAGED if fraction >= 0.25 else ComponentStatus.DESTROYED
