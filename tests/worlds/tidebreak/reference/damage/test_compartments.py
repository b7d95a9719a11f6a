"""Compartments and districts: where hits land, what they carry, how fire and water spread."""

import pytest

from diorama.numerics import HALF_PI, PI
from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.compartments import (
    DISTRICT_HOSTS,
    HULL_HOSTS,
    spread_fire_and_flood,
    struck_compartment,
    usable,
)
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, hurt, ship


@pytest.fixture
def capital() -> Battle:
    return battle_of(ship("dreadnought", 0), ship("corvette", 1, x=3000.0))


@pytest.fixture
def city() -> Battle:
    return battle_of(ship("arcology", 0), ship("corvette", 1, x=3000.0))


@pytest.mark.parametrize(
    ("bearing", "compartment"),
    [
        (0.0, 0),
        (PI / 8 - 0.01, 0),
        (PI / 8 + 0.01, 1),
        (-PI / 8 - 0.01, 2),
        (HALF_PI, 3),
        (-HALF_PI, 4),
        (3 * PI / 4, 5),
        (-3 * PI / 4, 6),
        (7 * PI / 8 + 0.01, 7),
        (-PI, 7),
    ],
)
def test_the_bearing_of_a_hit_picks_the_compartment(bearing: float, compartment: int) -> None:
    assert struck_compartment(bearing) == compartment


@pytest.mark.parametrize("hosts", [HULL_HOSTS, DISTRICT_HOSTS], ids=["hull", "city"])
def test_the_weights_of_every_system_sum_to_one(hosts: tuple[tuple[tuple[int, float], ...], ...]) -> None:
    assert [sum(weight for _, weight in system) for system in hosts] == pytest.approx([1.0] * 5)


def test_a_hit_takes_its_share_of_the_hull_from_one_compartment(capital: Battle) -> None:
    unit = capital.units[0]

    hurt(capital, unit, 315.0, direction=unit.heading + HALF_PI)

    assert unit.compartments[3].integrity == pytest.approx(1.0 - 300.0 * 8.0 / 4800.0)
    assert sum(part.integrity < 1.0 for part in unit.compartments) == 1
    hurt(capital, unit, 315.0, direction=unit.heading + HALF_PI)
    assert unit.compartments[3].integrity == 0.0
    assert unit.compartments[3].breached


def test_one_hit_in_five_goes_to_the_heart_of_a_city(city: Battle) -> None:
    unit = city.units[0]
    inner = 0
    for tick in range(2000):
        city.tick = tick
        unit.scratch.hits_taken = 0
        for part in unit.compartments:
            part.integrity = 1.0
        hurt(city, unit, 100.0)
        struck = [index for index, part in enumerate(unit.compartments) if part.integrity < 1.0]
        assert len(struck) == 1
        inner += struck[0] >= 8

    assert inner / 2000 == pytest.approx(0.2, abs=0.03)


def test_a_system_gives_no_more_than_the_compartments_it_lives_in(capital: Battle) -> None:
    unit = capital.units[0]
    unit.compartments[7].integrity = 0.4

    assert usable(unit, System.PROPULSION) == pytest.approx(0.25 + 0.25 + 0.5 * 0.4)
    assert usable(unit, System.SENSORS) == pytest.approx(1.0)
    unit.compartments[7].integrity = 0.0
    assert usable(unit, System.PROPULSION) == pytest.approx(0.55)
    unit.compartments[7].flood = 0.81
    assert usable(unit, System.PROPULSION) == pytest.approx(0.5)
    unit.hull.systems[System.PROPULSION] = 0.2
    assert usable(unit, System.PROPULSION) == pytest.approx(0.2)


def test_small_hulls_have_only_the_fraction() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=3000.0))
    battle.units[0].hull.systems[System.POWER] = 0.3

    assert usable(battle.units[0], System.POWER) == 0.3


def test_fire_and_water_pass_the_doors_from_where_there_is_much_of_them(capital: Battle) -> None:
    unit = capital.units[0]
    unit.compartments[0].fire, unit.compartments[7].flood, unit.compartments[3].fire = 0.6, 0.8, 0.5

    spread_fire_and_flood(unit)

    leak = 1.0 - 0.7
    assert [part.fire for part in unit.compartments] == pytest.approx(
        [0.6, 0.01 * 0.6 * leak, 0.01 * 0.6 * leak, 0.5, 0.0, 0.0, 0.0, 0.0]
    )
    assert [part.flood for part in unit.compartments] == pytest.approx(
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.006 * 0.8 * leak, 0.006 * 0.8 * leak, 0.8]
    )


def test_a_breach_takes_water_every_tick(capital: Battle) -> None:
    unit = capital.units[0]
    unit.compartments[2].breached = True

    spread_fire_and_flood(unit)

    assert unit.compartments[2].flood == pytest.approx(0.01)
