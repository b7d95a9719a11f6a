"""Where a unit is, how it moves and how deep it is."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.codes import NO_LAYER

STEADY: Final = 0
IN_TRANSIT: Final = 1
POPPING_UP: Final = 2


@dataclass(slots=True)
class Transform:
    """Where it is."""

    x: float
    y: float
    heading: float


@dataclass(slots=True)
class Motion:
    """How it moves; velocity is through the water."""

    vx: float
    vy: float
    omega: float = 0.0
    throttle: float = 0.0
    rudder: float = 0.0
    cmd_throttle: float = 0.0
    cmd_rudder: float = 0.0


@dataclass(slots=True)
class LayerState:
    """Depth: `mode` is STEADY, IN_TRANSIT or POPPING_UP, `layer` the origin while in transit, times are ticks."""

    layer: int
    mode: int = STEADY
    target_layer: int = NO_LAYER
    elapsed: int = 0
    total: int = 0
    trans_damage: float = 0.0
    botches: int = 0
