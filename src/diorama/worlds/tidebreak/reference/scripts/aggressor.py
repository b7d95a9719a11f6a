"""Closes to gun range and circles; hunts submarines from above."""

from typing import Final

from diorama.numerics import norm2pi
from diorama.worlds.tidebreak.codes import Emissions, WeaponGroup
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.contacts import estimated_bearing, estimated_range
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail, search_heading
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track, is_below, longest_range_m
from diorama.worlds.tidebreak.reference.state import Battle, Unit

CLOSE_SHARE: Final = 0.45  # of the longest gun's range
BROADSIDE: Final = 1.35
BROADSIDE_THROTTLE: Final = 0.85
HUNT_THROTTLE: Final = 0.65
STALK_M: Final = 2_500.0
STALK_THROTTLE: Final = 0.5
OVERHEAD_M: Final = 500.0
OVERHEAD_CIRCLE: Final = 0.6
SEARCH_THROTTLE: Final = 1.0  # faster than a submarine can slip away


def aggressor(battle: Battle, unit: Unit) -> Order:
    """Attack the best contact; without one, look for it around the middle of the map."""
    return sail(battle, unit, attack_course(battle, unit), emissions=Emissions.ACTIVE)


def attack_course(battle: Battle, unit: Unit) -> Course:
    """Course of an attack."""
    target = best_track(battle, unit)
    if target is None:
        return Course(search_heading(battle, unit), SEARCH_THROTTLE)
    if is_below(target):
        return _hunt(unit, target)
    bearing = estimated_bearing(unit, target)
    if estimated_range(unit, target) > CLOSE_SHARE * longest_range_m(battle, unit, WeaponGroup.GUN):
        return Course(norm2pi(bearing), 1.0)
    return Course(norm2pi(bearing + BROADSIDE), BROADSIDE_THROTTLE)


def _hunt(unit: Unit, target: Track) -> Course:
    bearing, range_m = estimated_bearing(unit, target), estimated_range(unit, target)
    if range_m > OVERHEAD_M:
        return Course(norm2pi(bearing), STALK_THROTTLE if range_m < STALK_M else HUNT_THROTTLE)
    return Course(norm2pi(bearing + OVERHEAD_CIRCLE), STALK_THROTTLE)
