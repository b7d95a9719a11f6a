"""What is left of a hit once the armour has had its share."""

from typing import Final

from diorama.numerics import fmax

ARMOUR_BY_TYPE: Final = (1.0, 0.5, 0.25, 0.0, 0.0)  # share of the armour that counts, by `DamageType`
LEAST_SHARE: Final = 0.08
IN_TRANSIT: Final = 1.25  # a hull that changes depth is under strain


def effective_damage(amount: float, damage_type: int, armour: float, *, in_transit: bool) -> float:
    """Return the damage that gets through: never less than 8% of the amount."""
    through = fmax(amount - armour * ARMOUR_BY_TYPE[damage_type], LEAST_SHARE * amount)
    return through * IN_TRANSIT if in_transit else through
