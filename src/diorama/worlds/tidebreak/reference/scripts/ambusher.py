"""A submarine that creeps up, shoots and slips away."""

from dataclasses import replace
from typing import Final

from diorama.numerics import norm2pi
from diorama.worlds.tidebreak.codes import Emissions, Layer, WeaponGroup
from diorama.worlds.tidebreak.reference.components import STEADY
from diorama.worlds.tidebreak.reference.contacts import estimated_bearing, estimated_range
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail, search_heading
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.layers import accepts

NEAR_M: Final = 3_500.0
FAR_M: Final = 8_000.0
CREEP_THROTTLE: Final = 0.4
HURRY_THROTTLE: Final = 0.65
LURK: Final = 1.7
LURK_THROTTLE: Final = 0.2
SLIP_AWAY: Final = 2.6


def ambusher(battle: Battle, unit: Unit) -> Order:
    """Lie in wait under water."""
    order = sail(battle, unit, _course(battle, unit), emissions=Emissions.PASSIVE)
    return replace(order, layer=_toward_submerged(battle, unit))


def _course(battle: Battle, unit: Unit) -> Course:
    target = best_track(battle, unit)
    if target is None:
        return Course(search_heading(battle, unit), CREEP_THROTTLE)
    bearing, range_m = estimated_bearing(unit, target), estimated_range(unit, target)
    if are_tubes_empty(battle, unit):
        return Course(norm2pi(bearing + SLIP_AWAY), CREEP_THROTTLE)
    if range_m > NEAR_M:
        return Course(norm2pi(bearing), HURRY_THROTTLE if range_m > FAR_M else CREEP_THROTTLE)
    return Course(norm2pi(bearing + LURK), LURK_THROTTLE)


def are_tubes_empty(battle: Battle, unit: Unit) -> bool:
    """Whether no torpedo tube can fire now; never for a unit without tubes."""
    tubes = [
        mount
        for mount, spec in zip(unit.mounts, unit.spec.mounts, strict=True)
        if battle.spec.weapons[spec.weapon].group == WeaponGroup.TORPEDO
    ]
    return bool(tubes) and all(tube.ready_at > battle.tick or tube.ammo == 0 for tube in tubes)


def _toward_submerged(battle: Battle, unit: Unit) -> LayerDirection | None:
    if unit.layer.mode != STEADY or unit.layer.layer == Layer.SUBMERGED:
        return None
    direction = LayerDirection.DOWN if unit.layer.layer == Layer.SURFACE else LayerDirection.UP
    return direction if accepts(battle, unit, direction) else None
