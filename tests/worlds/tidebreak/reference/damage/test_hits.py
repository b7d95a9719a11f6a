"""One hit: armor, hit points, people, credit, critical effects."""

from collections import Counter

import pytest

from diorama.worlds.tidebreak.codes import DamageType, Layer, System, UnitStatus
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import StampField
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.armour import effective_damage
from diorama.worlds.tidebreak.reference.systems.breakage import break_something
from diorama.worlds.tidebreak.reference.systems.criticals import (
    CHANCES_ABOVE,
    CHANCES_BELOW,
    Critical,
    critical_chance,
    critical_effect,
)
from diorama.worlds.tidebreak.reference.systems.damage import finish_hulls
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, hurt, ship

CHI_SQUARE_6_AT_1_PERCENT = 16.81


@pytest.fixture
def duel() -> Battle:
    return battle_of(ship("corvette", 0), ship("frigate", 1, x=3000.0))


@pytest.mark.parametrize(
    ("damage_type", "expected"),
    [
        (DamageType.KINETIC, 85.0),
        (DamageType.EXPLOSIVE, 92.5),
        (DamageType.UNDERWATER, 96.25),
        (DamageType.THERMAL, 100.0),
        (DamageType.PRESSURE, 100.0),
    ],
)
def test_armor_counts_by_type(damage_type: DamageType, expected: float) -> None:
    assert effective_damage(100.0, damage_type, 15.0, in_transit=False) == expected


def test_eight_percent_always_gets_through_and_transit_makes_it_worse() -> None:
    assert effective_damage(14.0, DamageType.KINETIC, 15.0, in_transit=False) == pytest.approx(1.12)
    assert effective_damage(100.0, DamageType.KINETIC, 0.0, in_transit=True) == 125.0


def test_a_hit_is_credited_on_both_sides(duel: Battle) -> None:
    source, target = duel.units

    hurt(duel, target, 86.0, source=source.id)

    assert target.hull.hp == 720.0
    assert target.tally.damage_taken == source.tally.damage_dealt == target.scratch.effective_taken == 80.0
    assert source.tally.hits == 1
    assert source.scratch.dealt == pytest.approx(80.0 / 800.0 * 200.0)
    assert target.memory.last_damage_by == source.id
    assert source.memory.harmed_at[target.team] == duel.tick
    event = events(duel, EventKind.DAMAGE)[0]
    assert (event.source, event.target, event.f0) == (1, 2, 80.0)


def test_a_hulls_worth_of_damage_costs_forty_percent_of_the_crew(duel: Battle) -> None:
    target = duel.units[1]

    hurt(duel, target, 406.0)

    # 240 people, half a hull: a running loss of 48.
    assert (target.crew.alive, target.crew.killed, target.crew.wounded) == (192, 19, 28)


def test_burning_eats_hit_points_but_neither_people_nor_systems(duel: Battle) -> None:
    target = duel.units[1]

    hurt(duel, target, 400.0, can_crit=False, ignores_armour=True)

    assert (target.hull.hp, target.crew.alive, target.scratch.hits_taken) == (400.0, 240, 0)
    assert target.hull.systems == [1.0] * 5


def test_damage_in_transit_adds_up_for_the_transition(duel: Battle) -> None:
    target = duel.units[1]
    target.layer.mode, target.layer.target_layer = IN_TRANSIT, Layer.SUBMERGED

    hurt(duel, target, 86.0)

    assert target.layer.trans_damage == pytest.approx(100.0)
    assert target.hull.hp == pytest.approx(700.0)


def test_who_is_gone_is_not_damaged_again(duel: Battle) -> None:
    target = duel.units[1]
    target.mark(UnitStatus.EXITED)

    hurt(duel, target, 100.0, source=1)

    assert target.hull.hp == 800.0
    assert duel.units[0].tally.hits == 0


@pytest.mark.parametrize(
    ("damage_type", "ignores_armour", "stamps"),
    [(DamageType.KINETIC, False, 2), (DamageType.EXPLOSIVE, False, 2), (DamageType.KINETIC, True, 0)],
)
def test_shells_and_missiles_leave_smoke_and_collisions_do_not(
    duel: Battle, damage_type: DamageType, ignores_armour: bool, stamps: int
) -> None:
    outputs = hurt(duel, duel.units[1], 50.0, source=1, type=damage_type, ignores_armour=ignores_armour)

    assert len(outputs.of(StampField)) == stamps


