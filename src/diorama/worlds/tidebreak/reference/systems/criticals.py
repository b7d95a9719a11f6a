"""Critical hits: how likely one is, and what it breaks."""

from enum import IntEnum
from typing import Final

from diorama.numerics import fmin
from diorama.worlds.tidebreak.codes import DamageType

CHANCE_MAX: Final = 0.75
CHANCE_PER_HULL_SHARE: Final = 1.5
SEVERITY: Final = (0.5, 0.25, 0.1)  # share of a system that is lost, by damage tier
CEILING_PER_LOSS: Final = 0.5
FIRE_OR_FLOOD: Final = 0.3


class Critical(IntEnum):
    """What a critical hit does, in the order of its table."""

    PROPULSION = 0
    BALLAST = 1
    WEAPONS = 2
    SENSORS = 3
    POWER = 4
    FIRE = 5
    FLOOD = 6


CHANCES_ABOVE: Final = (0.22, 0.03, 0.22, 0.18, 0.05, 0.22, 0.08)
CHANCES_BELOW: Final = (0.28, 0.07, 0.08, 0.08, 0.04, 0.05, 0.40)


def critical_chance(effective_damage: float, hp_max: float) -> float:
    """Probability that a hit breaks something."""
    return fmin(CHANCE_MAX, CHANCE_PER_HULL_SHARE * effective_damage / hp_max)


def critical_effect(damage_type: int, u: float) -> Critical:
    """Pick from the table with a draw in [0, 1)."""
    is_below = damage_type in (DamageType.UNDERWATER, DamageType.PRESSURE)
    reached = 0.0
    for effect, chance in zip(Critical, CHANCES_BELOW if is_below else CHANCES_ABOVE, strict=True):
        reached += chance
        if u < reached:
            return effect
    # The sum of the chances may round to just below one.
    return Critical.FLOOD
