"""What is special about missiles: how far their radar sees, and how near they must pass."""

from math import sqrt
from typing import Final

from diorama.numerics import clamp

FUZE_M: Final = 12.0
REACH_LIMITS: Final = (0.5, 1.5)


def missile_reach_m(seeker_m: float, radar_index: float) -> float:
    """Distance at which a missile sees a target of this radar index: the fourth root of what comes back."""
    return seeker_m * clamp(sqrt(sqrt(radar_index / 100.0)), *REACH_LIMITS)