def test_the_chance_of_a_critical_grows_with_the_share_of_the_hull_and_is_capped() -> None:
    assert critical_chance(80.0, 800.0) == pytest.approx(0.15)
    assert critical_chance(800.0, 800.0) == 0.75


@pytest.mark.parametrize(
    ("damage_type", "chances"),
    [(DamageType.KINETIC, CHANCES_ABOVE), (DamageType.UNDERWATER, CHANCES_BELOW)],
    ids=["kinetic", "underwater"],
)
def test_critical_effects_come_up_as_often_as_the_table_says(
    damage_type: DamageType, chances: tuple[float, ...]
) -> None:
    battle = battle_of(ship("corvette", 0), ship("skimmer", 1, x=3000.0))
    target = battle.units[1]
    hits = 12_000
    for number in range(hits):
        battle.tick = number
        target.hull.hp, target.scratch.hits_taken = target.spec.hull.hp_max, 0
        hurt(battle, target, 14.0, source=1, type=damage_type)

    effects = Counter(event.i0 for event in events(battle, EventKind.CRITICAL))
    total = sum(effects.values())
    assert total / hits == pytest.approx(0.75, abs=0.02)
    statistic = sum(
        (effects[effect] - chance * total) ** 2 / (chance * total)
        for effect, chance in zip(Critical, chances, strict=True)
    )
    assert statistic < CHI_SQUARE_6_AT_1_PERCENT


def test_every_draw_picks_an_effect() -> None:
    assert critical_effect(DamageType.KINETIC, 0.0) is Critical.PROPULSION
    assert critical_effect(DamageType.KINETIC, 0.219) is Critical.PROPULSION
    assert critical_effect(DamageType.KINETIC, 0.23) is Critical.BALLAST
    assert critical_effect(DamageType.PRESSURE, 1.0 - 2.0**-53) is Critical.FLOOD


@pytest.mark.parametrize(
    ("class_id", "fraction", "ceiling"), [("corvette", 0.5, 0.75), ("frigate", 0.75, 0.875), ("dreadnought", 0.9, 0.95)]
)
def test_a_broken_system_loses_by_tier_and_its_ceiling_by_half_of_it(
    class_id: str, fraction: float, ceiling: float
) -> None:
    battle = battle_of(ship(class_id, 0), ship("corvette", 1, x=3000.0))
    unit = battle.units[0]

    break_something(battle, unit, Critical.WEAPONS, None, 0)

    assert unit.hull.systems[System.WEAPONS] == pytest.approx(fraction)
    assert unit.hull.ceilings[System.WEAPONS] == pytest.approx(ceiling)


def test_systems_fire_and_flood_stay_between_nothing_and_all(duel: Battle) -> None:
    unit = duel.units[0]
    for effect in list(Critical) * 5:
        break_something(duel, unit, effect, None, 0)

    assert unit.hull.systems == [0.0] * 5
    assert unit.hull.ceilings == [0.0] * 5
    assert (unit.hull.fire, unit.hull.flood) == (1.0, 1.0)
    assert len(events(duel, EventKind.FIRE_STARTED)) == len(events(duel, EventKind.FLOODING_STARTED)) == 1


def test_nothing_burns_below_the_surface() -> None:
    battle = battle_of(ship("attack_sub", 0, state={"layer": "SUBMERGED"}), ship("corvette", 1, x=3000.0))
    unit = battle.units[0]

    break_something(battle, unit, Critical.FIRE, None, 0)

    assert (unit.hull.fire, unit.hull.flood) == (0.0, 0.3)


def test_status_bits_follow_from_the_hull(duel: Battle) -> None:
    unit = duel.units[0]
    unit.hull.systems = [0.05, 0.2, 0.2, 1.0, 1.0]
    unit.hull.fire, unit.hull.flood = 0.06, 0.04
    unit.mark(UnitStatus.FLOODING)

    finish_hulls(duel, hurt(duel, unit, 0.0))

    shown = UnitStatus.MOBILITY_DISABLED | UnitStatus.WEAPONS_DISABLED | UnitStatus.SENSORS_DISABLED
    assert unit.identity.status == shown | UnitStatus.ON_FIRE | UnitStatus.DEAD_IN_WATER
