//! Rows of jobs, personality profiles and perturbations.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// A job; ticks of the day, `end` exclusive.
#[derive(Clone, Debug, Deserialize)]
pub struct JobRow {
    pub index: i64,
    pub start: i64,
    pub end: i64,
    pub wage_rate: f64,
    pub lateness_penalty: f64,
    pub tile: i64,
    pub zone: i64,
}

/// One personality profile; factors are 1 where it changes nothing.
#[derive(Clone, Debug, Deserialize)]
pub struct Profile {
    pub index: i64,
    pub traits: [f64; 3],
    pub need_factors: [f64; 3],
    pub social_bias: f64,
    pub employment_bias: f64,
    pub survival_bias: f64,
    pub chat_preference: f64,
    pub work_affinity: f64,
    pub conflict_tolerance: f64,
}

/// One kind of event that can befall the town.
#[derive(Clone, Debug, Deserialize)]
pub struct PerturbationRow {
    pub index: i64,
    pub name: String,
    pub kind: i64,
    pub prob_per_day: f64,
    pub cooldown_ticks: i64,
    pub bucket: i64,
    pub duration: (i64, i64),
    pub magnitude: (f64, f64),
    pub prices: Vec<usize>,
    pub utility: i64,
    pub zone: i64,
    pub picks_rivals: bool,
    pub max_participants: i64,
}
