from typing import Any

import pytest

from diorama.worlds.tidebreak.codes import Emissions, Iff, LinkTier, Modality, UnitStatus
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.filtering import open_track
from diorama.worlds.tidebreak.reference.sensing.links import merge, shared_quality
from diorama.worlds.tidebreak.reference.sensing.mesh import NO_LINK, link_tier, pair_tier
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.sensing.arenas import look, open_water, ship, track_of

ENEMY = ship("b", "corvette", 13_000.0, ship_id="z")
HAZE = {"visibility_km": 8}  # who is not near the enemy has no chance to see it


def scouts(first: str = "frigate", second: str = "frigate", apart_m: float = 12_000.0, **area: Any) -> Battle:
    """Unit 2 is close to the enemy (unit 3); unit 1 lies behind and sees nothing itself."""
    return open_water(
        ship("a", first, 12_000.0 - apart_m, ship_id="behind"),
        ship("a", second, 12_000.0, ship_id="scout"),
        ENEMY,
        weather=HAZE,
        **area,
    )


def sighting(*, quality: int = 2, sigma: float = 30.0, assumed_m: float = 0.0) -> Track:
    measure = Measure(2, 3, Modality.RADAR, 5.0, sigma, 13_000.0, 0.0, quality, assumed_m > 0.0, assumed_m)
    track = open_track(9, measure)
    track.id_conf, track.class_level, track.iff, track.hits = 0.7, 2, Iff.HOSTILE_DECLARED, 12
    return track


@pytest.mark.parametrize(
    ("quality", "arrives"),
    [(0, (0, 0, 0, 0)), (1, (1, 1, 1, 1)), (2, (1, 1, 2, 3))],
)
def test_a_tier_caps_the_quality(quality: int, arrives: tuple[int, ...]) -> None:
    assert tuple(shared_quality(quality, tier) for tier in LinkTier) == arrives


def test_a_scouts_contact_arrives_ready_for_fire_control() -> None:
    battle = scouts()

    look(battle)

    seen, received = track_of(battle, 2, 3), track_of(battle, 1, 3)
    assert (received.x, received.y, received.P) == (seen.x, seen.y, seen.P)
    assert (seen.quality, received.quality) == (2, 3)
    assert (seen.shared, received.shared) == (False, True)
    assert received.id_conf == seen.id_conf
    assert received.modalities == 1 << Modality.LINK


def test_the_lowest_tier_doubles_the_error_and_passes_bearings() -> None:
    battle = scouts()
    receiver = battle.unit(1)

    merge(battle, receiver, sighting(), LinkTier.T0)
    track = track_of(battle, 1, 3)
    assert (track.P, track.quality, track.id_conf, track.iff) == (3_600.0, 1, 0.0, Iff.UNKNOWN)
    receiver.tracks.tracks.clear()
    merge(battle, receiver, sighting(assumed_m=8_000.0), LinkTier.T1)
    assert not receiver.tracks.tracks
    merge(battle, receiver, sighting(assumed_m=8_000.0), LinkTier.T0)
    assert track_of(battle, 1, 3).bearing_only


def test_identification_passes_from_the_second_tier_on() -> None:
    battle = scouts()
    merge(battle, battle.unit(1), sighting(), LinkTier.T1)
    assert track_of(battle, 1, 3).id_conf == 0.0

    merge(battle, battle.unit(1), sighting(sigma=20.0), LinkTier.T2)

    track = track_of(battle, 1, 3)
    assert (track.id_conf, track.class_level, track.iff, track.hits) == (0.7, 2, Iff.HOSTILE_DECLARED, 12)


def test_only_a_sharper_track_is_taken_over() -> None:
    battle = scouts()
    merge(battle, battle.unit(1), sighting(sigma=25.0), LinkTier.T3)
    worse = sighting(sigma=25.0)
    worse.x = 0.0

    merge(battle, battle.unit(1), worse, LinkTier.T3)

    assert track_of(battle, 1, 3).x == 13_000.0


