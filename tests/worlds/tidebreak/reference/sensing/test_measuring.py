from math import pi

import pytest

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import Emissions, Modality, TrackQuality
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.measuring import assumed_range, grade, keep_best
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.sensing.arenas import activate, look, measures_of, open_water, ship, track_of

Q0, Q1, Q2 = TrackQuality.Q0, TrackQuality.Q1, TrackQuality.Q2


@pytest.mark.parametrize(
    ("modality", "excess_db", "hits", "quality", "sigma_m"),
    [
        pytest.param(Modality.VISUAL, 2.9, 0, Q1, 30.0, id="faint-sight"),
        pytest.param(Modality.VISUAL, 3.0, 0, Q2, 30.0, id="clear-sight"),
        pytest.param(Modality.RADAR, 5.9, 0, Q1, 25.0, id="faint-echo"),
        pytest.param(Modality.RADAR, 6.0, 0, Q2, 25.0, id="clear-echo"),
        pytest.param(Modality.ACTIVE_SONAR, 6.0, 0, Q2, 32.0, id="clear-ping"),
        pytest.param(Modality.PASSIVE_SONAR, 12.0, 10, Q2, 100.0, id="long-listened"),
        pytest.param(Modality.PASSIVE_SONAR, 12.0, 9, Q1, 180.0, id="not-quite"),
        pytest.param(Modality.PASSIVE_SONAR, 5.0, 5, Q1, 180.0, id="some-listening"),
        pytest.param(Modality.PASSIVE_SONAR, 4.9, 99, Q0, None, id="too-faint-for-a-range"),
        pytest.param(Modality.PASSIVE_SONAR, 40.0, 4, Q0, None, id="too-short-for-a-range"),
        pytest.param(Modality.ESM, 40.0, 99, Q0, None, id="receivers-never-range"),
    ],
)
def test_an_excess_is_graded(
    modality: Modality, excess_db: float, hits: int, quality: TrackQuality, sigma_m: float | None
) -> None:
    graded = grade(modality, excess_db, 2_000.0, hits)

    assert graded.quality is quality
    assert graded.sigma_m == (None if sigma_m is None else pytest.approx(sigma_m))


def one(modality: Modality, sigma: float, *, bearing_only: bool = False) -> Measure:
    return Measure(1, 2, modality, 1.0, sigma, 0.0, 0.0, 1, bearing_only, 0.0)


def test_the_sharpest_range_is_kept_and_a_bearing_only_without_one() -> None:
    radar, eye = one(Modality.RADAR, 25.0), one(Modality.VISUAL, 30.0)
    esm, sonar = one(Modality.ESM, 10.0, bearing_only=True), one(Modality.PASSIVE_SONAR, 5.0, bearing_only=True)

    assert keep_best([eye, radar, esm, sonar]) is radar
    assert keep_best([esm, sonar]) is sonar
    assert keep_best([one(Modality.RADAR, 30.0), eye]) is eye


def test_a_bearing_gets_the_range_of_its_track_or_one_that_tells_nothing() -> None:
    assert assumed_range(Modality.ESM, None) == 8_000.0
    assert assumed_range(Modality.PASSIVE_SONAR, None) == 4_000.0
    assert assumed_range(Modality.ESM, 1_234.0) == 1_234.0


def emitter_on_a_bearing(range_m: float, *, seed: int) -> Battle:
    battle = open_water(
        ship("a", "skimmer", 0.0, -3_000.0),
        ship("b", "frigate", range_m, -3_000.0, heading=pi),
        seed=seed,
        weather={"visibility_km": 2},
    )
    battle.unit(2).posture.emissions = Emissions.ACTIVE
    return battle


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_bearing_does_not_tell_how_far_the_target_is(seed: int) -> None:
    near, far = emitter_on_a_bearing(9_500.0, seed=seed), emitter_on_a_bearing(12_500.0, seed=seed)

    (heard_near,) = [found for found in measures_of(near, near.unit(1)) if found.modality is Modality.ESM]
    (heard_far,) = [found for found in measures_of(far, far.unit(1)) if found.modality is Modality.ESM]

    assert (heard_near.x, heard_near.y, heard_near.sigma) == (heard_far.x, heard_far.y, heard_far.sigma)
    assert hyp(heard_near.x, heard_near.y + 3_000.0) == pytest.approx(8_000.0)
    assert heard_near.bearing_only


def test_a_track_of_bearings_does_not_tell_it_either() -> None:
    near, far = emitter_on_a_bearing(9_500.0, seed=3), emitter_on_a_bearing(12_500.0, seed=3)

    look(near, 30)
    look(far, 30)

    assert track_of(near, 1, 2) == track_of(far, 1, 2)
    assert track_of(near, 1, 2).bearing_only


def test_listening_long_enough_gives_a_range() -> None:
    battle = open_water(ship("a", "attack_sub", 0.0, layer="SUBMERGED"), ship("b", "freighter", 3_000.0, speed=6.0))

    qualities = []
    for _ in range(14):
        look(battle)
        qualities.append(track_of(battle, 1, 2).quality)

    assert qualities[:5] == [0] * 5
    assert qualities[-1] == 2
    assert not track_of(battle, 1, 2).bearing_only


def test_a_ping_betrays_who_pings() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "attack_sub", 9_000.0, layer="SUBMERGED"))
    activate(battle)
    battle.unit(2).posture.emissions = Emissions.SILENT
    battle.tick = 9

    look(battle)

    submarine = battle.unit(2)
    assert submarine.contact_memory.pinged_at == 9
    assert battle.unit(1).contact_memory.last_ping_tick == 9
    track = track_of(battle, 2, 1)
    assert (track.quality, track.layer_est) == (1, 0)
    assert pytest.approx((60.0 + 0.03 * 9_000.0) ** 2) == track.P
    assert battle.unit(1).tracks.of_target(2) is None


def test_a_radar_that_sees_is_felt() -> None:
    battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 12_000.0), ship("b", "skimmer", 13_900.0))
    battle.unit(1).posture.emissions = Emissions.ACTIVE

    look(battle)

    assert battle.unit(2).contact_memory.painted_at == 0
    assert battle.unit(3).contact_memory.painted_at < 0
    assert battle.unit(3).tracks.of_target(1) is not None
