"""What becomes of hulls, by size, and who gets the credit."""

import pytest

from diorama.worlds.tidebreak.codes import System, UnitStatus
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import StampField
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.damage import finish_hulls
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, hurt, ship


def doomed(class_id: str) -> tuple[Battle, Unit]:
    battle = battle_of(ship("corvette", 0, x=3000.0), ship(class_id, 1))
    return battle, battle.units[1]


def reduce_to(battle: Battle, unit: Unit, hp: float, **fields: object) -> None:
    """Bring a unit to these hit points with one blow that breaks nothing."""
    hurt(battle, unit, unit.hull.hp - hp, source=1, can_crit=False, ignores_armour=True, **fields)


@pytest.mark.parametrize("class_id", ["skimmer", "corvette", "frigate", "rig"])
def test_small_and_medium_hulls_sink(class_id: str) -> None:
    battle, unit = doomed(class_id)

    reduce_to(battle, unit, -5.0)

    assert unit.hull.hp == 0.0
    assert unit.has(UnitStatus.DESTROYED)
    assert battle.units[0].tally.kills == 1
    assert battle.units[0].scratch.credited_cost == unit.spec.hull.cost
    (event,) = events(battle, EventKind.DESTROYED)
    assert (event.source, event.target, event.cause) == (1, 2, unit.memory.last_damage_event)


def test_a_sinking_leaves_its_traces() -> None:
    battle, unit = doomed("corvette")

    outputs = hurt(battle, unit, 9999.0, source=1, can_crit=False)

    assert [stamp.source for stamp in outputs.of(StampField)][-2:] == [2, 2]


@pytest.mark.parametrize(
    ("hp", "propulsion", "is_disabled"), [(119.0, 0.05, True), (121.0, 0.05, False), (119.0, 0.2, False)]
)
def test_a_medium_hull_without_engines_and_strength_is_disabled(
    hp: float, propulsion: float, is_disabled: bool
) -> None:
    battle, unit = doomed("frigate")
    unit.hull.systems[System.PROPULSION] = propulsion

    reduce_to(battle, unit, hp)

    assert unit.has(UnitStatus.DISABLED) is is_disabled


@pytest.mark.parametrize(("flood", "status"), [(0.6, UnitStatus.DESTROYED), (0.59, UnitStatus.DISABLED)])
def test_a_capital_sinks_only_when_it_is_full_of_water(flood: float, status: UnitStatus) -> None:
    battle, unit = doomed("dreadnought")
    unit.hull.flood = flood

    reduce_to(battle, unit, -100.0)

    assert unit.has(status)
    assert unit.is_present is (status is UnitStatus.DISABLED)
    assert unit.hull.hp == (1.0 if unit.is_present else 0.0)


def test_a_capital_is_disabled_at_a_fifth_of_its_strength() -> None:
    battle, unit = doomed("dreadnought")
    reduce_to(battle, unit, 961.0)
    assert not unit.has(UnitStatus.DISABLED)

    reduce_to(battle, unit, 960.0)

    assert unit.has(UnitStatus.DISABLED)
    assert battle.units[0].tally.kills == 0
    assert battle.units[0].scratch.credited_cost == 1000.0


def test_a_loss_is_paid_once() -> None:
    battle, unit = doomed("dreadnought")
    unit.hull.flood = 0.7
    reduce_to(battle, unit, 900.0)
    reduce_to(battle, unit, -1.0)

    assert unit.has(UnitStatus.DESTROYED)
    assert battle.units[0].tally.kills == 1
    assert battle.units[0].scratch.credited_cost == 1000.0
    assert len(events(battle, EventKind.DISABLED)) == len(events(battle, EventKind.DESTROYED)) == 1


def test_a_city_is_never_destroyed() -> None:
    battle, unit = doomed("arcology")
    unit.hull.flood = 1.0
    for tick in range(200):
        battle.tick = tick
        hurt(battle, unit, 5000.0, source=1, direction=0.1 * tick)
        finish_hulls(battle, hurt(battle, unit, 1000.0, source=1, can_crit=False, ignores_armour=True))

    assert unit.is_present
    assert unit.has(UnitStatus.DISABLED)
    assert unit.hull.hp == 0.05 * 24_000.0
    assert 0 <= unit.crew.alive <= 20_000


def test_only_a_city_killer_can() -> None:
    battle, unit = doomed("arcology")

    reduce_to(battle, unit, -1.0, city_killer=True)

    assert unit.has(UnitStatus.DESTROYED)


def test_sinking_a_friend_is_no_kill() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 0, x=500.0), ship("corvette", 1, x=3000.0))

    hurt(battle, battle.units[1], 9999.0, source=1, can_crit=False)

    assert battle.units[1].has(UnitStatus.DESTROYED)
    assert battle.units[0].tally.kills == 0
    assert battle.units[0].scratch.credited_cost == 0.0
    assert battle.units[0].scratch.dealt_own > 0.0


def test_who_burns_to_death_was_killed_by_whoever_hit_it_last() -> None:
    battle, unit = doomed("corvette")
    hurt(battle, unit, 20.0, source=1)

    hurt(battle, unit, 9999.0, can_crit=False, ignores_armour=True)

    assert battle.units[0].tally.kills == 1
