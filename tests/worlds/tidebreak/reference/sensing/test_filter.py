"""The track filter against what it promises: gains, floors, caps, drops, and errors as large as it says."""

from math import cos, sin, sqrt

import pytest

from diorama.rng.keyed import draw, n4
from diorama.worlds.tidebreak.codes import Modality, TrackQuality
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.filtering import (
    cap_quality,
    is_stale,
    is_velocity_known,
    open_track,
    predict,
    update,
)


def measure(x: float = 0.0, y: float = 0.0, sigma: float = 20.0, quality: int = 2, assumed_m: float = 0.0) -> Measure:
    return Measure(1, 2, Modality.RADAR, 5.0, sigma, x, y, quality, assumed_m > 0.0, assumed_m)


def fresh(sigma: float = 20.0, quality: int = 2, assumed_m: float = 0.0) -> Track:
    return open_track(1, measure(sigma=sigma, quality=quality, assumed_m=assumed_m))


def test_a_new_track_has_the_measurements_place_and_doubt() -> None:
    track = fresh(sigma=20.0)

    assert (track.x, track.y, track.vx, track.vy) == (0.0, 0.0, 0.0, 0.0)
    assert (track.P, track.quality, track.age, track.hits) == (400.0, 2, 0, 1)


def test_waiting_moves_a_track_on_and_adds_doubt() -> None:
    track = fresh()
    track.vx, track.vy = 3.0, -2.0

    predict(track)
    predict(track)

    assert (track.x, track.y, track.age) == (6.0, -4.0, 2)
    assert track.P == 400.0 + 9.0 + (9.0 + 4.0)


def test_a_measurement_is_weighed_by_doubt() -> None:
    track = fresh(sigma=20.0)
    predict(track)

    update(track, measure(x=100.0, sigma=20.0))

    gain = 409.0 / 809.0
    assert track.x == pytest.approx(gain * 100.0)
    assert track.vx == pytest.approx(gain**2 / (2.0 - gain) * 100.0)
    assert pytest.approx((1.0 - gain) * 409.0) == track.P
    assert (track.age, track.hits) == (0, 2)


def test_no_track_runs_faster_than_30_meters_per_second() -> None:
    track = fresh(sigma=500.0)
    predict(track)

    update(track, measure(x=4_000.0, y=-3_000.0, sigma=10.0))

    assert sqrt(track.vx**2 + track.vy**2) == pytest.approx(30.0)
    assert track.vx / track.vy == pytest.approx(-4.0 / 3.0)


@pytest.mark.parametrize(("before", "measured", "after"), [(2, 2, 2), (2, 0, 1), (3, 0, 2), (0, 1, 1)])
def test_quality_falls_one_step_at_a_time(before: int, measured: int, after: int) -> None:
    track = fresh(quality=before)
    predict(track)

    update(track, measure(quality=measured))

    assert track.quality == after


def test_bearings_alone_never_tell_the_range() -> None:
    track = fresh(sigma=2_000.0, quality=0, assumed_m=4_000.0)
    for _ in range(200):
        predict(track)
        update(track, measure(sigma=2_000.0, quality=0, assumed_m=4_000.0))

    assert track.bearing_only
    assert sqrt(track.P) == 1_000.0
    assert not is_velocity_known(track)


def test_one_range_ends_that() -> None:
    track = fresh(sigma=2_000.0, quality=0, assumed_m=4_000.0)
    for place in (measure(sigma=50.0), measure(sigma=2_000.0, quality=0, assumed_m=4_000.0), measure(), measure()):
        predict(track)
        update(track, place)

    assert not track.bearing_only
    assert sqrt(track.P) < 50.0
    assert is_velocity_known(track)


@pytest.mark.parametrize(
    ("age", "sigma_m", "quality"),
    [
        pytest.param(3, 120.0, 3, id="young-and-sharp"),
        pytest.param(4, 10.0, 1, id="old"),
        pytest.param(0, 120.1, 1, id="vague"),
        pytest.param(10, 600.0, 1, id="still-coarse"),
        pytest.param(11, 10.0, 0, id="stale"),
        pytest.param(0, 600.1, 0, id="a-cue"),
    ],
)
def test_age_and_doubt_cap_the_quality(age: int, sigma_m: float, quality: int) -> None:
    track = fresh(quality=TrackQuality.Q3)
    track.age, track.P = age, sigma_m * sigma_m

    cap_quality(track)

    assert track.quality == quality


@pytest.mark.parametrize(
    ("age", "sigma_m", "drops"),
    [(60, 10.0, False), (61, 10.0, True), (0, 4_000.0, False), (0, 4_000.5, True)],
)
def test_what_is_too_old_or_too_vague_is_dropped(age: int, sigma_m: float, drops: bool) -> None:
    track = fresh()
    track.age, track.P = age, sigma_m * sigma_m

    assert is_stale(track) is drops


def test_errors_are_as_large_as_the_track_says() -> None:
    """Over 1,000 settled tracks of ships that wander 3 m a tick, under radar and visual errors of close combat."""
    squares, count = 0.0, 0
    for number in range(1_000):
        sigma, speed = 16.0 + 8.0 * (number % 10) / 9.0, 12.0 * (number % 7) / 6.0
        vx, vy = speed * cos(number), speed * sin(number)
        x = y = 0.0
        track: Track | None = None
        for tick in range(70):
            luck = [n4(draw(5, 2, tick, number, 0, k)) for k in range(4)]
            x, y = x + vx + 3.0 * luck[2], y + vy + 3.0 * luck[3]
            seen = measure(x + sigma * luck[0], y + sigma * luck[1], sigma)
            if track is None:
                track = open_track(1, seen)
                continue
            predict(track)
            if tick >= 60:
                spread = track.P + sigma * sigma
                squares += ((seen.x - track.x) ** 2 + (seen.y - track.y) ** 2) / spread
                count += 2
            update(track, seen)

    assert 0.8 < sqrt(squares / count) < 1.2
