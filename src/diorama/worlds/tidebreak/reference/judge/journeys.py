"""Objectives that lead somewhere: EVADE, DELIVER, RECOVER, EVACUATE."""

from typing import Final

from diorama.numerics import fmin, hyp
from diorama.worlds.tidebreak.codes import UnitStatus
from diorama.worlds.tidebreak.reference.judge.standing import (
    Case,
    Standing,
    distance_between,
    is_in_zone,
    is_lost,
    relative_speed,
    share,
)

ARRIVAL_M: Final = 300.0
DELIVERY_MS: Final = 3.0
DELIVERY_TICKS: Final = 10
PICKUP_M: Final = 200.0
PICKUP_MS: Final = 2.0
PICKUP_TICKS: Final = 30


def destination(case: Case) -> tuple[float, float] | None:
    """Where the unit is to go: a unit while it is there, else the position, None without either."""
    if case.task.destination_id:
        goal = case.battle.unit(case.task.destination_id)
        if goal.is_present or case.task.destination_x is None:
            return goal.x, goal.y
    if case.task.destination_x is None or case.task.destination_y is None:
        return None
    return case.task.destination_x, case.task.destination_y


def distance_to_go(case: Case) -> float:
    """Meters to the destination, or to the nearest edge without one."""
    unit, area = case.unit, case.battle.map
    goal = destination(case)
    if goal is not None:
        return hyp(goal[0] - unit.x, goal[1] - unit.y)
    across = fmin(unit.x - area.min_x, area.max_x - unit.x)
    return fmin(across, fmin(unit.y - area.min_y, area.max_y - unit.y))


def judge_evade(case: Case, standing: Standing) -> None:
    """Leave the map or reach the destination; `value_a` is the distance at the start."""
    remaining = distance_to_go(case)
    _keep_first(standing, remaining)
    standing.progress = 1.0 - share(remaining, standing.value_a)
    has_arrived = destination(case) is not None and remaining <= ARRIVAL_M
    if case.unit.has(UnitStatus.EXITED) or has_arrived or is_in_zone(case):
        standing.complete()
    elif is_lost(case.unit):
        standing.fail()


def judge_deliver(case: Case, standing: Standing) -> None:
    """Come to the destination and stop; `time_on` counts ticks there."""
    remaining = distance_to_go(case)
    _keep_first(standing, remaining)
    standing.progress = 1.0 - share(remaining, standing.value_a)
    _count_delivery(case, standing, remaining)
    if not case.unit.is_effective:
        standing.fail()
    elif standing.time_on >= DELIVERY_TICKS:
        standing.complete()


def judge_recover(case: Case, standing: Standing) -> None:
    """Lie alongside the target; `value_b` counts ticks there."""
    standing.progress = _recover_progress(case, standing)
    if standing.value_b >= float(PICKUP_TICKS):
        standing.complete()
    elif not case.target.is_present or not case.unit.is_effective:
        standing.fail()


def judge_evacuate(case: Case, standing: Standing) -> None:
    """Recover the target, then deliver; `value_c` is the distance to go at pickup."""
    if standing.value_b < float(PICKUP_TICKS):
        recovered = _recover_progress(case, standing)
        standing.progress = 0.5 if standing.value_b >= float(PICKUP_TICKS) else 0.5 * recovered
        if not case.unit.is_effective or not case.target.is_present:
            standing.fail()
        return
    remaining = distance_to_go(case)
    if standing.value_c == 0.0:
        standing.value_c = remaining
    standing.progress = 0.5 + 0.5 * (1.0 - share(remaining, standing.value_c))
    _count_delivery(case, standing, remaining)
    if not case.unit.is_effective:
        standing.fail()
    elif standing.time_on >= DELIVERY_TICKS:
        standing.complete()


def _keep_first(standing: Standing, distance_m: float) -> None:
    if standing.value_a == 0.0:
        standing.value_a = distance_m


def _count_delivery(case: Case, standing: Standing, remaining_m: float) -> None:
    is_there = remaining_m <= ARRIVAL_M and case.unit.speed <= DELIVERY_MS
    standing.time_on = standing.time_on + 1 if is_there else 0


def _recover_progress(case: Case, standing: Standing) -> float:
    distance_m = distance_between(case.unit, case.target)
    _keep_first(standing, distance_m)
    is_alongside = distance_m <= PICKUP_M and relative_speed(case.unit, case.target) <= PICKUP_MS
    standing.value_b = standing.value_b + 1.0 if is_alongside else 0.0
    approach = 1.0 - share(distance_m, standing.value_a)
    return 0.5 * approach + 0.5 * share(standing.value_b, float(PICKUP_TICKS))
