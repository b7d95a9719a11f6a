from math import pi

import pytest

from diorama.worlds.tidebreak.codes import Emissions, System
from diorama.worlds.tidebreak.layout import Own
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.observe.own_state import show_own_state
from tests.worlds.tidebreak.reference.sensing.arenas import open_water, ship


def test_a_corvette_knows_itself() -> None:
    battle = open_water(
        ship("a", "corvette", 4_000.0, -8_000.0, heading=pi / 2.0, speed=12.0), ship("b", "corvette", 9_000.0)
    )
    unit = battle.unit(1)
    unit.motion.throttle, unit.motion.rudder, unit.motion.omega = 0.65, -0.5, 0.07
    unit.hull.hp, unit.hull.fire, unit.hull.flood = 180.0, 0.25, 0.5
    unit.hull.systems[System.SENSORS] = 0.75

    obs = show_own_state(battle, unit)

    assert obs[Own.X : Own.Y + 1] == [0.25, -0.5]
    assert obs[Own.SIN_HEADING] == pytest.approx(1.0)
    assert obs[Own.COS_HEADING] == pytest.approx(0.0, abs=1e-12)
    assert obs[Own.SPEED_AHEAD] == pytest.approx(0.4)
    assert obs[Own.SPEED_LEFT] == pytest.approx(0.0, abs=1e-12)
    assert obs[Own.TURN] == pytest.approx(0.5)
    assert obs[Own.THROTTLE : Own.RUDDER + 1] == [0.65, -0.5]
    assert obs[Own.SPEED_LIMIT] == pytest.approx(15.0 * 0.85 / 30.0)
    assert obs[Own.HP] == 0.5
    assert obs[Own.ARMOUR] == 4.0 / 32.0
    assert obs[Own.FUEL] == 1.0
    assert obs[Own.MORALE] == 0.7
    assert obs[Own.CREW : Own.LAYER] == [1.0, 0.5, 0.5, 0.0]
    assert obs[Own.LAYER : Own.EMISSIONS] == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert obs[Own.EMISSIONS : Own.SOURCE_LEVEL] == [0.0, 1.0, 0.0]
    level = 140.0 + 24.0 * 0.64 + 8.0 * (0.1 / 0.3) + 5.0 + 1.0
    assert obs[Own.SOURCE_LEVEL] == pytest.approx((level - 100.0) / 100.0)
    assert obs[Own.IS_DETECTED] == 0.0
    assert obs[Own.SYSTEMS : Own.FIRE] == [1.0, 1.0, 0.75, 1.0, 1.0]
    assert obs[Own.FIRE : Own.READY] == [0.25, 0.5]
    assert obs[Own.READY : Own.AMMO] == [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert obs[Own.AMMO :] == [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]


def test_a_spent_tube_and_a_reloading_gun_show() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 9_000.0))
    unit = battle.unit(1)
    unit.mounts[0].ready_at = 5  # one of three guns
    unit.mounts[3].ammo = 0  # the torpedo tube

    obs = show_own_state(battle, unit)

    assert obs[Own.READY] == pytest.approx(2.0 / 3.0)
    assert (obs[Own.READY + 1], obs[Own.AMMO + 1]) == (0.0, 0.0)


def test_a_dive_shows_how_far_it_is_and_where_it_leads() -> None:
    battle = open_water(ship("a", "attack_sub", 0.0), ship("b", "corvette", 9_000.0))
    unit = battle.unit(1)
    unit.layer.mode, unit.layer.target_layer, unit.layer.elapsed, unit.layer.total = IN_TRANSIT, 1, 6, 30

    obs = show_own_state(battle, unit)

    assert obs[Own.IS_CHANGING_LAYER : Own.EMISSIONS] == [1.0, 0.2, -1.0]
    unit.layer.layer, unit.layer.target_layer = 1, 0
    assert show_own_state(battle, unit)[Own.TRANSIT_DIRECTION] == 1.0


@pytest.mark.parametrize(("ago", "shown"), [(0, 1.0), (10, 1.0), (11, 0.0)])
def test_a_ping_is_remembered_for_ten_ticks(ago: int, shown: float) -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 9_000.0))
    battle.tick = 50
    battle.unit(1).contact_memory.pinged_at = 50 - ago
    battle.unit(1).posture.emissions = Emissions.ACTIVE

    obs = show_own_state(battle, battle.unit(1))

    assert obs[Own.IS_DETECTED] == shown
    assert obs[Own.EMISSIONS : Own.SOURCE_LEVEL] == [0.0, 0.0, 1.0]
