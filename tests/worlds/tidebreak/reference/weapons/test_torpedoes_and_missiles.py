"""Torpedoes and missiles: how far they run, what they home on, what they strike."""

import pytest

from diorama.numerics import HALF_PI
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Outputs, Plugin, StampField, Steer
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.guidance import guide
from diorama.worlds.tidebreak.reference.systems.missiles import missile_reach_m
from diorama.worlds.tidebreak.reference.systems.seekers import find_lock, is_seduced
from diorama.worlds.tidebreak.reference.systems.steering import path_distance, steer
from diorama.worlds.tidebreak.reference.systems.torpedoes import torpedo_reach_m
from tests.worlds.tidebreak.reference.munitions import decoy_at
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, fly, ship, shoot


def test_reach_depends_on_what_the_target_gives_away_within_limits() -> None:
    assert torpedo_reach_m(900.0, 140.0, 0.0) == pytest.approx(900.0)
    assert torpedo_reach_m(900.0, 60.0, 0.0) == pytest.approx(360.0)
    assert torpedo_reach_m(900.0, 200.0, 0.0) == pytest.approx(1080.0)
    assert torpedo_reach_m(900.0, 140.0, 1.0) == pytest.approx(450.0)
    assert missile_reach_m(2500.0, 100.0) == pytest.approx(2500.0)
    assert missile_reach_m(2500.0, 1.0) == pytest.approx(1250.0)
    assert missile_reach_m(2500.0, 8000.0) == pytest.approx(3750.0)


def test_steering_is_limited_and_takes_the_short_way() -> None:
    assert steer(0.0, 1.0, 0.1) == pytest.approx(0.1)
    assert steer(0.1, 6.2, 0.05) == pytest.approx(0.05)
    assert steer(0.1, 0.12, 0.05) == pytest.approx(0.12)


def test_the_path_distance_is_to_the_segment_not_to_its_ends() -> None:
    assert path_distance((0.0, 0.0), (10.0, 0.0), (5.0, 3.0)) == pytest.approx(3.0)
    assert path_distance((0.0, 0.0), (10.0, 0.0), (13.0, 4.0)) == pytest.approx(5.0)
    assert path_distance((1.0, 1.0), (1.0, 1.0), (4.0, 5.0)) == pytest.approx(5.0)


@pytest.mark.parametrize(("weapon", "range_m"), [("T450", 5000.0), ("M80", 15000.0), ("DPT", 5000.0)])
def test_a_munition_that_finds_nothing_runs_out_at_its_range(weapon: str, range_m: float) -> None:
    battle = battle_of(ship("corvette", 0, x=-15000.0, y=-15000.0), ship("corvette", 1, x=-15000.0, y=15000.0))
    munition = shoot(battle, battle.units[0], weapon, (15000.0, -15000.0))
    ticks = range_m / munition.speed

    fly(battle, int(ticks * 10) + 2)

    assert not battle.munitions
    assert munition.run == pytest.approx(range_m, abs=2.0 * munition.speed * 0.1)
    assert battle.units[0].scratch.wasted == 1


def test_a_torpedo_strikes_and_is_spent(duel: Battle) -> None:
    shoot(duel, duel.units[0], "T450", (3000.0, 0.0))

    outputs = Outputs()
    for _ in range(1400):
        outputs = fly(duel, 1)
        if not duel.munitions:
            break

    assert [event.target for event in events(duel, EventKind.HIT)] == [2]
    assert duel.units[1].hull.hp == pytest.approx(360.0 - (170.0 - 4.0 * 0.25))
    assert duel.units[0].tally.hits == 1
    assert outputs.of(StampField)


def test_a_torpedo_is_blind_and_harmless_until_it_has_run_300_meters() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 1, x=150.0))
    torpedo = shoot(battle, battle.units[0], "T450", (150.0, 0.0))

    assert find_lock(battle, torpedo) is None
    fly(battle, 100)
    assert torpedo.run < 300.0
    assert not events(battle, EventKind.HIT)


def test_a_torpedo_never_homes_on_its_own_team() -> None:
    battle = battle_of(ship("corvette", 0), ship("corvette", 0, x=600.0), ship("corvette", 1, x=9000.0))
    torpedo = shoot(battle, battle.units[0], "T450", (4000.0, 0.0))
    torpedo.run = 400.0

    assert find_lock(battle, torpedo) is None
    fly(battle, 400)
    assert not events(battle, EventKind.HIT)


@pytest.mark.parametrize(
    ("weapon", "layer", "can"),
    [
        ("T450", Layer.SURFACE, True),
        ("T450", Layer.SUBMERGED, False),
        ("T533", Layer.SUBMERGED, True),
        ("T324", Layer.SURFACE, False),
        ("T324", Layer.SUBMERGED, True),
        ("DPT", Layer.SURFACE, False),
        ("DPT", Layer.ABYSSAL, True),
        ("M80", Layer.SURFACE, True),
        ("M80", Layer.SUBMERGED, False),
    ],
)
def test_weapons_hit_only_the_layers_they_are_tagged_with(weapon: str, layer: Layer, can: bool) -> None:
    battle = battle_of(ship("deep_runner", 0), ship("deep_runner", 1, x=500.0))
    battle.units[1].layer.layer = layer
    munition = shoot(battle, battle.units[0], weapon, (500.0, 0.0))
    munition.run = 300.0

    for _ in range(300):
        fly(battle, 1)
        if not battle.munitions:
            break

    assert bool(events(battle, EventKind.HIT)) is can


