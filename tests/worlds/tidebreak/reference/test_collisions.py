"""Hulls against hulls, obstacles, ground and edges."""

from itertools import pairwise

import pytest

from diorama.worlds.tidebreak.codes import UnitStatus
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.systems.obstacles import find_contact
from diorama.worlds.tidebreak.resolve.shapes import circle, polygon
from tests.worlds.tidebreak.reference.battles import SIDE_M, arena, events_named, run, ship, unit_of

AHEAD = Order(throttle=1.0, rudder=0.0)


def test_ramming_damages_both_once_and_pushes_them_apart() -> None:
    battle = arena(ship("a", speed=10.0), ship("b", "blue", x=60.0))

    run(battle, 3, a=AHEAD)

    first, second = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")
    event = events_named(battle.battle, "COLLISION")[0]
    damage = [entry for entry in events_named(battle.battle, "DAMAGE") if entry.cause == event.id]
    assert len(events_named(battle.battle, "COLLISION")) == 1
    assert second.x - first.x >= 44.0 - 1e-9
    assert second.motion.vx > first.motion.vx
    assert event.f0 == pytest.approx(0.5 * 600.0 * 10.0**2, rel=0.1)
    assert [entry.f0 for entry in damage] == pytest.approx([event.f0 / 250.0] * 2)
    assert first.tally.collisions == second.tally.collisions == 1


def test_a_gentle_touch_does_no_damage() -> None:
    battle = arena(ship("a", speed=1.0), ship("b", "blue", x=45.0))

    run(battle, 5, a=Order(throttle=0.0, rudder=0.0))

    assert unit_of(battle.battle, "b").motion.vx > 0.0
    assert not events_named(battle.battle, "COLLISION")


def test_momentum_is_kept() -> None:
    battle = arena(ship("a", speed=10.0), ship("b", "blue", "frigate", x=52.5))

    run(battle, 1, a=Order(throttle=0.0, rudder=0.0))

    first, second = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")
    # Drag takes a little of it within the tick.
    assert 1_200.0 * first.motion.vx + 4_200.0 * second.motion.vx == pytest.approx(12_000.0, rel=0.05)


def test_platforms_do_not_move() -> None:
    battle = arena(ship("a", speed=10.0), ship("b", "blue", "rig", x=85.0))

    run(battle, 5, a=AHEAD)

    assert unit_of(battle.battle, "b").x == 85.0
    assert unit_of(battle.battle, "a").x <= 85.0 - 82.0 + 1e-9


def test_hulls_in_different_layers_pass() -> None:
    battle = arena(ship("a", speed=10.0), ship("b", "blue", "attack_sub", x=60.0, layer="SUBMERGED"))

    run(battle, 12, a=AHEAD)

    assert not events_named(battle.battle, "COLLISION")
    assert unit_of(battle.battle, "a").x > 100.0


def test_a_solid_obstacle_stops_and_hurts() -> None:
    rock = {"shape": {"type": "circle", "radius": 300}, "position": [340, 0], "material": "solid"}
    battle = arena(ship("a", speed=10.0), area={"obstacles": [rock]})

    run(battle, 4, a=AHEAD)

    unit = unit_of(battle.battle, "a")
    assert unit.x <= 18.0 + 1e-9
    (event,) = events_named(battle.battle, "COLLISION")
    (damage,) = [entry for entry in events_named(battle.battle, "DAMAGE") if entry.cause == event.id]
    assert damage.f0 == pytest.approx(0.3 * 360.0)


def test_soft_obstacles_and_those_of_other_layers_do_not_block() -> None:
    area = {
        "obstacles": [
            {"shape": {"type": "circle", "radius": 300}, "position": [340, 0], "material": "soft"},
            {"shape": {"type": "circle", "radius": 300}, "position": [340, 0], "layers": ["SUBMERGED"]},
        ]
    }
    battle = arena(ship("a", speed=10.0), area=area)

    run(battle, 20, a=AHEAD)

    assert unit_of(battle.battle, "a").x > 150.0


@pytest.mark.parametrize(
    ("point", "normal", "depth"),
    [
        pytest.param((0.0, 120.0), (0.0, 1.0), 10.0, id="over-the-top"),
        pytest.param((0.0, 90.0), (0.0, 1.0), 40.0, id="just-inside"),
        pytest.param((-100.0, 0.0), (1.0, 0.0), 30.0, id="on-the-edge"),
    ],
)
def test_polygons_push_out_along_the_nearest_edge(
    point: tuple[float, float], normal: tuple[float, float], depth: float
) -> None:
    square = polygon((0.0, 0.0), ((-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0)))

    contact = find_contact(square, *point, 30.0)

    assert contact is not None
    assert (contact.nx, contact.ny) == pytest.approx(normal)
    assert contact.depth_m == pytest.approx(depth)


def test_a_circle_beyond_reach_is_no_contact() -> None:
    assert find_contact(circle((0.0, 0.0), 100.0), 131.0, 0.0, 30.0) is None


def test_running_aground_restores_the_place_and_hurts() -> None:
    rows = [[1_500, 1_500, 2], [1_500, 1_500, 2]]
    battle = arena(ship("a", x=7_950.0, speed=15.0), area={"bathymetry": {"kind": "grid", "rows": rows}})

    run(battle, 30, a=AHEAD)

    unit = unit_of(battle.battle, "a")
    assert unit.hull.hp < 360.0
    assert unit.has(UnitStatus.GROUNDED)
    assert unit.x < 7_990.0
    ticks = [event.tick for event in events_named(battle.battle, "GROUNDING")]
    assert all(later - earlier >= 10 for earlier, later in pairwise(ticks))


def test_a_submarine_stops_where_its_layer_ends() -> None:
    rows = [[300, 300, 10], [300, 300, 10]]
    below = ship("a", class_id="attack_sub", x=7_200.0, speed=10.0, layer="SUBMERGED")
    battle = arena(below, area={"bathymetry": {"kind": "grid", "rows": rows}})

    run(battle, 120, a=AHEAD)

    unit = unit_of(battle.battle, "a")
    assert events_named(battle.battle, "GROUNDING")
    assert unit.x < 7_600.0
    assert not unit.has(UnitStatus.GROUNDED)


def test_a_closed_edge_holds() -> None:
    battle = arena(ship("a", x=SIDE_M - 50.0, speed=15.0, heading=0.3))

    run(battle, 30, a=AHEAD)

    unit = unit_of(battle.battle, "a")
    assert unit.x == SIDE_M
    assert unit.is_effective


def test_an_open_edge_lets_go() -> None:
    battle = arena(ship("a", x=SIDE_M - 50.0, speed=15.0), ship("b"), area={"edges": "open"})

    run(battle, 6, a=AHEAD)

    unit = unit_of(battle.battle, "a")
    assert unit.has(UnitStatus.EXITED)
    assert not unit.is_present
    assert len(events_named(battle.battle, "EXITED")) == 1
