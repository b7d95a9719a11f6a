"""Objectives and the end of a battle."""

import pytest

from diorama.worlds.tidebreak.codes import (
    BoardingStatus,
    EndReason,
    ObjectiveStatus,
    System,
    UnitStatus,
)
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.state import Unit
from tests.worlds.tidebreak.reference.battles import STILL, Document, arena, events_named, run, ship, unit_of


def with_task(kind: str, *others: Document, area: Document | None = None, **task: object) -> tuple[Arena, Unit]:
    """Ship `a` with an objective, an enemy corvette `b` and others."""
    first = ship("a", objective={"objective_id": "o", "type": kind} | task)
    more = task.pop("more", {})
    assert isinstance(more, dict)
    battle = arena(first, ship("b", "blue", x=6_000.0), *others, area=area, **more)
    return battle, unit_of(battle.battle, "a")


def status_after(battle: Arena, unit: Unit, ticks: int = 1) -> ObjectiveStatus:
    run(battle, ticks, a=STILL)
    return ObjectiveStatus(unit.objective.status)


def test_destroy_follows_the_target_down() -> None:
    battle, unit = with_task("DESTROY", ship("c", "blue", y=6_000.0), target="b")
    target = unit_of(battle.battle, "b")
    target.hull.hp = 90.0

    assert status_after(battle, unit) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.75)
    target.mark(UnitStatus.DESTROYED)
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED
    assert unit.objective.progress == 1.0
    assert unit.objective.reward_sum == pytest.approx(0.5 + 1.2)
    assert len(events_named(battle.battle, "OBJECTIVE_COMPLETED")) == 1


def test_destroy_fails_when_the_target_gets_away() -> None:
    battle, unit = with_task("DESTROY", ship("c", "blue", y=6_000.0), target="b")
    unit_of(battle.battle, "b").mark(UnitStatus.EXITED)

    assert status_after(battle, unit) is ObjectiveStatus.FAILED
    assert unit.objective.reward_sum == pytest.approx(-0.5)


def test_disable_wants_the_target_afloat() -> None:
    battle, unit = with_task("DISABLE", ship("c", "blue", y=6_000.0), target="b")
    target = unit_of(battle.battle, "b")
    target.hull.systems[System.PROPULSION] = 0.4

    assert status_after(battle, unit) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.6, abs=0.01)
    target.mark(UnitStatus.SURRENDERED)
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_raid_needs_enough_damage_at_the_end() -> None:
    battle, unit = with_task("RAID", more={"time_limit_s": 10})
    unit.objective.value_a = 0.3 * 35.0

    assert status_after(battle, unit, 9) is ObjectiveStatus.ACTIVE
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED
    assert unit.objective.progress == pytest.approx(0.3)


def test_protect_lasts_to_the_end() -> None:
    battle, unit = with_task("PROTECT", ship("c", y=3_000.0), asset="c", more={"time_limit_s": 10})

    assert status_after(battle, unit, 5) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.5)
    assert status_after(battle, unit, 5) is ObjectiveStatus.COMPLETED


def test_protect_fails_with_the_asset() -> None:
    battle, unit = with_task("PROTECT", ship("c", y=3_000.0), asset="c")
    unit_of(battle.battle, "c").mark(UnitStatus.CAPTURED)

    assert status_after(battle, unit) is ObjectiveStatus.FAILED


def test_intercept_counts_targets_and_fails_when_one_gets_through() -> None:
    others = (ship("c", "blue", y=6_000.0), ship("d", y=-4_000.0))
    battle, unit = with_task("INTERCEPT", *others, targets=["b", "c"], asset="d")
    unit_of(battle.battle, "c").mark(UnitStatus.DISABLED)

    assert status_after(battle, unit) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == 0.5
    unit_of(battle.battle, "b").transform.x, unit_of(battle.battle, "b").transform.y = 0.0, -4_300.0
    assert status_after(battle, unit) is ObjectiveStatus.FAILED


def test_capture_counts_propulsion_and_marines() -> None:
    battle, unit = with_task("CAPTURE", ship("c", "blue", y=6_000.0), target="b")
    target = unit_of(battle.battle, "b")
    unit.boarding.target_id, unit.boarding.transferred = target.id, 5.0

    assert status_after(battle, unit) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.7 * 0.5)
    target.mark(UnitStatus.CAPTURED)
    target.memory.captor_team = unit.team
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_a_beachhead_completes_a_capture() -> None:
    battle, unit = with_task("CAPTURE", ship("c", "blue", "arcology", y=6_000.0), target="c")
    unit.boarding.target_id, unit.boarding.status = unit_of(battle.battle, "c").id, BoardingStatus.ESTABLISHED

    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_evade_ends_over_the_edge() -> None:
    battle, unit = with_task("EVADE", ship("c", y=2_000.0), area={"edges": "open"})
    unit.transform.x = 7_990.0
    unit.motion.vx = 15.0
    run(battle, 2, a=Order(throttle=1.0, rudder=0.0))

    assert unit.objective.status == ObjectiveStatus.COMPLETED


