//! From excess to measurement: how good it is and how far it errs.

use super::constants::{
    ACTIVE_Q2_DB, ACTIVE_SIGMA, BEARING_SIGMA_SHARE, COUNTER_SIGMA, ESM_ASSUMED_RANGE_M, PASSIVE_Q1_DB,
    PASSIVE_Q1_HITS, PASSIVE_Q1_SIGMA, PASSIVE_Q2_DB, PASSIVE_Q2_HITS, PASSIVE_Q2_SIGMA, RADAR_Q2_DB, RADAR_SIGMA,
    SONAR_ASSUMED_RANGE_M, VISUAL_Q2_DB, VISUAL_SIGMA,
};
use crate::codes::{modality, track_quality};

/// The sight of a target that an observer keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// How.
    pub modality: i64,
    /// Standard error in meters.
    pub sigma: f64,
    /// Measured place.
    pub x: f64,
    /// Measured place.
    pub y: f64,
    /// `track_quality` the measurement supports.
    pub quality: i64,
    /// Whether the range is assumed.
    pub bearing_only: bool,
    /// Of a bearing-only measurement, else 0.
    pub assumed_range: f64,
}

/// What an excess is good for; without a `sigma_m` only the bearing is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// `track_quality`.
    pub quality: i64,
    /// Standard error in meters.
    pub sigma_m: Option<f64>,
}

/// A way of sensing that tells the range whenever it has a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranged {
    /// How.
    pub modality: i64,
    /// Excess from which it gives fire control.
    pub q2_db: f64,
    /// Standard error at this range.
    pub sigma_m: f64,
}

/// The ways of sensing that tell the range, the one that errs least first; ties go to the lower code.
#[inline]
#[must_use]
pub fn ranged_by_error(range_m: f64) -> [Ranged; 3] {
    let visual = Ranged { modality: modality::VISUAL, q2_db: VISUAL_Q2_DB, sigma_m: at(VISUAL_SIGMA, range_m) };
    let radar = Ranged { modality: modality::RADAR, q2_db: RADAR_Q2_DB, sigma_m: at(RADAR_SIGMA, range_m) };
    let active = Ranged { modality: modality::ACTIVE_SONAR, q2_db: ACTIVE_Q2_DB, sigma_m: at(ACTIVE_SIGMA, range_m) };
    // A ping always errs more than the eye, so only the radar has to find its place.
    if radar.sigma_m < visual.sigma_m {
        [radar, visual, active]
    } else if radar.sigma_m <= active.sigma_m {
        [visual, radar, active]
    } else {
        [visual, active, radar]
    }
}

/// Grades an excess of 0 or more of a listening sonar whose track of the target has had this many updates.
#[inline]
#[must_use]
pub fn passive_grade(excess_db: f64, range_m: f64, hits: i64) -> Grade {
    if excess_db >= PASSIVE_Q2_DB && hits >= PASSIVE_Q2_HITS {
        Grade { quality: track_quality::Q2, sigma_m: Some(at(PASSIVE_Q2_SIGMA, range_m)) }
    } else if excess_db >= PASSIVE_Q1_DB && hits >= PASSIVE_Q1_HITS {
        Grade { quality: track_quality::Q1, sigma_m: Some(at(PASSIVE_Q1_SIGMA, range_m)) }
    } else {
        Grade { quality: track_quality::Q0, sigma_m: None }
    }
}

/// Standard error of a ping that was heard.
#[inline]
#[must_use]
pub fn counter_sigma(range_m: f64) -> f64 {
    at(COUNTER_SIGMA, range_m)
}

/// Standard error of a radar's contact.
#[inline]
#[must_use]
pub fn radar_sigma(range_m: f64) -> f64 {
    at(RADAR_SIGMA, range_m)
}

/// Range given to a bearing: that of the track, or one that says nothing about the target.
#[inline]
#[must_use]
pub fn assumed_range(modality_code: i64, track_range_m: Option<f64>) -> f64 {
    match track_range_m {
        Some(range_m) => range_m,
        None if modality_code == modality::ESM => ESM_ASSUMED_RANGE_M,
        None => SONAR_ASSUMED_RANGE_M,
    }
}

/// Standard error of a place that only a bearing gives.
#[inline]
#[must_use]
pub fn bearing_sigma(assumed_range_m: f64) -> f64 {
    BEARING_SIGMA_SHARE * assumed_range_m
}

#[inline]
fn at(sigma: (f64, f64), range_m: f64) -> f64 {
    sigma.0 + sigma.1 * range_m
}
