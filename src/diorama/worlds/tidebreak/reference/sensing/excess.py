"""By how many decibels each way of sensing stands above its threshold, in closed form."""

from math import sqrt

from diorama.numerics import clamp, fmax, log10
from diorama.worlds.tidebreak.reference.sensing.constants import (
    ABYSSAL_OBSERVER_DB,
    ACTIVE_THRESHOLD_DB,
    ECM_DB,
    INTERFERENCE_DB,
    NEAREST_M,
    PASSIVE_THRESHOLD_DB,
    POWER_PENALTY_DB,
    RADAR_INDEX_UNIT,
    RADAR_LEAST,
    RADAR_RAIN_LOSS,
    RADAR_SEA_LOSS,
    SENSORS_PENALTY_DB,
    SMOKE_SHARE,
    VISIBILITY_FULL_KM,
    VISIBILITY_LEAST,
    VISUAL_RANGE_M,
)


def penalty(sensors: float, power: float, interference: float) -> float:
    """What damage and interference take from an observer's excesses."""
    return SENSORS_PENALTY_DB * (1.0 - sensors) + POWER_PENALTY_DB * (1.0 - power) + INTERFERENCE_DB * interference


def visibility_share(visibility_km: float) -> float:
    """Share of the eye's range that the air leaves."""
    return clamp(visibility_km / VISIBILITY_FULL_KM, VISIBILITY_LEAST, 1.0)


def radar_weather(sea_state: float, precipitation: int) -> float:
    """Share of a radar's range that sea and rain at the target leave."""
    return clamp(1.0 - RADAR_SEA_LOSS * sea_state - RADAR_RAIN_LOSS[precipitation], RADAR_LEAST, 1.0)


def visual_range(factor: float, visibility: float, visual_index: float, smoke: float) -> float:
    """Range at which the eye's excess is 0, for a lookout of this factor in air of this visibility (0 to 1)."""
    return VISUAL_RANGE_M * factor * visibility * sqrt(visual_index) * (1.0 - SMOKE_SHARE * smoke)


def visual_excess(reach_m: float, range_m: float, penalty_db: float) -> float:
    """Excess of the eye."""
    return 20.0 * log10(reach_m / fmax(range_m, NEAREST_M)) - penalty_db


def radar_range(radar_range_m: float, radar_index: float, weather: float) -> float:
    """Range at which a radar's excess is 0: the fourth root of what comes back."""
    return radar_range_m * sqrt(sqrt(radar_index / RADAR_INDEX_UNIT)) * weather


def radar_excess(reach_m: float, range_m: float, penalty_db: float, ecm: float) -> float:
    """Excess of a radar."""
    return 40.0 * log10(reach_m / fmax(range_m, NEAREST_M)) - penalty_db - ECM_DB * ecm


def esm_excess(reach_m: float, range_m: float, ecm: float) -> float:
    """Excess of a receiver that hears someone else's radar or link."""
    return 20.0 * log10(reach_m / fmax(range_m, NEAREST_M)) - ECM_DB * ecm


def passive_excess(
    source_db: float, loss_db: float, noise_db: float, di_db: float, penalty_db: float, *, is_abyssal: bool
) -> float:
    """Excess of a listening sonar."""
    excess = source_db - loss_db - noise_db + di_db - PASSIVE_THRESHOLD_DB - penalty_db
    return excess - ABYSSAL_OBSERVER_DB if is_abyssal else excess


def active_excess(
    ping_db: float, loss_db: float, target_strength_db: float, noise_db: float, di_db: float, penalty_db: float
) -> float:
    """Excess of the echo of a ping."""
    return ping_db - 2.0 * loss_db + target_strength_db - noise_db + di_db - ACTIVE_THRESHOLD_DB - penalty_db


def counter_excess(ping_db: float, loss_db: float, noise_db: float, di_db: float) -> float:
    """Excess with which a ping itself is heard."""
    return ping_db - loss_db - noise_db + di_db - PASSIVE_THRESHOLD_DB
