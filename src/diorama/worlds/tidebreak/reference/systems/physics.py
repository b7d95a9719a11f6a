"""Motion of hulls: speed limit, rudder, thrust, drift; then whatever they run into."""

from typing import Final

from diorama.numerics import clamp, fmax, fmin, norm2pi, sgn, sincos
from diorama.worlds.tidebreak.codes import Layer, System, UnitKind, UnitStatus, ZoneEffect
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.collisions import collide_units
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.obstacles import push_out_of_obstacles
from diorama.worlds.tidebreak.reference.systems.terrain import keep_in_bounds, keep_off_ground
from diorama.worlds.tidebreak.reference.systems.weather import local_weather, sea_speed_factor
from diorama.worlds.tidebreak.reference.systems.zones import zone_intensity

DRIVE_FLOOR: Final = 0.15  # share of speed and thrust that the worst engine still gives
DRIVE_SHARE: Final = 0.85
DEAD_BELOW: Final = 0.1  # of PROPULSION
FLOOD_DRAG: Final = 0.3
BONUS_SHARE: Final = 0.5
EMPTY_TANK_SHARE: Final = 0.35
SLOWEST_MS: Final = 0.3  # keeps the speed fraction finite
GROUNDED_ASTERN: Final = 0.3
THROTTLE_RATE: Final = 0.25  # per second
RUDDER_RATE: Final = 0.5
SLIP_S: Final = 2.5
ASTERN_SHARE: Final = 0.5
TURN_DRAG: Final = 0.35


def resolve_physics(battle: Battle, outputs: Outputs) -> None:
    """Move every present hull by one substep, in id order, then part what touches."""
    dt = battle.rules.dt_s
    movers = [unit for unit in battle.units if unit.is_present and unit.identity.kind != UnitKind.SQUADRON]
    before = [(unit.x, unit.y) for unit in movers]
    for unit in movers:
        if unit.identity.kind != UnitKind.PLATFORM:
            _move(battle, unit, dt)
    collide_units(battle, movers, outputs)
    for unit, place in zip(movers, before, strict=True):
        if unit.identity.kind != UnitKind.PLATFORM:
            push_out_of_obstacles(battle, unit, outputs)
            keep_off_ground(battle, unit, place, outputs)
            keep_in_bounds(battle, unit)


def speed_limit(battle: Battle, unit: Unit) -> float:
    """Fastest the unit can go here and now, m/s; 0 when it is dead in the water."""
    propulsion = usable(unit, System.PROPULSION)
    if propulsion < DEAD_BELOW:
        return 0.0
    at_surface = unit.layer.layer == Layer.SURFACE
    sea = 1.0
    if at_surface:
        sea = sea_speed_factor(unit.identity.size, local_weather(battle, unit.x, unit.y).sea_state)
    return (
        unit.class_speed()
        * (DRIVE_FLOOR + DRIVE_SHARE * propulsion)
        * (1.0 - FLOOD_DRAG * unit.hull.flood)
        * sea
        * _zone_factor(battle, unit)
        * battle.map.layers[unit.layer.layer].speed_modifier
        * (EMPTY_TANK_SHARE if unit.stores.fuel == 0.0 else 1.0)
    )


def _zone_factor(battle: Battle, unit: Unit) -> float:
    if not battle.map.zones:
        return 1.0
    mask = unit.layers_mask
    factor = 1.0 + BONUS_SHARE * zone_intensity(battle, ZoneEffect.SPEED_BONUS, mask, unit.x, unit.y)
    if unit.layer.layer == Layer.ABYSSAL:
        factor *= 1.0 + zone_intensity(battle, ZoneEffect.VENT, mask, unit.x, unit.y)
    return factor


def _move(battle: Battle, unit: Unit, dt: float) -> None:
    if unit.is_docked:
        _follow(battle, unit)
    else:
        _sail(battle, unit, dt)
    place, motion, scratch = unit.transform, unit.motion, unit.scratch
    place.x += (motion.vx + scratch.current_x) * dt
    place.y += (motion.vy + scratch.current_y) * dt


def _follow(battle: Battle, unit: Unit) -> None:
    target = battle.unit(unit.boarding.target_id)
    unit.motion.vx, unit.motion.vy = target.motion.vx, target.motion.vy
    unit.motion.omega = 0.0


def _sail(battle: Battle, unit: Unit, dt: float) -> None:
    hull, place, motion = unit.spec.hull, unit.transform, unit.motion
    limit = speed_limit(battle, unit)
    vmax = fmax(limit, SLOWEST_MS)
    thrust = _thrust(unit, limit)

    motion.throttle += clamp(motion.cmd_throttle - motion.throttle, -THROTTLE_RATE * dt, THROTTLE_RATE * dt)
    motion.rudder += clamp(motion.cmd_rudder - motion.rudder, -RUDDER_RATE * dt, RUDDER_RATE * dt)

    sine, cosine = sincos(place.heading)
    forward = motion.vx * cosine + motion.vy * sine
    fraction = abs(forward / vmax)
    authority = fmin(fraction / 0.35, 1.0) * fmax(0.1, 1.0 - 0.4 * fmax(0.0, (fraction - 0.6) / 0.4))
    wanted = hull.turn_rate * motion.rudder * authority * sgn(forward)
    motion.omega += (wanted - motion.omega) * fmin(dt / hull.turn_lag_s, 1.0)
    place.heading = norm2pi(place.heading + motion.omega * dt)

    sine, cosine = sincos(place.heading)
    forward = motion.vx * cosine + motion.vy * sine
    left = (motion.vy * cosine - motion.vx * sine) * (1.0 - dt / SLIP_S)
    g = forward / vmax
    turning = motion.omega / hull.turn_rate if hull.turn_rate != 0.0 else 0.0
    push = motion.throttle if motion.throttle >= 0.0 else ASTERN_SHARE * motion.throttle
    drag = (g * abs(g)) * (1.0 + TURN_DRAG * (turning * turning))
    if abs(thrust * drag * dt) > abs(forward):
        forward = thrust * push * dt  # water stops a hull and does not throw it back
    else:
        forward += thrust * (push - drag) * dt
    motion.vx = forward * cosine - left * sine
    motion.vy = forward * sine + left * cosine


def _thrust(unit: Unit, limit: float) -> float:
    if limit == 0.0:
        return 0.0
    thrust = unit.spec.hull.acceleration * (DRIVE_FLOOR + DRIVE_SHARE * usable(unit, System.PROPULSION))
    if unit.has(UnitStatus.GROUNDED):
        return 0.0 if unit.motion.throttle >= 0.0 else thrust * GROUNDED_ASTERN
    return thrust
