"""Depth charges, mines and point defense."""

import pytest

from diorama.worlds.tidebreak.codes import Layer, UnitStatus
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import FireGroup, Outputs, Plugin, StampField
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.charges_and_mines import blast_share
from diorama.worlds.tidebreak.reference.systems.fire import resolve_fire
from diorama.worlds.tidebreak.reference.systems.point_defence import kill_chance, point_defence
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, fly, place_of, ship, shoot


def hunt(x: float) -> Battle:
    return battle_of(ship("corvette", 0), ship("attack_sub", 1, x=x, state={"layer": "SUBMERGED"}))


def test_charges_sink_for_six_seconds_and_burst_four_times() -> None:
    battle = hunt(1000.0)
    charge = shoot(battle, battle.units[0], "DC", (1000.0, 0.0))
    charge.spread = 0.0

    fly(battle, 158)
    assert not events(battle, EventKind.HIT)
    fly(battle, 3)

    assert charge.remaining <= 0.0
    assert len(events(battle, EventKind.HIT)) == 4
    assert battle.units[1].hull.hp == pytest.approx(280.0 - 4 * (60.0 - 3.0 * 0.25))


def test_a_pattern_is_never_tighter_than_thirty_meters() -> None:
    battle = hunt(1000.0)

    assert shoot(battle, battle.units[0], "DC", (1000.0, 0.0)).spread == pytest.approx(30.0)
    assert shoot(battle, battle.units[0], "DC", (1500.0, 0.0)).spread == pytest.approx(30.0)
    assert shoot(battle, battle.units[0], "DC", (4000.0, 0.0)).spread == pytest.approx(80.0)


def test_a_blast_falls_off_to_a_fifth_and_then_ends() -> None:
    assert blast_share(0.0, 70.0) == 1.0
    assert blast_share(35.0, 70.0) == 0.5
    assert blast_share(69.0, 70.0) == 0.2
    battle = hunt(1000.0)
    charge = shoot(battle, battle.units[0], "DC", (1000.0 - 70.0, 0.0))
    charge.spread, charge.remaining = 0.0, 0.05

    fly(battle, 1)

    assert not events(battle, EventKind.HIT)


def test_charges_leave_surface_ships_and_their_own_alone() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=200.0))
    for aim in ((200.0, 0.0), (0.0, 0.0)):
        charge = shoot(battle, battle.units[0], "DC", aim)
        charge.spread, charge.remaining = 0.0, 0.05

    fly(battle, 1)

    assert not events(battle, EventKind.HIT)


def test_bursts_stamp_noise_and_sediment() -> None:
    battle = hunt(1000.0)
    shoot(battle, battle.units[0], "DC", (1000.0, 0.0)).remaining = 0.05

    assert len(fly(battle, 1).of(StampField)) == 4 * 3


@pytest.fixture
def minefield() -> Battle:
    battle = battle_of(ship("cutter", 0, x=-500.0), ship("corvette", 1, x=500.0), ship("corvette", 0, x=900.0))
    shoot(battle, battle.units[0], "MN", (-500.0, 0.0))
    return battle


def test_a_mine_lies_astern_and_arms_after_twenty_ticks(minefield: Battle) -> None:
    mine = minefield.munitions[0]
    minefield.units[1].transform.x = mine.x + 60.0

    assert mine.x == -530.0
    minefield.tick = 19
    fly(minefield, 1)
    assert minefield.munitions == [mine]
    minefield.tick = 20
    fly(minefield, 1)
    assert minefield.munitions == []
    assert minefield.units[1].hull.hp == pytest.approx(360.0 - (180.0 * (1.0 - 60.0 / 91.0) - 1.0))


def test_friends_never_trigger_a_mine_and_distance_matters(minefield: Battle) -> None:
    minefield.tick = 100
    mine = minefield.munitions[0]
    minefield.units[2].transform.x = mine.x
    minefield.units[1].transform.x = mine.x + 60.5

    fly(minefield, 5)

    assert minefield.munitions == [mine]


def test_a_mine_goes_off_under_a_submarine_too() -> None:
    battle = battle_of(ship("cutter", 0), ship("attack_sub", 1, x=500.0, state={"layer": "SUBMERGED"}))
    shoot(battle, battle.units[0], "MN", (0.0, 0.0))
    battle.tick, battle.units[1].transform.x = 30, 0.0

    fly(battle, 1)

    assert [event.target for event in events(battle, EventKind.HIT)] == [2]


def defend(battle: Battle) -> Outputs:
    outputs = Outputs()
    point_defence(battle, battle.units[0], outputs.emitter(Plugin.POINT_DEFENCE))
    return outputs


def test_every_mount_engages_the_nearest_hostile_missile_in_range() -> None:
    battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=9000.0))
    attacker, defender = battle.units[1], battle.units[0]
    far, near, own = (shoot(battle, attacker, "M80", (0.0, 0.0)) for _ in range(3))
    far.x, near.x, own.x, own.team = 1501.0, 1400.0, 100.0, 0

    orders = defend(battle).of(FireGroup)

    assert [(order.target, order.track_id) for order in orders] == [(near.id, 7), (near.id, 8)]
    assert defender.mounts[place_of(battle, defender, "PD")].ammo == 400


def fire_everything_off(battle: Battle) -> None:
    for mount in battle.units[0].mounts:
        mount.ammo = 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda battle: battle.units[0].mark(UnitStatus.SURRENDERED),
        lambda battle: setattr(battle.units[0].layer, "layer", Layer.SUBMERGED),
        fire_everything_off,
        lambda battle: battle.units[0].hull.systems.__setitem__(1, 0.0),
    ],
    ids=["surrendered", "submerged", "empty", "broken"],
)
def test_mounts_that_cannot_shoot_do_not(spoil: object) -> None:
    battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=9000.0))
    shoot(battle, battle.units[1], "M80", (0.0, 0.0)).x = 500.0
    assert callable(spoil)
    spoil(battle)

    assert defend(battle).of(FireGroup) == []


def test_the_kill_rate_follows_the_gunnery_of_the_crew() -> None:
    battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=9000.0))
    shots = kills = 0
    for tick in range(2500):
        battle.tick = tick
        battle.munitions = []
        shoot(battle, battle.units[1], "M80", (0.0, 0.0)).x = 500.0
        before = battle.units[0].mounts[7].ammo + battle.units[0].mounts[8].ammo
        resolve_fire(battle, defend(battle))
        shots += before - battle.units[0].mounts[7].ammo - battle.units[0].mounts[8].ammo
        kills += not battle.munitions
        battle.units[0].mounts[7].ammo = battle.units[0].mounts[8].ammo = 400

    assert kill_chance(0.5) == pytest.approx(0.12)
    assert kills / shots == pytest.approx(0.12, abs=0.015)
    assert len(events(battle, EventKind.PD_KILL)) == kills
    # Both mounts aim at the same missile: the second holds its fire when the first has brought it down.
    assert shots < 5000
