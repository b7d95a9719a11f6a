"""The sea bed and the edges of the map."""

from typing import Final

from diorama.numerics import clamp, fmin
from diorama.worlds.tidebreak.codes import DamageType, Layer, UnitStatus
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve.terrain import allows, depth_at

REBOUND: Final = -0.2
DAMAGE_SHARE: Final = 0.01  # of hp_max at the reference speed
REFERENCE_MS: Final = 5.0
DAMAGE_CAP: Final = 0.2  # of hp_max
EVENT_EVERY_TICKS: Final = 10
CLEARANCE_M: Final = 0.5


def depth_below(battle: Battle, x: float, y: float) -> float:
    """Depth at a point, meters."""
    area = battle.map
    return depth_at(area.depth, (area.min_x, area.min_y, area.max_x, area.max_y), x, y)


def keep_off_ground(battle: Battle, unit: Unit, before: tuple[float, float], outputs: Outputs) -> None:
    """Put a unit that has run aground back to where it was, and tell whether it is stuck."""
    depth = depth_below(battle, unit.x, unit.y)
    if not _can_float(unit, depth):
        unit.transform.x, unit.transform.y = before
        _run_aground(battle, unit, outputs)
        depth = depth_below(battle, unit.x, unit.y)
    elif not unit.has(UnitStatus.GROUNDED):
        return
    if depth - unit.spec.hull.draught_m < CLEARANCE_M:
        unit.mark(UnitStatus.GROUNDED)
    else:
        unit.unmark(UnitStatus.GROUNDED)


def _can_float(unit: Unit, depth: float) -> bool:
    layer = unit.layer
    deeper = max(layer.layer, layer.target_layer) if layer.mode == IN_TRANSIT else layer.layer
    if not allows(depth, Layer(deeper)):
        return False
    return deeper != Layer.SURFACE or not depth < unit.spec.hull.draught_m


def _run_aground(battle: Battle, unit: Unit, outputs: Outputs) -> None:
    motion, hp_max = unit.motion, unit.spec.hull.hp_max
    pace = unit.speed / REFERENCE_MS
    cause = 0
    if battle.tick - unit.memory.grounding_at >= EVENT_EVERY_TICKS:
        cause = battle.record(EventKind.GROUNDING, unit.id, f0=unit.speed)
        unit.memory.grounding_at = battle.tick
        unit.scratch.mishaps += 1
    motion.vx *= REBOUND
    motion.vy *= REBOUND
    outputs.emit(
        Plugin.HELM,
        Damage(
            source=unit.id,
            target=unit.id,
            amount=fmin(DAMAGE_SHARE * hp_max * (pace * pace), DAMAGE_CAP * hp_max),
            type=DamageType.KINETIC,
            direction=unit.heading,
            cause=cause,
        ),
    )


def keep_in_bounds(battle: Battle, unit: Unit) -> None:
    """Hold a unit at a closed edge; let it leave over an open one."""
    area, place, motion = battle.map, unit.transform, unit.motion
    if area.min_x <= place.x <= area.max_x and area.min_y <= place.y <= area.max_y:
        return
    if area.edges_open:
        unit.mark(UnitStatus.EXITED)
        battle.record(EventKind.EXITED, unit.id)
        return
    x, y = clamp(place.x, area.min_x, area.max_x), clamp(place.y, area.min_y, area.max_y)
    if x != place.x:
        place.x, motion.vx = x, 0.0
    if y != place.y:
        place.y, motion.vy = y, 0.0
