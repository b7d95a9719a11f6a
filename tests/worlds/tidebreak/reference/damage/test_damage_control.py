"""Each tick aboard: burning, flooding, and the crew's work against them."""

import pytest

from diorama.worlds.tidebreak.codes import DcFocus, System
from diorama.worlds.tidebreak.reference.outputs import Component, Damage, HullField, Modify, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.damage_control import damage_control, rates, resolve_sustain, strength
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, ship


@pytest.fixture
def battle() -> Battle:
    return battle_of(ship("frigate", 0), ship("dreadnought", 1, x=3000.0))


def sustain(battle: Battle, ticks: int = 1) -> None:
    for _ in range(ticks):
        resolve_sustain(battle, Outputs())


def burning(battle: Battle, unit: Unit) -> list[Damage]:
    outputs = Outputs()
    damage_control(battle, unit, outputs.emitter(Plugin.DAMAGE_CONTROL))
    return outputs.of(Damage)


def test_fire_and_water_eat_the_hull(battle: Battle) -> None:
    unit = battle.units[0]
    assert burning(battle, unit) == []

    unit.hull.fire, unit.hull.flood = 0.5, 0.2

    (damage,) = burning(battle, unit)
    assert damage.amount == pytest.approx(800.0 * (0.002 * 0.5 + 0.0015 * 0.2))
    assert damage.ignores_armour
    assert not damage.can_crit


def test_strength_needs_skill_people_and_rest(battle: Battle) -> None:
    unit = battle.units[0]
    assert strength(unit) == pytest.approx(1.0)

    unit.crew.alive, unit.crew.fatigue, unit.crew.engineering = 120, 1.0, 1.0

    assert strength(unit) == pytest.approx(1.5 * 0.5 * 0.7)


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        (DcFocus.BALANCED, (0.004, 0.002, 0.001)),
        (DcFocus.FIRE, (0.012, 0.001, 0.0005)),
        (DcFocus.FLOOD, (0.002, 0.006, 0.0005)),
        (DcFocus.REPAIR, (0.002, 0.001, 0.003)),
    ],
)
def test_focus_trades_one_work_for_the_others(focus: DcFocus, expected: tuple[float, float, float]) -> None:
    work = rates(focus, 1.0)

    assert (work.fire, work.flood, work.repair) == pytest.approx(expected)


def test_fire_and_flood_decay_to_nothing(battle: Battle) -> None:
    unit = battle.units[0]
    unit.hull.fire = unit.hull.flood = 0.3

    sustain(battle, 10)
    assert [unit.hull.fire, unit.hull.flood] == pytest.approx([0.26, 0.28])

    sustain(battle, 150)
    assert (unit.hull.fire, unit.hull.flood) == (0.0, 0.0)


def test_systems_are_repaired_up_to_their_ceiling(battle: Battle) -> None:
    hull = battle.units[0].hull
    hull.systems[System.WEAPONS], hull.ceilings[System.WEAPONS] = 0.5, 0.505
    hull.systems[System.POWER], hull.ceilings[System.POWER] = 0.8, 0.7

    sustain(battle, 3)
    assert hull.systems[System.WEAPONS] == pytest.approx(0.503)

    sustain(battle, 10)
    assert hull.systems[System.WEAPONS] == 0.505
    assert hull.systems[System.POWER] == 0.8


def test_on_capitals_the_worst_compartment_comes_first(battle: Battle) -> None:
    unit = battle.units[1]
    unit.compartments[2].fire, unit.compartments[5].fire = 0.02, 0.04

    sustain(battle)

    assert [unit.compartments[5].fire, unit.compartments[2].fire] == pytest.approx([0.008, 0.02])
    assert unit.hull.fire == pytest.approx(0.028 / 8.0)


def test_a_breach_is_stopped_once_its_compartment_is_dry(battle: Battle) -> None:
    unit = battle.units[1]
    unit.compartments[4].breached = True

    sustain(battle)

    assert unit.compartments[4].flood == 0.0
    assert not unit.compartments[4].breached


def test_two_breaches_are_more_than_a_balanced_crew_can_pump(battle: Battle) -> None:
    unit = battle.units[1]
    unit.compartments[3].breached = unit.compartments[4].breached = True
    unit.compartments[3].flood = unit.compartments[4].flood = 0.2

    sustain(battle, 50)
    assert unit.hull.flood == pytest.approx((0.4 + 50 * (0.02 - 0.016)) / 8.0)

    unit.posture.dc_focus = DcFocus.FLOOD
    sustain(battle, 60)
    assert unit.hull.flood == 0.0


def test_others_may_change_the_hull_within_its_range(battle: Battle) -> None:
    frigate, dreadnought = battle.units
    outputs = Outputs()
    sensors = HullField.SYSTEMS + System.SENSORS
    outputs.emit(Plugin.HAZARD, Modify(1, 1, Component.HULL, sensors, -0.25))
    outputs.emit(Plugin.TRANSITION, Modify(1, 1, Component.HULL, HullField.FLOOD, 0.3))
    outputs.emit(Plugin.TRANSITION, Modify(2, 2, Component.HULL, HullField.FLOOD, 7.0))
    frigate.hull.ceilings[System.SENSORS] = 0.0

    resolve_sustain(battle, outputs)

    assert frigate.hull.systems[System.SENSORS] == 0.75
    assert frigate.hull.flood == pytest.approx(0.298)
    assert dreadnought.hull.flood == pytest.approx(1.0 - 0.002)
