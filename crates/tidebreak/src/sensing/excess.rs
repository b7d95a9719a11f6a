//! By how many decibels each way of sensing stands above its threshold, in closed form.

use kernel::numerics::clamp;

use super::constants::{
    ABYSSAL_OBSERVER_DB, ACTIVE_THRESHOLD_DB, INTERFERENCE_DB, PASSIVE_THRESHOLD_DB, POWER_PENALTY_DB, RADAR_LEAST,
    RADAR_RAIN_LOSS, RADAR_SEA_LOSS, SENSORS_PENALTY_DB, SMOKE_SHARE, VISIBILITY_FULL_KM, VISIBILITY_LEAST,
    VISUAL_RANGE_M,
};
use super::excess_by_range::ExcessByRange;

/// What damage takes from an observer's excesses.
#[inline]
#[must_use]
pub fn damage_penalty(sensors: f64, power: f64) -> f64 {
    SENSORS_PENALTY_DB * (1.0 - sensors) + POWER_PENALTY_DB * (1.0 - power)
}

/// What damage and interference take from an observer's excesses.
#[inline]
#[must_use]
pub fn penalty(damage_penalty_db: f64, interference: f64) -> f64 {
    damage_penalty_db + INTERFERENCE_DB * interference
}

/// Share of the eye's range that the air leaves.
#[inline]
#[must_use]
pub fn visibility_share(visibility_km: f64) -> f64 {
    clamp(visibility_km / VISIBILITY_FULL_KM, VISIBILITY_LEAST, 1.0)
}

/// Share of a radar's range that sea and rain at the target leave.
#[inline]
#[must_use]
pub fn radar_weather(sea_state: f64, precipitation: i64) -> f64 {
    clamp(1.0 - RADAR_SEA_LOSS * sea_state - RADAR_RAIN_LOSS[precipitation as usize], RADAR_LEAST, 1.0)
}

/// Range at which the eye's excess is 0, for a lookout of this factor in air of this visibility (0 to 1).
///
/// `visual_root` is the square root of the target's visual index.
#[inline]
#[must_use]
pub fn visual_range(factor: f64, visibility: f64, visual_root: f64, smoke: f64) -> f64 {
    VISUAL_RANGE_M * factor * visibility * visual_root * (1.0 - SMOKE_SHARE * smoke)
}

/// Excess of the eye.
#[inline]
#[must_use]
pub fn visual_excess(reach_m: f64, range_m: f64, penalty_db: f64) -> ExcessByRange {
    ExcessByRange::new(20.0, reach_m, range_m, penalty_db, 0.0)
}

/// Range at which a radar's excess is 0.
///
/// `radar_root` is the fourth root of what comes back: of the target's radar index in units.
#[inline]
#[must_use]
pub fn radar_range(radar_range_m: f64, radar_root: f64, weather: f64) -> f64 {
    radar_range_m * radar_root * weather
}

/// Excess of a radar.
#[inline]
#[must_use]
pub fn radar_excess(reach_m: f64, range_m: f64, penalty_db: f64, ecm: f64) -> ExcessByRange {
    ExcessByRange::new(40.0, reach_m, range_m, penalty_db, ecm)
}

/// Excess of a receiver that hears someone else's radar or link.
#[inline]
#[must_use]
pub fn esm_excess(reach_m: f64, range_m: f64, ecm: f64) -> ExcessByRange {
    ExcessByRange::new(20.0, reach_m, range_m, 0.0, ecm)
}

/// Excess of a listening sonar.
#[inline]
#[must_use]
pub fn passive_excess(
    source_db: f64,
    loss_db: f64,
    noise_db: f64,
    di_db: f64,
    penalty_db: f64,
    is_abyssal: bool,
) -> f64 {
    let excess = source_db - loss_db - noise_db + di_db - PASSIVE_THRESHOLD_DB - penalty_db;
    if is_abyssal { excess - ABYSSAL_OBSERVER_DB } else { excess }
}

/// Excess of the echo of a ping.
#[inline]
#[must_use]
pub fn active_excess(
    ping_db: f64,
    loss_db: f64,
    target_strength_db: f64,
    noise_db: f64,
    di_db: f64,
    penalty_db: f64,
) -> f64 {
    ping_db - 2.0 * loss_db + target_strength_db - noise_db + di_db - ACTIVE_THRESHOLD_DB - penalty_db
}

/// Excess with which a ping itself is heard.
#[inline]
#[must_use]
pub fn counter_excess(ping_db: f64, loss_db: f64, noise_db: f64, di_db: f64) -> f64 {
    ping_db - loss_db - noise_db + di_db - PASSIVE_THRESHOLD_DB
}
