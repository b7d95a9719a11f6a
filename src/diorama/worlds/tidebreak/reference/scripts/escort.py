"""Stays between its charge and the nearest threat."""

from typing import Final

from diorama.numerics import atan2, hyp, norm2pi, sincos
from diorama.worlds.tidebreak.codes import Emissions
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.contacts import estimated_range
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.aggressor import attack_course
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track
from diorama.worlds.tidebreak.reference.state import Battle, Unit

STATION_M: Final = 1_000.0  # from the charge, inside the 1,500 that the script must keep
ON_STATION_M: Final = 300.0
ENGAGE_M: Final = 6_000.0
KEEP_THROTTLE: Final = 0.4


def escort(battle: Battle, unit: Unit) -> Order:
    """Attack what comes near; otherwise keep station."""
    threat = best_track(battle, unit)
    asset = _asset(battle, unit)
    course = attack_course(battle, unit)
    if asset is not None and (threat is None or estimated_range(unit, threat) >= ENGAGE_M):
        course = _station_course(unit, asset, threat)
    return sail(battle, unit, course, emissions=Emissions.ACTIVE)


def _asset(battle: Battle, unit: Unit) -> Unit | None:
    task = unit.spec.objective
    asset = None if task is None else battle.find_unit(task.asset_id)
    return asset if asset is not None and asset.is_present else None


def _station_course(unit: Unit, asset: Unit, threat: Track | None) -> Course:
    bearing = asset.heading if threat is None else atan2(threat.y - asset.y, threat.x - asset.x)
    sine, cosine = sincos(bearing)
    dx = asset.x + STATION_M * cosine - unit.x
    dy = asset.y + STATION_M * sine - unit.y
    if hyp(dx, dy) > ON_STATION_M:
        return Course(norm2pi(atan2(dy, dx)), 1.0)
    return Course(asset.heading, KEEP_THROTTLE)
