"""From excess to measurement: how good it is, how far it errs, and which of several is kept."""

from collections.abc import Iterable
from typing import NamedTuple

from diorama.worlds.tidebreak.codes import Modality, TrackQuality
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.constants import (
    ACTIVE_Q2_DB,
    ACTIVE_SIGMA,
    BEARING_SIGMA_SHARE,
    COUNTER_SIGMA,
    ESM_ASSUMED_RANGE_M,
    PASSIVE_Q1_DB,
    PASSIVE_Q1_HITS,
    PASSIVE_Q1_SIGMA,
    PASSIVE_Q2_DB,
    PASSIVE_Q2_HITS,
    PASSIVE_Q2_SIGMA,
    RADAR_Q2_DB,
    RADAR_SIGMA,
    SONAR_ASSUMED_RANGE_M,
    VISUAL_Q2_DB,
    VISUAL_SIGMA,
)


class Grade(NamedTuple):
    """What an excess is good for; without a `sigma_m` only the bearing is known."""

    quality: TrackQuality
    sigma_m: float | None


_RANGED = {
    Modality.VISUAL: (VISUAL_Q2_DB, VISUAL_SIGMA),
    Modality.RADAR: (RADAR_Q2_DB, RADAR_SIGMA),
    Modality.ACTIVE_SONAR: (ACTIVE_Q2_DB, ACTIVE_SIGMA),
}


def grade(modality: Modality, excess_db: float, range_m: float, hits: int) -> Grade:
    """Grade an excess of 0 or more.

    Args:
        modality: How it was sensed.
        excess_db: Noise included.
        range_m: True range; only ranged measurements look at it.
        hits: Updates that the observer's track of the target has had, 0 without one.
    """
    if modality in _RANGED:
        q2_db, sigma = _RANGED[modality]
        return Grade(TrackQuality.Q2 if excess_db >= q2_db else TrackQuality.Q1, _at(sigma, range_m))
    if modality is Modality.PASSIVE_SONAR:
        if excess_db >= PASSIVE_Q2_DB and hits >= PASSIVE_Q2_HITS:
            return Grade(TrackQuality.Q2, _at(PASSIVE_Q2_SIGMA, range_m))
        if excess_db >= PASSIVE_Q1_DB and hits >= PASSIVE_Q1_HITS:
            return Grade(TrackQuality.Q1, _at(PASSIVE_Q1_SIGMA, range_m))
    return Grade(TrackQuality.Q0, None)


def counter_grade(range_m: float) -> Grade:
    """Grade of a ping that was heard."""
    return Grade(TrackQuality.Q1, _at(COUNTER_SIGMA, range_m))


def assumed_range(modality: Modality, track_range_m: float | None) -> float:
    """Range given to a bearing: that of the track, or one that says nothing about the target."""
    if track_range_m is not None:
        return track_range_m
    return ESM_ASSUMED_RANGE_M if modality is Modality.ESM else SONAR_ASSUMED_RANGE_M


def bearing_sigma(assumed_range_m: float) -> float:
    """Standard error of a place that only a bearing gives."""
    return BEARING_SIGMA_SHARE * assumed_range_m


def keep_best(measures: Iterable[Measure]) -> Measure:
    """Of measurements of one target the ranged one that errs least, a bearing only if there is no other."""
    return min(measures, key=lambda measure: (measure.bearing_only, measure.sigma, measure.modality))


def _at(sigma: tuple[float, float], range_m: float) -> float:
    least, per_meter = sigma
    return least + per_meter * range_m
