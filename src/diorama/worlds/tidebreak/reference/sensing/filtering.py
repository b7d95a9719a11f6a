"""The track filter: what a tick of waiting and a measurement do to a track."""

from math import sqrt

from diorama.numerics import fmax, hyp
from diorama.worlds.tidebreak.codes import NO_LAYER, Iff, TrackQuality
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.constants import (
    BEARING_FLOOR_SHARE,
    COARSE_AGE,
    COARSE_SIGMA_M,
    CUE_AGE,
    CUE_SIGMA_M,
    DROP_AGE,
    DROP_SIGMA_M,
    PROCESS_NOISE,
    PROCESS_NOISE_PER_AGE,
    TRACK_SPEED_MAX_MS,
    VELOCITY_KNOWN_HITS,
)


def predict(track: Track) -> None:
    """Move a track on by one tick; doubt grows faster the longer nothing is heard."""
    track.x += track.vx
    track.y += track.vy
    track.P += PROCESS_NOISE + PROCESS_NOISE_PER_AGE * float(track.age)
    track.age += 1


def update(track: Track, measure: Measure) -> None:
    """Bring a measurement into a predicted track."""
    variance = measure.sigma * measure.sigma
    gain = track.P / (track.P + variance)
    dx, dy = measure.x - track.x, measure.y - track.y
    track.x += gain * dx
    track.y += gain * dy
    speed_gain = gain * gain / (2.0 - gain)
    track.vx += speed_gain * dx
    track.vy += speed_gain * dy
    _limit_speed(track)
    track.P = (1.0 - gain) * track.P
    if measure.bearing_only and track.bearing_only:
        floor = BEARING_FLOOR_SHARE * measure.assumed_range
        track.P = fmax(track.P, floor * floor)
    else:
        track.bearing_only = False
    track.age = 0
    track.hits += 1
    track.quality = max(measure.quality, track.quality - 1)


def open_track(track_id: int, measure: Measure) -> Track:
    """A track that has only this measurement."""
    return Track(
        track_id=track_id,
        target_id=measure.target,
        x=measure.x,
        y=measure.y,
        vx=0.0,
        vy=0.0,
        P=measure.sigma * measure.sigma,
        quality=measure.quality,
        age=0,
        hits=1,
        bearing_only=measure.bearing_only,
        layer_est=NO_LAYER,
        class_level=0,
        id_conf=0.0,
        iff=Iff.UNKNOWN,
        is_munition=False,
        modalities=0,
        shared=False,
    )


def cap_quality(track: Track) -> None:
    """Take quality from tracks that are old or err much."""
    sigma_m = sqrt(track.P)
    if track.age > CUE_AGE or sigma_m > CUE_SIGMA_M:
        track.quality = TrackQuality.Q0
    elif track.age > COARSE_AGE or sigma_m > COARSE_SIGMA_M:
        track.quality = min(track.quality, TrackQuality.Q1)


def is_stale(track: Track) -> bool:
    """Whether a track is too old or too vague to keep."""
    return track.age > DROP_AGE or sqrt(track.P) > DROP_SIGMA_M


def is_velocity_known(track: Track) -> bool:
    """Whether the velocity of a track means anything."""
    return track.hits >= VELOCITY_KNOWN_HITS and not track.bearing_only


def _limit_speed(track: Track) -> None:
    speed = hyp(track.vx, track.vy)
    if speed > TRACK_SPEED_MAX_MS:
        scale = TRACK_SPEED_MAX_MS / speed
        track.vx *= scale
        track.vy *= scale
