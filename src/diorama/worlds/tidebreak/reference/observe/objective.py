"""What a unit is told to do, as far as it knows where that is."""

from typing import Final

from diorama.numerics import PI, atan2, fmax, hyp, wrap
from diorama.worlds.tidebreak.codes import ObjectiveStatus
from diorama.worlds.tidebreak.layout import Env
from diorama.worlds.tidebreak.reference.observe.knowledge import Known, known_place
from diorama.worlds.tidebreak.reference.observe.scaling import half_side, relative_direction
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedObjective

SPEED_SCALE_MS: Final = 30.0


def show_objective(obs: list[float], battle: Battle, unit: Unit) -> None:
    """Fill in the objective; without one only the deadline says that there is none."""
    obs[Env.DEADLINE] = 1.0
    task = unit.spec.objective
    if task is None:
        return
    obs[Env.OBJECTIVE_TYPE + task.type] = 1.0
    target_id = _shown_target(unit, task)
    if target_id:
        _show_unit(obs, Env.HAS_TARGET, battle, unit, target_id)
    if task.asset_id:
        _show_unit(obs, Env.HAS_ASSET, battle, unit, task.asset_id)
    _show_zone(obs, battle, unit, task)
    _show_destination(obs, battle, unit, task)
    obs[Env.PRIORITY] = task.priority
    if task.deadline_ticks > 0:
        obs[Env.DEADLINE] = fmax(0.0, float(task.deadline_ticks - battle.tick) / float(task.deadline_ticks))
    obs[Env.PROGRESS] = unit.objective.progress
    obs[Env.OBJECTIVE_ACTIVE] = 1.0 if unit.objective.status == ObjectiveStatus.ACTIVE else 0.0
    obs[Env.OBJECTIVE_COMPLETED] = 1.0 if unit.objective.status == ObjectiveStatus.COMPLETED else 0.0


def _shown_target(unit: Unit, task: ResolvedObjective) -> int:
    """Of several targets the first that is tracked, else the first."""
    if task.target_id or not task.target_ids:
        return task.target_id
    tracked = (target for target in task.target_ids if unit.tracks.of_target(target) is not None)
    return next(tracked, task.target_ids[0])


def _show_unit(obs: list[float], place: int, battle: Battle, unit: Unit, other_id: int) -> None:
    known = known_place(battle, unit, other_id)
    obs[place] = 1.0 if known.is_held else 0.0
    obs[place + 1], obs[place + 2] = relative_direction(unit, known.x, known.y)
    obs[place + 3] = _far(battle, unit, known.x, known.y)
    if known.velocity is not None:
        vx, vy = known.velocity
        obs[place + 4] = wrap(atan2(vy, vx) - unit.heading) / PI
        obs[place + 5] = (hyp(vx, vy) - unit.speed) / SPEED_SCALE_MS


def _show_zone(obs: list[float], battle: Battle, unit: Unit, task: ResolvedObjective) -> None:
    if task.zone is None:
        return
    x, y = task.zone.x, task.zone.y
    if task.zone_relative_id:
        anchor = known_place(battle, unit, task.zone_relative_id)
        x, y = anchor.x + x, anchor.y + y
    obs[Env.HAS_ZONE] = 1.0
    obs[Env.ZONE], obs[Env.ZONE + 1] = relative_direction(unit, x, y)
    obs[Env.ZONE + 2] = _far(battle, unit, x, y)
    obs[Env.ZONE + 3] = task.zone.radius_m / half_side(battle)


def _show_destination(obs: list[float], battle: Battle, unit: Unit, task: ResolvedObjective) -> None:
    place = _destination(battle, unit, task)
    if place is None:
        return
    obs[Env.HAS_DESTINATION] = 1.0
    obs[Env.DESTINATION], obs[Env.DESTINATION + 1] = relative_direction(unit, *place)
    obs[Env.DESTINATION + 2] = _far(battle, unit, *place)


def _destination(battle: Battle, unit: Unit, task: ResolvedObjective) -> tuple[float, float] | None:
    fallback = None
    if task.destination_x is not None and task.destination_y is not None:
        fallback = (task.destination_x, task.destination_y)
    if not task.destination_id:
        return fallback
    known: Known = known_place(battle, unit, task.destination_id)
    return (known.x, known.y) if known.is_held or fallback is None else fallback


def _far(battle: Battle, unit: Unit, x: float, y: float) -> float:
    return hyp(x - unit.x, y - unit.y) / (2.0 * half_side(battle))