def test_deliver_means_stopping_there() -> None:
    battle, unit = with_task("DELIVER", destination=[250, 0])

    assert status_after(battle, unit, 9) is ObjectiveStatus.ACTIVE
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_recover_lies_alongside_for_half_a_minute() -> None:
    battle, unit = with_task("RECOVER", ship("c", y=150.0), target="c")

    assert status_after(battle, unit, 29) is ObjectiveStatus.ACTIVE
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_evacuate_is_recover_then_deliver() -> None:
    battle, unit = with_task("EVACUATE", ship("c", y=150.0), target="c", destination=[200, 0])

    assert status_after(battle, unit, 30) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.5, abs=0.05)
    assert status_after(battle, unit, 10) is ObjectiveStatus.COMPLETED


@pytest.mark.parametrize("kind", ["LOITER", "SCREEN"])
def test_leaving_the_zone_for_a_minute_fails(kind: str) -> None:
    zone = {"shape": "circle", "center": [0, 0], "radius": 500}
    battle, unit = with_task(kind, ship("c", y=3_000.0), zone=zone, duration_s=100, asset="c")
    status_after(battle, unit, 5)
    unit.transform.x = 1_000.0

    assert status_after(battle, unit, 59) is ObjectiveStatus.ACTIVE
    assert status_after(battle, unit) is ObjectiveStatus.FAILED


def test_loiter_counts_time_in_the_zone() -> None:
    zone = {"shape": "rectangle", "center": [0, 0], "size": [500, 500]}
    battle, unit = with_task("LOITER", zone=zone, duration_s=20)

    assert status_after(battle, unit, 19) is ObjectiveStatus.ACTIVE
    assert unit.objective.progress == pytest.approx(0.95)
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_scout_looks_at_every_square() -> None:
    zone = {"shape": "circle", "center": [0, 0], "radius": 4_000}
    battle, unit = with_task("SCOUT", zone=zone)

    assert status_after(battle, unit) is ObjectiveStatus.ACTIVE
    # Squares are 1,000 m wide; 12 of their centers are within 2,000 m of the middle.
    assert unit.objective.progress == pytest.approx(12 / 64)
    unit.posture.emissions = 2
    assert status_after(battle, unit) is ObjectiveStatus.COMPLETED


def test_shadow_wants_to_see_and_not_be_seen() -> None:
    battle, unit = with_task("SHADOW", target="b", duration_s=50)
    unit_of(battle.battle, "b").transform.x = 4_000.0

    status_after(battle, unit, 35)

    # Both see each other on the open sea, and thirty ticks of that are too many.
    assert unit.objective.status == ObjectiveStatus.FAILED


def test_a_deadline_ends_an_objective() -> None:
    battle, unit = with_task("DESTROY", target="b", deadline_s=5)

    assert status_after(battle, unit, 4) is ObjectiveStatus.ACTIVE
    assert status_after(battle, unit) is ObjectiveStatus.FAILED


def test_a_battle_ends_when_one_side_is_out() -> None:
    battle = arena(ship("a"), ship("b", "blue", x=5_000.0), ship("c", "blue", "station", x=6_000.0))
    unit_of(battle.battle, "b").mark(UnitStatus.DISABLED)

    run(battle, 1, a=STILL)

    assert battle.battle.outcome.end_reason == EndReason.ELIMINATION
    assert battle.battle.outcome.winner == 0


def test_armed_platforms_keep_a_side_in() -> None:
    battle = arena(ship("a"), ship("b", "blue", "rig", x=5_000.0))

    run(battle, 3, a=STILL)

    assert not battle.battle.outcome.is_over


def test_nobody_wins_when_all_are_out() -> None:
    battle = arena(ship("a"), ship("b", "blue", x=5_000.0))
    for unit in battle.battle.units:
        unit.mark(UnitStatus.DISABLED)

    run(battle, 1)

    assert battle.battle.outcome.end_reason == EndReason.ALL_OUT
    assert battle.battle.outcome.winner == -1


@pytest.mark.parametrize(("rule", "winner"), [("draw", -1), ("margin", 1)])
def test_time_runs_out(rule: str, winner: int) -> None:
    ships = (ship("a"), ship("b", y=3_000.0), ship("c", "blue", x=5_000.0))
    battle = arena(*ships, time_limit_s=10, timeout_rule=rule)
    unit_of(battle.battle, "b").mark(UnitStatus.DISABLED)

    run(battle, 10)

    assert battle.battle.tick == 10
    assert battle.battle.outcome.end_reason == EndReason.TIME_LIMIT
    assert battle.battle.outcome.winner == winner


def test_objectives_can_end_a_battle() -> None:
    task = {"objective_id": "o", "type": "DELIVER", "destination": [100, 0]}
    battle = arena(ship("a", objective=task), ship("b", "blue", x=5_000.0), rules={"objective_ends_battle": True})

    run(battle, 10)

    assert battle.battle.outcome.end_reason == EndReason.OBJECTIVE
    assert battle.battle.outcome.winner == 0
