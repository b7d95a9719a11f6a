"""Battles of every class, fought by scripts: whatever happens, the numbers stay within their bounds."""

import pytest

from diorama.worlds.tidebreak.codes import SizeClass
from diorama.worlds.tidebreak.limits import MUNITIONS_MAX
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.scripts.registry import controller_named
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.tick import advance, look_around_first
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, ship

FLEETS = {
    "gunboats": ("skimmer", "cutter", "corvette", "corvette"),
    "line": ("frigate", "assault_transport", "freighter", "rig"),
    "deep": ("attack_sub", "deep_runner", "corvette", "station"),
    "capitals": ("dreadnought", "carrier", "arcology", "fortress"),
}


def melee(fleet: str, seed: int) -> Battle:
    ships = []
    for team in (0, 1):
        for row, class_id in enumerate(FLEETS[fleet]):
            is_deep = class_id in ("attack_sub", "deep_runner")
            state = {"layer": "SUBMERGED"} if is_deep else {}
            ships.append(ship(class_id, team, x=3000.0 * team - 1500.0, y=900.0 * row, state=state))
    battle = battle_of(*ships, seed=seed, rules={"fields": True})
    for unit in battle.units:
        battle.controllers[unit.id] = controller_named("script:auto")
    look_around_first(battle)
    return battle


def check(unit: Unit) -> None:
    hull, crew = unit.hull, unit.crew
    assert 0.0 <= hull.hp <= unit.spec.hull.hp_max
    for fraction in (*hull.systems, *hull.ceilings, hull.fire, hull.flood, unit.morale.morale):
        assert 0.0 <= fraction <= 1.0
    for part in unit.compartments:
        assert 0.0 <= part.integrity <= 1.0
        assert 0.0 <= part.fire <= 1.0
        assert 0.0 <= part.flood <= 1.0
    assert 0 <= crew.killed + crew.wounded <= unit.spec.crew.crew_start - crew.alive
    assert all(mount.ammo >= -1 for mount in unit.mounts)
    assert unit.is_present or unit.identity.size != SizeClass.XL


@pytest.mark.parametrize("fleet", FLEETS)
def test_numbers_stay_within_their_bounds(fleet: str) -> None:
    battle = melee(fleet, seed=11)
    for _ in range(90):
        advance(battle)
        assert len(battle.munitions) <= MUNITIONS_MAX
        for unit in battle.units:
            check(unit)

    assert events(battle, EventKind.WEAPON_FIRED)
    ids = {event.id: event.kind for event in battle.log}
    for event in events(battle, EventKind.HIT):
        assert ids[event.cause] is EventKind.WEAPON_FIRED
    for event in events(battle, EventKind.CRITICAL):
        assert ids[event.cause] is EventKind.DAMAGE


def test_the_same_seed_fights_the_same_battle() -> None:
    logs = []
    for _ in range(2):
        battle = melee("gunboats", seed=5)
        for _ in range(60):
            advance(battle)
        logs.append(list(battle.log))

    assert logs[0] == logs[1]
    assert any(event.kind is EventKind.DAMAGE for event in logs[0])
