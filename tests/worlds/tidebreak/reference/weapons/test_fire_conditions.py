"""Every refusal to fire has its own reason, and the first one that applies is given."""

import pytest

from diorama.worlds.tidebreak.codes import Iff, Layer, System, UnitStatus, WeaponGroup
from diorama.worlds.tidebreak.limits import MUNITIONS_MAX
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, POPPING_UP
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import FireGroup, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.fire import fire_group, fire_mount, resolve_fire
from diorama.worlds.tidebreak.reference.systems.fire_conditions import Refusal, refusal
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, hold, place_of, ship, shoot


def refused(battle: Battle, weapon: str = "G76", **track: object) -> Refusal | None:
    unit, target = battle.units[0], battle.units[1]
    return refusal(battle, unit, place_of(battle, unit, weapon), hold(unit, target, **track))


def test_a_mount_with_everything_it_needs_may_fire(duel: Battle) -> None:
    assert refused(duel) is None


@pytest.mark.parametrize("status", [UnitStatus.SURRENDERED, UnitStatus.DISABLED, UnitStatus.CAPTURED])
def test_f1_a_unit_that_cannot_fight_is_refused(duel: Battle, status: UnitStatus) -> None:
    duel.units[0].mark(status)

    assert refused(duel) is Refusal.UNIT_CANNOT


def test_f1_a_unit_in_transit_is_refused(duel: Battle) -> None:
    duel.units[0].layer.mode, duel.units[0].layer.target_layer = IN_TRANSIT, Layer.SUBMERGED

    assert refused(duel) is Refusal.UNIT_CANNOT


def test_f1_a_gun_below_the_surface_is_refused(duel: Battle) -> None:
    duel.units[0].layer.layer = Layer.SUBMERGED

    assert refused(duel) is Refusal.UNIT_CANNOT


@pytest.mark.parametrize(
    ("elapsed", "expected"), [(5, Refusal.UNIT_CANNOT), (6, None), (9, None), (10, Refusal.UNIT_CANNOT)]
)
def test_f1_a_submerged_missile_needs_the_pop_up_window(elapsed: int, expected: Refusal | None) -> None:
    battle = battle_of(
        ship("deep_runner", 0, state={"layer": "SUBMERGED"}),
        ship("corvette", 1, x=5000.0),
    )
    layer = battle.units[0].layer
    layer.mode, layer.elapsed, layer.total = POPPING_UP, elapsed, 12

    assert refused(battle, "M80") is expected
    assert refused(battle, "T533") is Refusal.UNIT_CANNOT


@pytest.mark.parametrize(
    ("weapons", "standing"), [(1.0, 6), (0.51, 4), (0.5, 3), (0.05, 1), (0.04, 0)], ids=lambda value: str(value)
)
def test_f2_damage_puts_mounts_out_of_action_from_the_last_slot_on(duel: Battle, weapons: float, standing: int) -> None:
    unit = duel.units[0]
    unit.hull.systems[System.WEAPONS] = weapons
    reasons = [refusal(duel, unit, place, None) for place in range(6)]

    assert [reason is not Refusal.MOUNT_DOWN for reason in reasons] == [True] * standing + [False] * (6 - standing)


def test_f3_a_mount_that_reloads_is_refused(duel: Battle) -> None:
    duel.units[0].mounts[0].ready_at = 1

    assert refused(duel) is Refusal.RELOADING


def test_f4_an_empty_mount_is_refused(duel: Battle) -> None:
    duel.units[0].mounts[0].ammo = 0

    assert refused(duel) is Refusal.NO_AMMO


def test_f5_no_track_is_refused(duel: Battle) -> None:
    assert refusal(duel, duel.units[0], 0, None) is Refusal.NO_FIRE_CONTROL


@pytest.mark.parametrize(
    ("weapon", "track", "expected"),
    [
        pytest.param("G76", {"quality": 1}, Refusal.NO_FIRE_CONTROL, id="guns-need-q2"),
        pytest.param("G76", {"quality": 3}, None, id="q3-counts-as-q2"),
        pytest.param("T450", {"quality": 0}, Refusal.NO_FIRE_CONTROL, id="torpedoes-need-q1"),
        pytest.param("T450", {"quality": 1, "P": 160_000.0}, None, id="torpedo-at-its-sigma-limit"),
        pytest.param("T450", {"quality": 1, "P": 160_801.0}, Refusal.NO_FIRE_CONTROL, id="torpedo-past-it"),
        pytest.param("G76", {"bearing_only": True}, Refusal.NO_FIRE_CONTROL, id="guns-need-a-range"),
        pytest.param("T450", {"bearing_only": True, "quality": 1}, None, id="torpedoes-run-down-a-bearing"),
    ],
)
def test_f5_fire_control_must_be_good_enough(
    duel: Battle, weapon: str, track: dict[str, object], expected: Refusal | None
) -> None:
    assert refused(duel, weapon, **track) is expected


