"""Keeps the enemy at the far end of its guns."""

from typing import Final

from diorama.numerics import HALF_PI, PI, norm2pi
from diorama.worlds.tidebreak.codes import Emissions, WeaponGroup
from diorama.worlds.tidebreak.reference.contacts import estimated_bearing, estimated_range
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail, search_heading
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track, longest_range_m
from diorama.worlds.tidebreak.reference.state import Battle, Unit

TOO_CLOSE: Final = 0.7  # of the longest gun's range, as is the next
TOO_FAR: Final = 0.9
HOLD_THROTTLE: Final = 0.85
SEARCH_THROTTLE: Final = 0.65


def kiter(battle: Battle, unit: Unit) -> Order:
    """Run when the enemy is near, close when it is far, circle between."""
    return sail(battle, unit, _course(battle, unit), emissions=Emissions.ACTIVE)


def _course(battle: Battle, unit: Unit) -> Course:
    target = best_track(battle, unit)
    if target is None:
        return Course(search_heading(battle, unit), SEARCH_THROTTLE)
    gun_m = longest_range_m(battle, unit, WeaponGroup.GUN)
    bearing, range_m = estimated_bearing(unit, target), estimated_range(unit, target)
    if range_m < TOO_CLOSE * gun_m:
        return Course(norm2pi(bearing + PI), 1.0)
    if range_m > TOO_FAR * gun_m:
        return Course(norm2pi(bearing), 1.0)
    return Course(norm2pi(bearing + HALF_PI), HOLD_THROTTLE)
