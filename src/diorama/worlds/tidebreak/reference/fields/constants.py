"""Every number of the field engine. Lengths are in meters, time is in seconds."""

from enum import IntEnum
from typing import Final, NamedTuple

from diorama.worlds.tidebreak.codes import Layer

# Tree
N_LAYERS: Final = len(Layer)
COORDINATE_MAX_M: Final = 1e9
GRID_CELLS: Final = 128  # cells along one side of a layer
BRICK_CELLS: Final = 8  # cells along one side of a brick
GRID_BRICKS: Final = GRID_CELLS // BRICK_CELLS
LAYER_BRICKS: Final = GRID_BRICKS * GRID_BRICKS
N_BRICKS: Final = N_LAYERS * LAYER_BRICKS
LEAF_DEPTH: Final = 4  # of a brick; the root has depth 0
BRICK_LEVEL: Final = 3  # level of detail of a brick's mean
TOP_LEVEL: Final = 5  # coarsest level of detail: a node of depth 2

# Bricks
GROWTH_FACTOR: Final = 4.0  # an edge this many thresholds away from default asks for the neighbor
DORMANT_STEPS: Final = 2  # steps within the threshold after which a brick is freed

# Propagation
FIELD_PERIOD_TICKS: Final = 2
ALPHA_MAX: Final = 0.2  # of the diffusion number, below the 0.25 at which the scheme would become unstable
DRIFT_SHARE: Final = 0.5  # of the wind that smoke follows
COURANT_MAX: Final = 0.5
SOLID_ABOVE: Final = 0.5  # occupancy from which a cell is closed

# Stamps
STAMP_VALUE_MAX: Final = 1e6  # far beyond every range, and far from overflow


class Field(IntEnum):
    """Field ids; those below `FIRST_DYNAMIC` are set once, the others spread and fade."""

    DEPTH = 0
    OCCUPANCY = 1
    SALINITY = 2
    CURRENT_X = 3
    CURRENT_Y = 4
    TEMPERATURE = 5
    NOISE = 6
    SMOKE = 7
    SEDIMENT = 8
    WAKE = 9
    SONAR_RETURN = 10


class Op(IntEnum):
    """What a stamp does to a cell."""

    SET = 0
    ADD = 1
    SUB = 2
    MUL = 3
    MAX = 4
    MIN = 5
    LERP = 6


class DynamicRule(NamedTuple):
    """How a dynamic field behaves; `default` has one value per layer."""

    low: float
    high: float
    default: tuple[float, float, float]
    diffusivity_m2_s: float
    decay_per_s: float
    threshold: float


N_FIELDS: Final = len(Field)
FIRST_DYNAMIC: Final = Field.TEMPERATURE
N_DYNAMIC: Final = N_FIELDS - FIRST_DYNAMIC

_NOTHING: Final = (0.0, 0.0, 0.0)
DYNAMIC_RULES: Final = (
    DynamicRule(-5.0, 400.0, (18.0, 10.0, 4.0), 30.0, 0.002, 0.25),
    DynamicRule(0.0, 120.0, _NOTHING, 200.0, 0.3, 1.0),
    DynamicRule(0.0, 1.0, _NOTHING, 60.0, 0.02, 0.02),
    DynamicRule(0.0, 1.0, _NOTHING, 15.0, 0.01, 0.02),
    DynamicRule(0.0, 1.0, _NOTHING, 5.0, 0.02, 0.02),
    DynamicRule(0.0, 1.0, _NOTHING, 0.0, 0.5, 0.01),
)
TEMPERATURE_C: Final = DYNAMIC_RULES[0].default

STATIC_MAX: Final = 1e9  # so that sums over a field cannot overflow
STATIC_DEFAULTS: Final = (0.0, 0.0, 35.0, 0.0, 0.0)  # until they are given
STATIC_OUTSIDE: Final = (0.0, 1.0, 35.0, 0.0, 0.0)  # beyond the domain
