"""Motion: speeds, turning, drifting."""

from math import pi, sqrt

import pytest

from diorama.worlds.tidebreak.codes import System, UnitStatus
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.systems.physics import speed_limit
from tests.worlds.tidebreak.reference.battles import STILL, arena, run, ship, unit_of


@pytest.mark.parametrize("throttle", [0.2, 0.4, 0.65, 0.85, 1.0])
def test_speed_settles_at_the_root_of_the_throttle(throttle: float) -> None:
    battle = arena(ship("a", x=-7_000.0))

    run(battle, 300, a=Order(throttle=throttle, rudder=0.0))

    assert unit_of(battle.battle, "a").speed == pytest.approx(15.0 * sqrt(throttle), rel=0.01)


def test_full_astern_settles_at_less_than_half_speed_backwards() -> None:
    battle = arena(ship("a", x=5_000.0))

    run(battle, 300, a=Order(throttle=-0.4, rudder=0.0))

    assert unit_of(battle.battle, "a").motion.vx == pytest.approx(-15.0 * sqrt(0.2), rel=0.01)


def test_a_ship_at_rest_does_not_turn() -> None:
    battle = arena(ship("a"))

    run(battle, 30, a=Order(throttle=0.0, rudder=1.0))

    assert unit_of(battle.battle, "a").heading == 0.0


def test_positive_rudder_turns_left_and_costs_way() -> None:
    battle = arena(ship("a", speed=15.0))

    run(battle, 20, a=Order(throttle=1.0, rudder=1.0))

    unit = unit_of(battle.battle, "a")
    assert 0.5 < unit.heading < pi
    assert unit.speed < 14.0
    assert unit.motion.rudder == 1.0


def test_the_rudder_works_the_other_way_going_astern() -> None:
    battle = arena(ship("a"))

    run(battle, 20, a=Order(throttle=-0.4, rudder=1.0))

    assert unit_of(battle.battle, "a").heading > pi


def test_throttle_and_rudder_take_time() -> None:
    battle = arena(ship("a"))

    run(battle, 1, a=Order(throttle=1.0, rudder=-1.0))

    motion = unit_of(battle.battle, "a").motion
    assert motion.throttle == pytest.approx(0.25)
    assert motion.rudder == pytest.approx(-0.5)


def test_a_drifting_hull_follows_the_current_of_its_layer() -> None:
    area = {"currents": {"kind": "uniform", "vector": [1.0, -0.5]}}
    battle = arena(ship("a"), ship("b", class_id="attack_sub", x=1_000.0, layer="SUBMERGED"), area=area)

    run(battle, 10, a=STILL, b=STILL)

    above, below = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")
    assert (above.x, above.y) == pytest.approx((10.0, -5.0))
    assert (below.x, below.y) == pytest.approx((1_006.0, -3.0))


def test_current_zones_add_their_vector() -> None:
    zone = {
        "shape": {"type": "circle", "radius": 500},
        "position": [0, 0],
        "modifier_type": "CURRENT",
        "intensity": 0.5,
        "vector": [2.0, 0.0],
    }
    battle = arena(ship("a"), area={"zones": [zone]})

    run(battle, 10, a=STILL)

    assert unit_of(battle.battle, "a").x == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("change", "share"),
    [
        pytest.param("flood", 1.0 - 0.3 * 0.5, id="half-flooded"),
        pytest.param("engine", 0.15 + 0.85 * 0.5, id="half-an-engine"),
        pytest.param("dead", 0.0, id="no-engine"),
        pytest.param("fuel", 0.35, id="empty-tank"),
    ],
)
def test_damage_and_empty_tanks_lower_the_speed_limit(change: str, share: float) -> None:
    battle = arena(ship("a")).battle
    unit = unit_of(battle, "a")
    if change == "flood":
        unit.hull.flood = 0.5
    elif change == "fuel":
        unit.stores.fuel = 0.0
    else:
        unit.hull.systems[System.PROPULSION] = 0.5 if change == "engine" else 0.05

    assert speed_limit(battle, unit) == pytest.approx(15.0 * share)


@pytest.mark.parametrize(
    ("class_id", "top", "loss"),
    [
        pytest.param("corvette", 15.0, 0.03, id="small"),
        pytest.param("frigate", 14.0, 0.02, id="medium"),
        pytest.param("dreadnought", 11.0, 0.01, id="large"),
        pytest.param("arcology", 4.0, 0.005, id="city"),
    ],
)
def test_heavy_seas_slow_small_hulls_most(class_id: str, top: float, loss: float) -> None:
    battle = arena(ship("a", class_id=class_id), area={"weather": {"sea_state": 5.0}}).battle

    assert speed_limit(battle, unit_of(battle, "a")) == pytest.approx(top * (1.0 - loss * 5.0))


def test_weather_does_not_slow_what_is_below() -> None:
    below = ship("a", class_id="attack_sub", layer="SUBMERGED")
    battle = arena(below, area={"weather": {"sea_state": 9.0}}).battle

    assert speed_limit(battle, unit_of(battle, "a")) == 10.0


def test_speed_zones_and_vents_raise_the_limit() -> None:
    def zone(kind: str) -> dict[str, object]:
        return {"shape": {"type": "circle", "radius": 500}, "position": [0, 0], "modifier_type": kind, "intensity": 0.6}

    area = {"zones": [zone("SPEED_BONUS"), zone("SPEED_BONUS"), zone("VENT")]}
    battle = arena(
        ship("a"),
        ship("b", class_id="deep_runner", x=200.0, layer="ABYSSAL"),
        ship("c", x=2_000.0),
        area=area,
    ).battle

    assert speed_limit(battle, unit_of(battle, "a")) == pytest.approx(15.0 * 1.5)
    assert speed_limit(battle, unit_of(battle, "b")) == pytest.approx(5.0 * 1.5 * 1.6)
    assert speed_limit(battle, unit_of(battle, "c")) == 15.0


def test_a_grounded_ship_moves_only_astern() -> None:
    battle = arena(ship("a"), ship("b", y=1_000.0), area={"bathymetry": {"kind": "uniform", "depth_m": 4.2}})
    for name in ("a", "b"):
        unit_of(battle.battle, name).mark(UnitStatus.GROUNDED)

    run(battle, 30, a=Order(throttle=1.0, rudder=0.0), b=Order(throttle=-0.4, rudder=0.0))

    assert unit_of(battle.battle, "a").speed == 0.0
    assert unit_of(battle.battle, "b").motion.vx < -0.5
