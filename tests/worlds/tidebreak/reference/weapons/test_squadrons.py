"""Squadrons: they take off, strike once, come home, or are lost."""

import pytest

from diorama.worlds.tidebreak.codes import UnitStatus, WeaponGroup
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import FireGroup, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.damage import resolve_damage
from diorama.worlds.tidebreak.reference.systems.fire import fire_group
from diorama.worlds.tidebreak.reference.systems.fire_conditions import Refusal, refusal
from diorama.worlds.tidebreak.reference.systems.fuel import burn_fuel, resolve_stores
from diorama.worlds.tidebreak.reference.systems.point_defence import point_defence
from diorama.worlds.tidebreak.reference.systems.squadrons import craft_left, lose_craft, move_squadrons
from tests.worlds.tidebreak.reference.weapons.scenes import (
    battle_of,
    events,
    fly,
    hold,
    place_of,
    ship,
    shoot,
    squadrons,
)


@pytest.fixture
def strike() -> tuple[Battle, Unit]:
    """A carrier that has sent one squadron against a frigate five kilometers away."""
    battle = battle_of(ship("carrier", 0), ship("frigate", 1, x=5000.0))
    carrier = battle.units[0]
    hold(carrier, battle.units[1])
    for mount in carrier.mounts[1:3]:
        mount.ready_at = 10_000
    assert fire_group(battle, carrier, WeaponGroup.AIR, carrier.tracks.get(1))
    (squadron,) = squadrons(battle)
    return battle, squadron


def pass_time(battle: Battle, ticks: int) -> None:
    for _ in range(ticks):
        for _ in range(battle.rules.substeps):
            outputs = Outputs()
            move_squadrons(battle, outputs)
            resolve_damage(battle, outputs)
        outputs = Outputs()
        for unit in battle.present_units():
            burn_fuel(battle, unit, outputs.emitter(Plugin.FUEL))
        resolve_stores(battle, outputs)
        battle.tick += 1


def test_a_squadron_of_eight_leaves_the_carrier(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike

    assert craft_left(squadron) == 8
    assert squadron.hull.hp == 120.0
    assert (squadron.x, squadron.y, squadron.team) == (0.0, 0.0, 0)
    assert [event.target for event in events(battle, EventKind.SQUADRON_LAUNCHED)] == [squadron.id]
    assert battle.units[0].tally.shots[WeaponGroup.AIR - 1] == 1


def test_it_strikes_once_inside_800_meters_and_comes_home(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    pass_time(battle, 46)
    before = squadron.memory.has_struck

    pass_time(battle, 2)
    assert [before, squadron.memory.has_struck] == [False, True]
    hits = len(events(battle, EventKind.HIT))
    assert battle.units[1].hull.hp == pytest.approx(800.0 - hits * 37.0)

    while squadron.is_present:
        pass_time(battle, 1)
    assert squadron.has(UnitStatus.EXITED)
    assert len(events(battle, EventKind.HIT)) == hits
    assert battle.units[0].mounts[0].ready_at == battle.tick - 1 + 180


def test_the_mount_waits_for_its_craft(strike: tuple[Battle, Unit]) -> None:
    battle, _ = strike
    battle.tick = 100_000
    carrier = battle.units[0]

    assert refusal(battle, carrier, 0, carrier.tracks.get(1)) is Refusal.RELOADING


def test_craft_score_thirty_five_times_in_a_hundred() -> None:
    scores = 0
    for seed in range(1, 121):
        battle = battle_of(ship("carrier", 0), ship("dreadnought", 1, x=850.0), seed=seed)
        carrier = battle.units[0]
        hold(carrier, battle.units[1])
        carrier.mounts[1].ready_at = carrier.mounts[2].ready_at = 10_000
        fire_group(battle, carrier, WeaponGroup.AIR, carrier.tracks.get(1))
        pass_time(battle, 1)
        scores += len(events(battle, EventKind.HIT))

    assert scores / (120 * 8) == pytest.approx(0.35, abs=0.045)


def test_it_is_lost_when_its_fuel_runs_out(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    track = battle.units[0].tracks.get(1)
    assert track is not None
    battle.units[1].transform.x = track.x = 1e6

    pass_time(battle, 420)
    assert squadron.is_present
    pass_time(battle, 1)

    assert squadron.has(UnitStatus.DESTROYED)
    assert events(battle, EventKind.SQUADRON_LOST)


def test_it_is_lost_when_the_carrier_is_gone(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    battle.units[0].mark(UnitStatus.DESTROYED)

    pass_time(battle, 1)

    assert squadron.has(UnitStatus.DESTROYED)


def test_it_turns_back_when_the_track_is_lost(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    pass_time(battle, 10)
    battle.units[0].tracks.tracks.clear()

    pass_time(battle, 30)

    assert squadron.has(UnitStatus.EXITED)
    assert not squadron.memory.has_struck


def test_point_defence_takes_one_craft_at_a_time(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    frigate = battle.units[1]
    squadron.transform.x = 4000.0
    outputs = Outputs()
    point_defence(battle, frigate, outputs.emitter(Plugin.POINT_DEFENCE))
    assert {order.target for order in outputs.of(FireGroup)} == {squadron.id}

    for left in range(7, -1, -1):
        lose_craft(battle, squadron, killer=frigate, cause=0)
        assert craft_left(squadron) == left

    assert squadron.has(UnitStatus.DESTROYED)


def test_only_autocannons_can_shoot_at_it(strike: tuple[Battle, Unit]) -> None:
    battle, squadron = strike
    frigate = battle.units[1]
    squadron.transform.x = 3500.0
    track = hold(frigate, squadron)

    assert refusal(battle, frigate, place_of(battle, frigate, "AC30"), track) is None
    assert refusal(battle, frigate, place_of(battle, frigate, "M80"), track) is Refusal.WRONG_LAYER
    for weapon, hits in (("G127", 0), ("AC30", 6)):
        salvo = shoot(battle, frigate, weapon, (3500.0, 0.0))
        salvo.spread, salvo.remaining = 0.0, 0.05
        fly(battle, 1)
        assert squadron.scratch.hits_taken == hits


def test_no_more_than_thirty_two_fly_at_once(strike: tuple[Battle, Unit]) -> None:
    battle, _ = strike
    carrier = battle.units[0]
    track = carrier.tracks.get(1)
    for _ in range(31):
        carrier.mounts[0].ready_at = 0
        fire_group(battle, carrier, WeaponGroup.AIR, track)
    assert len(squadrons(battle)) == 32

    carrier.mounts[0].ready_at = 0

    assert refusal(battle, carrier, 0, track) is Refusal.MUNITION_CAP
    assert not fire_group(battle, carrier, WeaponGroup.AIR, track)