def test_a_seeker_sees_only_ahead_unless_the_target_is_very_near(duel: Battle) -> None:
    missile = shoot(duel, duel.units[0], "M80", (3000.0, 0.0))
    target = duel.units[1].transform

    target.x, target.y = 1000.0, 0.0
    assert find_lock(duel, missile) is not None
    target.x, target.y = 0.0, 1000.0
    assert find_lock(duel, missile) is None
    target.x, target.y = 0.0, 59.0
    assert find_lock(duel, missile) is not None


def test_without_a_lock_it_runs_to_its_aim_point_and_then_circles_left(duel: Battle) -> None:
    duel.units[1].transform.y = 12_000.0
    torpedo = shoot(duel, duel.units[0], "T450", (2000.0, 0.0))
    steers: list[Steer] = []
    for x in (0.0, 1900.0):
        torpedo.x = x
        outputs = Outputs()
        guide(duel, torpedo, outputs.emitter(Plugin.GUIDANCE))
        steers += outputs.of(Steer)

    assert [order.is_searching for order in steers] == [False, True]
    assert steers[0].heading == 0.0
    assert steers[1].heading == pytest.approx(0.5 * 0.12 * 0.1)


def test_it_leads_a_moving_target_by_at_most_eight_seconds(duel: Battle) -> None:
    target = duel.units[1]
    target.transform.x, target.motion.vy = 500.0, 10.0
    torpedo = shoot(duel, duel.units[0], "T450", (500.0, 0.0))
    torpedo.run, torpedo.heading = 300.0, 0.15
    outputs = Outputs()

    guide(duel, torpedo, outputs.emitter(Plugin.GUIDANCE))

    order = outputs.of(Steer)[0]
    assert order.lock_id == target.id
    assert order.heading == pytest.approx(0.15 + min(0.012, 0.1587 - 0.15), abs=1e-3)


def test_a_decoy_seduces_45_percent_of_munitions_for_good(duel: Battle) -> None:
    pairs = [(munition, decoy) for munition in range(1000, 1200) for decoy in range(50)]

    seduced = [is_seduced(duel, munition, decoy) for munition, decoy in pairs]
    duel.tick += 100

    assert sum(seduced) / len(pairs) == pytest.approx(0.45, abs=0.03)
    assert seduced == [is_seduced(duel, munition, decoy) for munition, decoy in pairs]


def test_a_seduced_missile_prefers_the_decoy_and_the_others_the_ship() -> None:
    battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=1000.0))
    missiles = [shoot(battle, battle.units[0], "M80", (1000.0, 0.0)) for _ in range(60)]
    decoy = decoy_at(battle, battle.units[1], 1000.0, 100.0)

    for missile in missiles:
        lock = find_lock(battle, missile)
        assert lock is not None
        assert lock.id == (decoy.id if is_seduced(battle, missile.id, decoy.id) else 2)


def test_a_decoy_on_the_path_absorbs_munitions_and_dies_of_half_of_them() -> None:
    deaths = 0
    for seed in range(1, 201):
        battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=9000.0), seed=seed)
        decoy_at(battle, battle.units[1], 12.0, 0.0)
        shoot(battle, battle.units[0], "M80", (9000.0, 0.0))
        fly(battle, 1)
        assert len(battle.munitions) <= 1
        deaths += not battle.munitions

    assert deaths / 200 == pytest.approx(0.5, abs=0.1)


def test_own_decoys_do_not_stop_own_missiles() -> None:
    battle = battle_of(ship("frigate", 0), ship("frigate", 1, x=9000.0))
    decoy_at(battle, battle.units[0], 12.0, 0.0)
    missile = shoot(battle, battle.units[0], "M80", (9000.0, 0.0))

    fly(battle, 1)

    assert missile in battle.munitions


def test_a_decoy_drifts_with_the_current_for_sixty_ticks() -> None:
    battle = battle_of(
        ship("frigate", 0),
        ship("frigate", 1, x=9000.0),
        area={"currents": {"kind": "uniform", "vector": [1.0, -0.5]}},
    )
    decoy = decoy_at(battle, battle.units[0], 0.0, 0.0)
    for _ in range(60):
        fly(battle, 10)
        battle.tick += 1
    assert [decoy.x, decoy.y] == pytest.approx([60.0, -30.0])
    assert decoy in battle.munitions

    fly(battle, 1)

    assert not battle.munitions


@pytest.mark.parametrize(
    ("depth", "weapon", "layer", "is_stopped"),
    [
        pytest.param(20.0, "T450", Layer.SURFACE, False, id="shallows-from-the-surface"),
        pytest.param(20.0, "T533", Layer.SUBMERGED, False, id="comes-up-over-shallows"),
        pytest.param(20.0, "T324", Layer.SUBMERGED, True, id="cannot-come-up"),
        pytest.param(100.0, "T324", Layer.SUBMERGED, False, id="shelf"),
        pytest.param(100.0, "DPT", Layer.ABYSSAL, True, id="shelf-is-no-abyss"),
    ],
)
def test_ground_stops_a_torpedo_where_its_layer_ends(depth: float, weapon: str, layer: Layer, is_stopped: bool) -> None:
    battle = battle_of(
        ship("corvette", 0),
        ship("corvette", 1, x=9000.0),
        area={"bathymetry": {"kind": "uniform", "depth_m": depth}},
    )
    torpedo = shoot(battle, battle.units[0], weapon, (9000.0, 0.0))
    torpedo.launch_layer = layer

    fly(battle, 1)

    assert (torpedo not in battle.munitions) is is_stopped


def test_a_missile_direction_is_the_side_it_came_from() -> None:
    battle = battle_of(ship("frigate", 0), ship("dreadnought", 1, x=2000.0, state={"heading": HALF_PI}))
    shoot(battle, battle.units[0], "M80", (2000.0, 0.0))

    fly(battle, 120)

    # It comes from the west, and the target looks north: port, amidships.
    assert battle.units[1].compartments[3].integrity < 1.0
