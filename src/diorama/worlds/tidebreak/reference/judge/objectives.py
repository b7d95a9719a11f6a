"""Objectives: judged from the true state at the end of every tick."""

from collections.abc import Callable
from typing import Final

from diorama.worlds.tidebreak.codes import ObjectiveStatus, ObjectiveType
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.judge.attacks import (
    judge_capture,
    judge_destroy,
    judge_disable,
    judge_intercept,
    judge_raid,
    settle_raid,
)
from diorama.worlds.tidebreak.reference.judge.guards import (
    judge_loiter,
    judge_protect,
    judge_screen,
    settle_protect,
    settle_screen,
)
from diorama.worlds.tidebreak.reference.judge.journeys import (
    judge_deliver,
    judge_evacuate,
    judge_evade,
    judge_recover,
)
from diorama.worlds.tidebreak.reference.judge.standing import Case, Standing
from diorama.worlds.tidebreak.reference.judge.watches import judge_scout, judge_shadow
from diorama.worlds.tidebreak.reference.outputs import Emit, ObjectiveUpdate, Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit

Judge = Callable[[Case, Standing], None]

JUDGES: Final[dict[ObjectiveType, Judge]] = {
    ObjectiveType.DESTROY: judge_destroy,
    ObjectiveType.DISABLE: judge_disable,
    ObjectiveType.RAID: judge_raid,
    ObjectiveType.INTERCEPT: judge_intercept,
    ObjectiveType.PROTECT: judge_protect,
    ObjectiveType.SCREEN: judge_screen,
    ObjectiveType.CAPTURE: judge_capture,
    ObjectiveType.EVADE: judge_evade,
    ObjectiveType.SHADOW: judge_shadow,
    ObjectiveType.LOITER: judge_loiter,
    ObjectiveType.SCOUT: judge_scout,
    ObjectiveType.DELIVER: judge_deliver,
    ObjectiveType.RECOVER: judge_recover,
    ObjectiveType.EVACUATE: judge_evacuate,
}
SETTLERS: Final[dict[ObjectiveType, Judge]] = {
    ObjectiveType.RAID: settle_raid,
    ObjectiveType.PROTECT: settle_protect,
    ObjectiveType.SCREEN: settle_screen,
}
PROGRESS_WORTH: Final = 0.5
COMPLETED_WORTH: Final = 1.0
EFFECTIVE_BONUS: Final = 1.2
FAILED_WORTH: Final = -0.5


def judge_objective(battle: Battle, unit: Unit, emit: Emit) -> None:
    """Say how the unit's objective stands now; a deadline is the end for objectives that last until the end."""
    case = _open_case(battle, unit)
    if case is None:
        return
    standing = _standing(unit)
    JUDGES[ObjectiveType(case.task.type)](case, standing)
    is_active = standing.status == ObjectiveStatus.ACTIVE
    if is_active and 0 <= case.task.deadline_ticks <= case.elapsed_ticks:
        _settle(case, standing)
        if standing.status == ObjectiveStatus.ACTIVE:
            standing.fail()
    emit(_update(unit, standing))


def resolve_objectives(battle: Battle, outputs: Outputs) -> None:
    """Write down how objectives stand, and what that is worth."""
    for update in outputs.of(ObjectiveUpdate):
        _write(battle, update)


def settle_objectives(battle: Battle) -> None:
    """At the end of the battle, complete what had to last until then."""
    for unit in battle.units:
        case = _open_case(battle, unit)
        if case is not None:
            standing = _standing(unit)
            _settle(case, standing)
            _write(battle, _update(unit, standing))


def _open_case(battle: Battle, unit: Unit) -> Case | None:
    task = unit.spec.objective
    if task is None or unit.objective.status != ObjectiveStatus.ACTIVE:
        return None
    return Case(battle, unit, task)


def _settle(case: Case, standing: Standing) -> None:
    settle = SETTLERS.get(ObjectiveType(case.task.type))
    if settle is not None:
        settle(case, standing)


def _standing(unit: Unit) -> Standing:
    now = unit.objective
    return Standing(now.status, now.time_on, now.value_a, now.value_b, now.value_c, now.progress)


def _update(unit: Unit, standing: Standing) -> ObjectiveUpdate:
    return ObjectiveUpdate(
        source=unit.id,
        status=standing.status,
        time_on=standing.time_on,
        value_a=standing.value_a,
        value_b=standing.value_b,
        value_c=standing.value_c,
        progress=standing.progress,
    )


def _write(battle: Battle, update: ObjectiveUpdate) -> None:
    unit = battle.unit(update.source)
    objective = unit.objective
    delta = update.progress - objective.progress
    unit.scratch.objective_delta += delta
    objective.reward_sum += PROGRESS_WORTH * delta
    objective.status, objective.time_on, objective.progress = update.status, update.time_on, update.progress
    objective.value_a, objective.value_b, objective.value_c = update.value_a, update.value_b, update.value_c
    if update.status == ObjectiveStatus.COMPLETED:
        unit.scratch.objective_result = 1
        objective.reward_sum += COMPLETED_WORTH * (EFFECTIVE_BONUS if unit.is_effective else 1.0)
        battle.record(EventKind.OBJECTIVE_COMPLETED, unit.id, f0=update.progress, i0=objective.type)
    elif update.status == ObjectiveStatus.FAILED:
        unit.scratch.objective_result = -1
        objective.reward_sum += FAILED_WORTH
        battle.record(EventKind.OBJECTIVE_FAILED, unit.id, f0=update.progress, i0=objective.type)
