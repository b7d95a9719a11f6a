"""Runs for its destination or the nearest way out."""

from dataclasses import replace
from typing import Final

from diorama.numerics import HALF_PI, PI, atan2, norm2pi
from diorama.worlds.tidebreak.reference.contacts import estimated_bearing
from diorama.worlds.tidebreak.reference.judge.journeys import destination
from diorama.worlds.tidebreak.reference.judge.standing import Case
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.course import Course, sail
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.support import can_launch_decoy

PINGED_TICKS: Final = 10


def evader(battle: Battle, unit: Unit) -> Order:
    """Go, at full speed, and throw decoys when somebody's sonar finds it."""
    order = sail(battle, unit, Course(_heading(battle, unit), 1.0))
    is_pinged = battle.tick - unit.contact_memory.pinged_at <= PINGED_TICKS
    return replace(order, decoy=order.decoy or (is_pinged and can_launch_decoy(battle, unit)))


def _heading(battle: Battle, unit: Unit) -> float:
    task = unit.spec.objective
    goal = None if task is None else destination(Case(battle, unit, task))
    if goal is not None:
        return norm2pi(atan2(goal[1] - unit.y, goal[0] - unit.x))
    if battle.map.edges_open:
        return nearest_edge_heading(battle, unit)
    threat = best_track(battle, unit)
    return unit.heading if threat is None else norm2pi(estimated_bearing(unit, threat) + PI)


def nearest_edge_heading(battle: Battle, unit: Unit) -> float:
    """Heading to the nearest edge; ties go east, north, west, south."""
    area = battle.map
    ways = (
        (area.max_x - unit.x, 0.0),
        (area.max_y - unit.y, HALF_PI),
        (unit.x - area.min_x, PI),
        (unit.y - area.min_y, PI + HALF_PI),
    )
    nearest, heading = ways[0]
    for distance, candidate in ways[1:]:
        if distance < nearest:
            nearest, heading = distance, candidate
    return heading
