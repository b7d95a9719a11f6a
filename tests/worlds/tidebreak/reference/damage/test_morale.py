"""Morale: what wears it down, and when a crew gives up."""

import pytest

from diorama.worlds.tidebreak.codes import Emissions, UnitStatus
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.morale import (
    lost_share,
    morale_target,
    resolve_morale,
    surrender_chance,
)
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, ship


def cornered(class_id: str = "corvette", *, distance: float = 5000.0, **rules: bool) -> tuple[Battle, Unit]:
    """A unit that has every reason to give up; its check falls on tick 9."""
    battle = battle_of(ship(class_id, 0), ship("corvette", 1, x=distance), rules=rules)
    unit = battle.units[0]
    unit.hull.hp = 0.2 * unit.spec.hull.hp_max
    unit.morale.morale = unit.morale.morale_start = 0.0
    battle.tick = 9
    return battle, unit


def gave_up(battle: Battle, unit: Unit, tries: int = 40) -> bool:
    for _ in range(tries):
        resolve_morale(battle, Outputs())
        battle.tick += 10
    return unit.has(UnitStatus.SURRENDERED)


def test_a_fresh_crew_holds_its_morale() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=3000.0))
    for _ in range(100):
        resolve_morale(battle, Outputs())

    assert battle.units[0].morale.morale == pytest.approx(0.7)


def test_stress_has_the_stated_weights() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=3000.0))
    unit = battle.units[0]
    unit.hull.hp, unit.crew.alive, unit.hull.fire, unit.hull.flood = 270.0, 72, 0.5, 0.25
    unit.crew.command = 1.0

    stress = 0.55 * 0.25 + 0.25 * 0.2 + 0.05 + 0.025 + 0.1 * 0.4 - 0.05 * 0.6
    assert morale_target(unit, 0.4, 0.6) == pytest.approx(0.7 - stress + 0.1)


def test_morale_goes_a_twentieth_of_the_way_each_tick() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=3000.0))
    unit = battle.units[0]
    unit.hull.hp = 0.0
    target = morale_target(unit, 0.0, 0.0)

    resolve_morale(battle, Outputs())

    assert unit.morale.morale == pytest.approx(0.7 + 0.05 * (target - 0.7))


def test_losses_are_shares_of_the_starting_cost() -> None:
    battle = battle_of(ship("frigate", 0), ship("corvette", 0, x=500.0), ship("corvette", 1, x=3000.0))
    frigate, corvette, _ = battle.units
    corvette.mark(UnitStatus.EXITED)
    assert lost_share(battle, [0]) == 0.0

    frigate.mark(UnitStatus.SURRENDERED)

    assert lost_share(battle, [0]) == pytest.approx(200.0 / 270.0)
    assert lost_share(battle, [1]) == 0.0


def test_a_broken_crew_gives_up_and_falls_silent() -> None:
    battle, unit = cornered()
    unit.motion.cmd_throttle = 1.0

    assert gave_up(battle, unit)
    assert (unit.motion.cmd_throttle, unit.posture.emissions) == (0.0, Emissions.SILENT)
    assert not unit.is_effective
    assert len(events(battle, EventKind.SURRENDERED)) == 1


@pytest.mark.parametrize(
    ("class_id", "fields", "rules"),
    [
        pytest.param("arcology", {}, {}, id="city"),
        pytest.param("fortress", {}, {}, id="fortress"),
        pytest.param("corvette", {}, {"surrender": False}, id="rules"),
        pytest.param("corvette", {"hp": 0.35}, {}, id="hull-still-sound"),
        pytest.param("corvette", {"morale": 0.9}, {}, id="morale-still-good"),
    ],
)
def test_who_has_a_reason_fights_on(class_id: str, fields: dict[str, float], rules: dict[str, bool]) -> None:
    battle, unit = cornered(class_id, **rules)
    unit.hull.hp = fields.get("hp", 0.2) * unit.spec.hull.hp_max
    unit.morale.morale = unit.morale.morale_start = fields.get("morale", 0.0)

    assert not gave_up(battle, unit, tries=1 if "morale" in fields else 40)


def test_nobody_surrenders_to_an_enemy_that_is_far_away_or_out_of_the_fight() -> None:
    assert not gave_up(*cornered(distance=6001.0))
    battle, unit = cornered()
    battle.units[1].mark(UnitStatus.DISABLED)
    assert not gave_up(battle, unit)


def test_the_check_comes_every_tenth_tick_by_id() -> None:
    battle, unit = cornered()
    for tick in range(10, 19):
        battle.tick = tick
        resolve_morale(battle, Outputs())

    assert not unit.has(UnitStatus.SURRENDERED)


def test_the_chance_grows_with_despair_and_with_dead_engines() -> None:
    _, unit = cornered()
    unit.morale.morale = 0.125
    assert surrender_chance(unit) == pytest.approx(0.25)

    unit.mark(UnitStatus.DEAD_IN_WATER)

    assert surrender_chance(unit) == pytest.approx(0.45)


@pytest.mark.slow
def test_crews_give_up_as_often_as_the_chance_says() -> None:
    surrendered = 0
    for seed in range(1, 301):
        battle, unit = cornered()
        battle.seed = seed
        resolve_morale(battle, Outputs())
        surrendered += unit.has(UnitStatus.SURRENDERED)

    assert surrendered / 300 == pytest.approx(0.5, abs=0.09)
