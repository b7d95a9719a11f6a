"""Cripples a ship and takes it."""

from dataclasses import replace
from typing import Final

from diorama.numerics import fmin, hyp
from diorama.worlds.tidebreak.codes import Emissions, TrackQuality, UnitKind, UnitStatus
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.contacts import estimated_bearing, estimated_range
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.aggressor import aggressor
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track, is_below
from diorama.worlds.tidebreak.reference.state import Battle, Unit

SLOW_MS: Final = 4.0
SURE_HITS: Final = 4  # measurements from which a track's velocity counts as known
ORDER_M: Final = 3_000.0
BRAKE_M: Final = 1_000.0
ALONGSIDE_MS: Final = 2.0


def boarder(battle: Battle, unit: Unit) -> Order:
    """Fight until the target lies still, then come alongside without shooting at it."""
    target = best_track(battle, unit)
    if target is None or unit.crew.marines <= 0.0 or not _is_ripe(battle, target):
        return aggressor(battle, unit)
    range_m = estimated_range(unit, target)
    is_far = range_m > BRAKE_M
    throttle = 1.0 if is_far else creeping_throttle(unit.class_speed(), hyp(target.vx, target.vy))
    course = Course(estimated_bearing(unit, target), throttle)
    # Those who lie alongside already do not keep others from it.
    order = sail(battle, unit, course, emissions=Emissions.ACTIVE, holds_fire=True, keeps_clear=is_far)
    may_order = target.quality >= TrackQuality.Q1 and range_m <= ORDER_M and battle.rules.boarding
    return replace(order, board_id=target.target_id if may_order else 0)


def _is_ripe(battle: Battle, target: Track) -> bool:
    victim = battle.find_unit(target.target_id)
    if victim is None or is_below(target) or victim.identity.kind == UnitKind.SQUADRON:
        return False
    has_seen_it = target.quality >= TrackQuality.Q2
    if has_seen_it and victim.has(UnitStatus.MOBILITY_DISABLED | UnitStatus.SURRENDERED):
        return True
    is_velocity_known = target.hits >= SURE_HITS and not target.bearing_only
    return is_velocity_known and hyp(target.vx, target.vy) < SLOW_MS


def creeping_throttle(full_ms: float, target_ms: float) -> float:
    """Throttle that in the end gains on the target slowly enough to latch: speed grows with its root."""
    share = (target_ms + ALONGSIDE_MS) / full_ms if full_ms > 0.0 else 0.0
    return fmin(share * share, 1.0)
