"""Places of the observation: three blocks in one row, and what stands where inside each.

Every index of the layout is written here and nowhere else. A block's entries are counted from its own start.
"""

from typing import Final

from diorama.contracts.spec import ObservationField

CONTACT_ROWS: Final = 16
CONTACT_COLUMNS: Final = 24
HOSTILE_ROWS: Final = 10  # rows 0-9: what is not known to be a friend
MATE_ROWS: Final = 4  # rows 10-13
MUNITION_ROWS: Final = 2  # rows 14-15
FIRST_MATE_ROW: Final = HOSTILE_ROWS
FIRST_MUNITION_ROW: Final = HOSTILE_ROWS + MATE_ROWS
COMPACT_HOSTILE_ROWS: Final = 6  # the compact profile leaves rows 6-9 out
COMPACT_CONTACT_ROWS: Final = COMPACT_HOSTILE_ROWS + MATE_ROWS + MUNITION_ROWS


class Own:
    """Index of each entry of `own_state`, or of the first entry of a group."""

    X: Final = 0
    Y: Final = 1
    SIN_HEADING: Final = 2
    COS_HEADING: Final = 3
    SPEED_AHEAD: Final = 4
    SPEED_LEFT: Final = 5
    TURN: Final = 6
    THROTTLE: Final = 7
    RUDDER: Final = 8
    SPEED_LIMIT: Final = 9
    HP: Final = 10
    ARMOUR: Final = 11
    FUEL: Final = 12
    MORALE: Final = 13
    CREW: Final = 14
    GUNNERY: Final = 15
    ENGINEERING: Final = 16
    FATIGUE: Final = 17
    LAYER: Final = 18
    IS_CHANGING_LAYER: Final = 21
    TRANSIT_SHARE: Final = 22
    TRANSIT_DIRECTION: Final = 23
    EMISSIONS: Final = 24
    SOURCE_LEVEL: Final = 27
    IS_DETECTED: Final = 28
    SYSTEMS: Final = 29
    FIRE: Final = 34
    FLOOD: Final = 35
    READY: Final = 36
    AMMO: Final = 42
    SIZE: Final = 48


class Contact:
    """Index of each column of a row of `contacts`."""

    VALID: Final = 0
    SIN_BEARING: Final = 1
    COS_BEARING: Final = 2
    RANGE: Final = 3
    CLOSING_SPEED: Final = 4
    CROSS_SPEED: Final = 5
    SIN_COURSE: Final = 6
    COS_COURSE: Final = 7
    SIGMA: Final = 8
    AGE: Final = 9
    QUALITY: Final = 10
    BEARING_ONLY: Final = 14
    LAYER: Final = 15
    HOSTILE: Final = 18
    FRIEND: Final = 19
    SIZE_CLASS: Final = 20
    IS_MUNITION: Final = 21
    CAN_ENGAGE: Final = 22
    IS_DESIGNATED: Final = 23
    SIZE: Final = CONTACT_COLUMNS


class Env:
    """Index of each entry of `environment`, or of the first entry of a group."""

    TIME_LEFT: Final = 0
    SEA_STATE: Final = 1
    VISIBILITY: Final = 2
    PRECIPITATION: Final = 3
    WIND: Final = 4
    LIGHTNING: Final = 6
    CURRENT: Final = 7
    DEPTH: Final = 9
    LAYERS_ALLOWED: Final = 10
    THERMOCLINE: Final = 13
    NOISE: Final = 14
    HAZARD: Final = 15
    OBSTACLE: Final = 16
    EDGE: Final = 19
    STORM: Final = 20
    FRIENDLY_COST: Final = 24
    HOSTILE_TRACKS: Final = 25
    OWN_COST: Final = 26
    BOARDING: Final = 27
    OBJECTIVE_TYPE: Final = 28
    HAS_TARGET: Final = 42
    TARGET: Final = 43
    HAS_ASSET: Final = 48
    ASSET: Final = 49
    HAS_ZONE: Final = 54
    ZONE: Final = 55
    HAS_DESTINATION: Final = 59
    DESTINATION: Final = 60
    PRIORITY: Final = 63
    DEADLINE: Final = 64
    PROGRESS: Final = 65
    OBJECTIVE_ACTIVE: Final = 66
    OBJECTIVE_COMPLETED: Final = 67
    FOVEATED: Final = 68
    SIZE: Final = 180


FOVEATED_SECTORS: Final = 28
FOVEATED_FIELDS: Final = 4
COMPACT_ENVIRONMENT: Final = Env.FOVEATED