def test_a_fresh_fix_good_for_fire_is_not_given_up_for_one_that_is_not() -> None:
    battle = scouts()
    merge(battle, battle.unit(1), sighting(sigma=30.0), LinkTier.T2)
    held = track_of(battle, 1, 3)
    sharper = sighting(sigma=20.0)

    merge(battle, battle.unit(1), sharper, LinkTier.T1)
    assert (held.quality, held.P) == (2, 900.0)
    held.age = 1
    merge(battle, battle.unit(1), sharper, LinkTier.T1)

    assert (held.quality, held.P) == (1, 400.0)


def test_ships_that_all_see_the_target_can_all_fire_at_it() -> None:
    cutters = [ship("a", "cutter", 0.0, 500.0 * place, ship_id=f"c{place}") for place in range(5)]
    battle = open_water(*cutters, ship("b", "dreadnought", 6_000.0, ship_id="z"))
    for unit in battle.units[:5]:
        unit.posture.emissions = Emissions.ACTIVE

    look(battle, 5)

    assert [track_of(battle, unit.id, 6).quality for unit in battle.units[:5]] == [2] * 5


@pytest.mark.parametrize(
    ("class_id", "heard"),
    [pytest.param("frigate", 10, id="every-tick"), pytest.param("cutter", 5, id="every-second")],
)
def test_a_low_tier_speaks_less_often(class_id: str, heard: int) -> None:
    battle = scouts(class_id, class_id)
    fresh = 0
    for _ in range(10):
        look(battle)
        track = battle.unit(1).tracks.of_target(3)
        fresh += track is not None and track.age == 0

    assert fresh == heard


def test_out_of_range_and_in_silence_nothing_passes() -> None:
    distant, silent = scouts(apart_m=20_001.0), scouts()
    silent.unit(2).posture.emissions = Emissions.SILENT

    look(distant)
    look(silent)

    assert pair_tier(distant, distant.unit(1), distant.unit(2)) == NO_LINK
    assert distant.unit(1).tracks.of_target(3) is None
    assert silent.unit(1).tracks.of_target(3) is None
    assert [fix.unit_id for fix in silent.unit(2).memory.mate_fixes] == [1]
    assert silent.unit(1).memory.mate_fixes == []


def test_depth_and_jamming_cost_tiers() -> None:
    jammer = {"shape": {"type": "circle", "radius": 500}, "position": [0, 0], "modifier_type": "ECM", "intensity": 0.6}
    battle = open_water(
        ship("a", "frigate", 0.0, ship_id="jammed"),
        ship("a", "deep_runner", 3_000.0, ship_id="r1", layer="SUBMERGED"),
        ship("a", "deep_runner", 5_000.0, ship_id="r2", layer="ABYSSAL"),
        ship("a", "station", 7_000.0, ship_id="s"),
        ENEMY,
        zones=[jammer],
    )

    assert [link_tier(battle, unit) for unit in battle.units[:4]] == [LinkTier.T1, LinkTier.T0, NO_LINK, LinkTier.T3]
    battle.unit(4).mark(UnitStatus.SURRENDERED)
    assert link_tier(battle, battle.unit(4)) == NO_LINK


def test_a_mate_out_of_reach_stays_where_the_link_last_had_it() -> None:
    battle = scouts()
    look(battle)
    battle.unit(2).transform.x = -10_000.0
    battle.unit(2).posture.emissions = Emissions.SILENT

    look(battle, 5)

    (fix,) = battle.unit(1).memory.mate_fixes
    assert (fix.unit_id, fix.x, fix.tick) == (2, 12_000.0, 0)
    battle.unit(2).mark(UnitStatus.DESTROYED)
    look(battle)
    assert battle.unit(1).memory.mate_fixes == []


def test_tracks_are_not_passed_on_twice() -> None:
    """A third ship beyond the scout's reach gets nothing from a ship that only heard of the contact."""
    battle = open_water(
        ship("a", "frigate", -12_000.0, ship_id="c-far"),
        ship("a", "frigate", 2_000.0, ship_id="d-middle"),
        ship("a", "frigate", 12_000.0, ship_id="e-scout"),
        ENEMY,
        weather=HAZE,
    )

    look(battle, 5)

    assert battle.unit(2).tracks.of_target(4) is not None
    assert battle.unit(1).tracks.of_target(4) is None
