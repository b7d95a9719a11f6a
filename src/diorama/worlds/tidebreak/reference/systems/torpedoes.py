"""What is special about torpedoes: how far they hear, when they arm, and where the ground stops them."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.fields import Field
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.terrain import depth_below
from diorama.worlds.tidebreak.resolve.terrain import allows

ARMING_RUN_M: Final = 300.0
FUZE_M: Final = 4.0
SEDIMENT_ON_REACH: Final = 0.5
REACH_LIMITS: Final = (0.4, 1.2)


def torpedo_reach_m(seeker_m: float, source_db: float, sediment: float) -> float:
    """Distance at which a torpedo hears a source of this level through this much sediment."""
    return seeker_m * clamp((source_db - 90.0) / 50.0, *REACH_LIMITS) * (1.0 - SEDIMENT_ON_REACH * sediment)


def is_armed(torpedo: Munition) -> bool:
    """Whether it has run far enough from its ship to look for targets and to go off."""
    return torpedo.run >= ARMING_RUN_M


def sediment_at(battle: Battle, torpedo: Munition) -> float:
    """Sediment around the torpedo, in the layer it was launched in."""
    reading = battle.fields.point(torpedo.launch_layer, torpedo.x, torpedo.y)
    return float(reading[Field.SEDIMENT])


def is_stopped_by_ground(battle: Battle, torpedo: Munition) -> bool:
    """Whether its travel layer does not exist where it is.

    It travels in the layer it was launched in; one that can hit the surface comes up where the water is shallow.
    """
    depth = depth_below(battle, torpedo.x, torpedo.y)
    if allows(depth, Layer(torpedo.launch_layer)):
        return False
    can_come_up = bool(torpedo.target_layers >> Layer.SURFACE & 1)
    return not (can_come_up and allows(depth, Layer.SURFACE))