OBS_WIDTH: Final = Own.SIZE + CONTACT_ROWS * CONTACT_COLUMNS + Env.SIZE
COMPACT_OBS_WIDTH: Final = Own.SIZE + COMPACT_CONTACT_ROWS * CONTACT_COLUMNS + COMPACT_ENVIRONMENT

_OWN_STATE: Final = (
    "0 x and 1 y from the map's center / half its larger side; 2 sin, 3 cos of the heading; 4 speed ahead, 5 speed to"
    " the left / 30 m/s; 6 turn rate / its maximum; 7 throttle; 8 rudder; 9 speed limit / 30 m/s; 10 hp share; 11 "
    "armour / 32; 12 fuel share; 13 morale; 14 crew share; 15 gunnery; 16 engineering; 17 fatigue; 18-20 layer "
    "surface, submerged, abyssal; 21 changing layer; 22 share of the change done; 23 its direction, 1 up, -1 down; "
    "24-26 emissions silent, passive, active; 27 (source level - 100 dB) / 100; 28 pinged or painted within 10 ticks;"
    " 29-33 propulsion, weapons, sensors, power, ballast; 34 fire; 35 flood; 36-41 share of mounts ready and 42-47 "
    "share of the starting ammunition, of guns, torpedoes, missiles, ASW, mines, air wings"
)
_FULL_ROWS: Final = "rows 0-9 tracks that are not friends, best first, 10-13 team-mates, 14-15 torpedoes and missiles"
_COMPACT_ROWS: Final = "rows 0-5 tracks that are not friends, best first, 6-9 team-mates, 10-11 torpedoes and missiles"
_CONTACTS: Final = (
    "; columns: 0 valid; 1 sin, 2 cos of the relative bearing; 3 range / 20 km; 4 closing speed, 5 speed across to "
    "the left / 40 m/s; 6 sin, 7 cos of course - own heading, 0 if unknown; 8 standard error / 1 km; 9 age / 60 "
    "ticks; 10-13 quality Q0-Q3; 14 bearing only; 15-17 probability of surface, submerged, abyssal; 18 hostility; 19 "
    "friend; 20 size, a quarter per step from S, 0 unknown; 21 munition; 22 a ready weapon could engage it; 23 last "
    "designated target"
)
_ENVIRONMENT: Final = (
    "0 share of time left; 1 sea state / 9; 2 visibility / 20 km; 3 precipitation / 3; 4 wind x, 5 y / 40 m/s; 6 "
    "lightning; 7 current x, 8 y / 5 m/s; 9 depth / 2 km; 10-12 layers the depth allows; 13 thermocline; 14 noise / "
    "120 dB; 15 hazard; 16 sin, 17 cos of the relative bearing, 18 range / 5 km of the nearest obstacle or land; 19 "
    "distance to the map's edge / half its larger side; 20-23 nearest storm: sin, cos, distance, intensity; 24 share "
    "of the own side's cost that is effective; 25 hostile tracks / 16; 26 own cost / 1000; 27 boarding state / 4; "
    "28-41 objective type; 42 target tracked, 43-47 target: sin, cos, range, course - heading, speed difference; 48 "
    "asset known, 49-53 asset likewise; 54 has zone, 55-58 zone: sin, cos, distance, radius; 59 has destination, "
    "60-62 destination: sin, cos, range; 63 priority; 64 share of the deadline left; 65 progress; 66 active; 67 "
    "completed"
)
_FOVEATED: Final = (
    "; 68-179 28 sectors around the unit, nearest ring first and ahead first, each: (temperature - usual) / 50 °C, "
    "noise / 120 dB, occupancy, sonar return"
)


def _blocks(
    contact_rows: int, environment: int, rows_meaning: str, environment_meaning: str
) -> tuple[ObservationField, ...]:
    first_contact = Own.SIZE
    first_environment = first_contact + contact_rows * CONTACT_COLUMNS
    return (
        ObservationField(name="own_state", start=0, shape=(Own.SIZE,), low=-1.0, meaning=_OWN_STATE),
        ObservationField(
            name="contacts",
            start=first_contact,
            shape=(contact_rows, CONTACT_COLUMNS),
            low=-1.0,
            meaning=rows_meaning + _CONTACTS,
        ),
        ObservationField(
            name="environment", start=first_environment, shape=(environment,), low=-1.0, meaning=environment_meaning
        ),
    )


OBSERVATION: Final = _blocks(CONTACT_ROWS, Env.SIZE, _FULL_ROWS, _ENVIRONMENT + _FOVEATED)
COMPACT_OBSERVATION: Final = _blocks(COMPACT_CONTACT_ROWS, COMPACT_ENVIRONMENT, _COMPACT_ROWS, _ENVIRONMENT)
