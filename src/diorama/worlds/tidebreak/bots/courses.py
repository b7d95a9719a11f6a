"""The plans of the nine captains; numbers are those of the scripts in `reference/scripts`."""

from diorama.numerics import HALF_PI, PI, TWO_PI, atan2, sincos
from diorama.worlds.tidebreak.bots.captain import Memory
from diorama.worlds.tidebreak.bots.view import HALF_MAP_M, Sighting, View
from diorama.worlds.tidebreak.bots.wish import Wish
from diorama.worlds.tidebreak.codes import Emissions, Layer
from diorama.worlds.tidebreak.contract import LayerOrder
from diorama.worlds.tidebreak.layout import Env, Own
from diorama.worlds.tidebreak.reference.scripts import (
    aggressor,
    ambusher,
    boarder,
    drifter,
    kiter,
)
from diorama.worlds.tidebreak.reference.scripts import escort as escorting


def stand_still(_view: View, _memory: Memory) -> Wish:
    """Stop, and hold fire."""
    return Wish(holds_fire=True, minds_edges=False)


def drift(view: View, memory: Memory) -> Wish:
    """Keep a random heading for a minute, and fire back."""
    if memory.decisions % drifter.LEG_TICKS == 0:
        memory.leg_heading = TWO_PI * memory.rng.f64()
    return Wish(bearing=memory.leg_heading - view.heading, throttle=drifter.THROTTLE)


def attack(view: View, _memory: Memory) -> Wish:
    """Close to gun range and circle; hunt submarines from above."""
    bearing, throttle = _attack_course(view)
    return Wish(bearing=bearing, throttle=throttle, emissions=Emissions.ACTIVE)


def kite(view: View, _memory: Memory) -> Wish:
    """Keep the enemy at the far end of the guns."""
    seen, gun_m = view.best, view.hull.gun_m
    if seen is None:
        return Wish(bearing=view.search_bearing, throttle=kiter.SEARCH_THROTTLE, emissions=Emissions.ACTIVE)
    if seen.range_m < kiter.TOO_CLOSE * gun_m:
        return Wish(bearing=seen.bearing + PI, throttle=1.0, emissions=Emissions.ACTIVE)
    if seen.range_m > kiter.TOO_FAR * gun_m:
        return Wish(bearing=seen.bearing, throttle=1.0, emissions=Emissions.ACTIVE)
    return Wish(bearing=seen.bearing + HALF_PI, throttle=kiter.HOLD_THROTTLE, emissions=Emissions.ACTIVE)


def ambush(view: View, _memory: Memory) -> Wish:
    """Creep up under water, shoot, slip away."""
    bearing, throttle = _ambush_course(view)
    return Wish(bearing=bearing, throttle=throttle, emissions=Emissions.PASSIVE, layer=_toward_submerged(view))


def escort(view: View, _memory: Memory) -> Wish:
    """Attack what comes near; otherwise stay with the charge."""
    bearing, throttle = _attack_course(view)
    has_asset = bool(view.environment[Env.HAS_ASSET])
    if has_asset and (view.best is None or view.best.range_m >= escorting.ENGAGE_M):
        bearing, throttle = _station_course(view)
    return Wish(bearing=bearing, throttle=throttle, emissions=Emissions.ACTIVE)


def evade(view: View, _memory: Memory) -> Wish:
    """Run for the destination or the nearest edge, with decoys when somebody's sonar finds the ship."""
    return Wish(bearing=_way_out(view), throttle=1.0, wants_decoy=bool(view.own[Own.IS_DETECTED]), minds_edges=False)


def take(view: View, memory: Memory) -> Wish:
    """Fight until the target lies still, then come alongside and board."""
    seen = view.best
    if seen is None or not view.hull.has_marines or seen.is_below or seen.speed_ms >= boarder.SLOW_MS:
        return attack(view, memory)
    throttle = 1.0 if seen.range_m > boarder.BRAKE_M else boarder.creeping_throttle(view.hull.speed_ms, seen.speed_ms)
    return Wish(bearing=seen.bearing, throttle=throttle, emissions=Emissions.ACTIVE, holds_fire=True, boards=True)


def _attack_course(view: View) -> tuple[float, float]:
    seen = view.best
    if seen is None:
        return view.search_bearing, aggressor.SEARCH_THROTTLE
    if seen.is_below:
        return _hunt(seen)
    if seen.range_m > aggressor.CLOSE_SHARE * view.hull.gun_m:
        return seen.bearing, 1.0
    return seen.bearing + aggressor.BROADSIDE, aggressor.BROADSIDE_THROTTLE


def _hunt(seen: Sighting) -> tuple[float, float]:
    if seen.range_m > aggressor.OVERHEAD_M:
        is_near = seen.range_m < aggressor.STALK_M
        return seen.bearing, aggressor.STALK_THROTTLE if is_near else aggressor.HUNT_THROTTLE
    return seen.bearing + aggressor.OVERHEAD_CIRCLE, aggressor.STALK_THROTTLE


def _ambush_course(view: View) -> tuple[float, float]:
    seen = view.best
    if seen is None:
        return view.search_bearing, ambusher.CREEP_THROTTLE
    are_tubes_ready = bool(view.own[Own.READY + 1])  # torpedoes come after guns
    if view.hull.torpedo_m > 0.0 and not are_tubes_ready:
        return seen.bearing + ambusher.SLIP_AWAY, ambusher.CREEP_THROTTLE
    if seen.range_m > ambusher.NEAR_M:
        is_far = seen.range_m > ambusher.FAR_M
        return seen.bearing, ambusher.HURRY_THROTTLE if is_far else ambusher.CREEP_THROTTLE
    return seen.bearing + ambusher.LURK, ambusher.LURK_THROTTLE


def _toward_submerged(view: View) -> LayerOrder:
    if view.own[Own.IS_CHANGING_LAYER] or view.layer is Layer.SUBMERGED:
        return LayerOrder.HOLD
    return LayerOrder.DOWN if view.layer is Layer.SURFACE else LayerOrder.UP


def _station_course(view: View) -> tuple[float, float]:
    """Toward a point before the charge, on the side of the threat."""
    bearing, range_m = view.bearing_at(Env.ASSET), float(view.environment[Env.ASSET + 2]) * 2.0 * HALF_MAP_M
    sine, cosine = sincos(bearing)
    x, y = range_m * cosine, range_m * sine
    if view.best is not None:
        toward, sideways = sincos(view.best.bearing)[::-1]
        x, y = x + escorting.STATION_M * toward, y + escorting.STATION_M * sideways
    if range_m > escorting.STATION_M + escorting.ON_STATION_M:
        return atan2(y, x), 1.0
    return atan2(y, x), escorting.KEEP_THROTTLE


def _way_out(view: View) -> float:
    if view.environment[Env.HAS_DESTINATION]:
        return view.bearing_at(Env.DESTINATION)
    x, y = float(view.own[Own.X]), float(view.own[Own.Y])
    if abs(x) >= abs(y):
        return (0.0 if x >= 0.0 else PI) - view.heading
    return (HALF_PI if y >= 0.0 else -HALF_PI) - view.heading