@pytest.mark.parametrize(
    ("weapon", "layer", "expected"),
    [
        ("G76", Layer.SUBMERGED, Refusal.WRONG_LAYER),
        ("G76", 3, None),
        ("T450", Layer.SUBMERGED, Refusal.WRONG_LAYER),
        ("T324", Layer.SURFACE, Refusal.WRONG_LAYER),
        ("T324", Layer.SUBMERGED, None),
    ],
)
def test_f6_the_estimated_layer_must_be_one_the_weapon_hits(
    duel: Battle, weapon: str, layer: int, expected: Refusal | None
) -> None:
    assert refused(duel, weapon, layer_est=layer) is expected


@pytest.mark.parametrize(
    ("weapon", "x", "expected"),
    [
        ("G76", 7000.0, None),
        ("G76", 7001.0, Refusal.OUT_OF_RANGE),
        ("G76", 100.0, None),
        ("T450", 299.0, Refusal.OUT_OF_RANGE),
        ("T450", 300.0, None),
    ],
)
def test_f7_the_estimated_range_decides(duel: Battle, weapon: str, x: float, expected: Refusal | None) -> None:
    assert refused(duel, weapon, x=x) is expected


@pytest.mark.parametrize(
    ("place", "x", "expected"),
    [
        pytest.param(0, 3000.0, None, id="bow-gun-ahead"),
        pytest.param(0, -3000.0, Refusal.OUT_OF_ARC, id="bow-gun-astern"),
        pytest.param(1, 3000.0, Refusal.OUT_OF_ARC, id="stern-gun-ahead"),
        pytest.param(1, -3000.0, None, id="stern-gun-astern"),
        pytest.param(2, -2000.0, None, id="all-round"),
    ],
)
def test_f8_the_aim_point_must_be_in_the_arc(duel: Battle, place: int, x: float, expected: Refusal | None) -> None:
    unit = duel.units[0]

    assert refusal(duel, unit, place, hold(unit, duel.units[1], x=x)) is expected


@pytest.mark.parametrize("iff", [Iff.FRIENDLY_ASSUMED, Iff.FRIENDLY_AUTHENTICATED])
def test_f9_friends_are_not_fired_at_unless_the_rules_say_so(iff: Iff) -> None:
    ships = (ship("corvette", 0), ship("corvette", 1, x=3000.0))

    assert refused(battle_of(*ships), iff=iff) is Refusal.FRIENDLY
    assert refused(battle_of(*ships, rules={"allow_friendly_orders": True}), iff=iff) is None


def test_f10_a_full_sea_takes_no_more_munitions(duel: Battle) -> None:
    unit = duel.units[0]
    for _ in range(MUNITIONS_MAX):
        shoot(duel, unit, "G76", (3000.0, 0.0))

    assert refused(duel) is Refusal.MUNITION_CAP
    assert not fire_group(duel, unit, WeaponGroup.GUN, unit.tracks.get(1))
    assert len(duel.munitions) == MUNITIONS_MAX
    assert events(duel, EventKind.MUNITION_CAP)


def test_the_first_failing_condition_is_the_reason(duel: Battle) -> None:
    mount = duel.units[0].mounts[0]
    mount.ammo, mount.ready_at = 0, 5

    assert refused(duel, iff=Iff.FRIENDLY_ASSUMED, x=20_000.0) is Refusal.RELOADING


def test_a_mount_that_cannot_engage_the_designated_track_takes_the_first_it_can() -> None:
    battle = battle_of(
        ship("corvette", 0),
        ship("corvette", 1, x=9000.0),
        ship("corvette", 1, x=5000.0),
        ship("corvette", 1, x=4000.0),
    )
    unit = battle.units[0]
    designated = hold(unit, battle.units[1])
    hold(unit, battle.units[2])
    hold(unit, battle.units[3])

    assert fire_mount(battle, unit, 0, designated) is None
    assert events(battle, EventKind.WEAPON_FIRED)[0].target == 4


def test_a_mine_needs_no_track() -> None:
    battle = battle_of(
        ship("cutter", 0, weapons=[{"slot": 4, "weapon_type": "MN", "facing": "A"}]), ship("cutter", 1, x=3000.0)
    )
    unit = battle.units[0]

    assert fire_mount(battle, unit, 0, None) is None
    assert battle.munitions[0].x == pytest.approx(-30.0)
    assert unit.mounts[0].ammo == 7


def test_an_order_to_fire_spends_a_round_reloads_and_counts(duel: Battle) -> None:
    unit = duel.units[0]
    track = hold(unit, duel.units[1])
    outputs = Outputs()
    outputs.emit(Plugin.CONTROLLER, FireGroup(unit.id, WeaponGroup.GUN, track.track_id))

    resolve_fire(duel, outputs)

    # The stern gun does not bear and the autocannon does not reach.
    assert [munition.owner_id for munition in duel.munitions] == [unit.id]
    assert unit.mounts[0].ammo == unit.spec.mounts[0].ammo - 1
    assert unit.mounts[0].ready_at == 3
    assert unit.tally.shots == [1, 0, 0, 0, 0, 0]
    assert unit.scratch.invalid == 0


def test_an_order_that_nobody_can_carry_out_is_invalid_once(duel: Battle) -> None:
    outputs = Outputs()
    for group in (WeaponGroup.GUN, WeaponGroup.TORPEDO):
        outputs.emit(Plugin.CONTROLLER, FireGroup(1, group, 0))

    resolve_fire(duel, outputs)

    assert duel.units[0].scratch.invalid == 1
