//! `perturbations` and `lifecycle`: what befalls the town, and who leaves it.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// What befalls the town, and how often.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Perturbations {
    pub enabled: bool,
    pub max_concurrent_events: i64,
    pub global_cooldown_ticks: i64,
    pub per_agent_cooldown_ticks: i64,
    pub grace_window_ticks: i64,
    pub window_ticks: i64,
    pub max_events_per_window: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Collapse {
    pub threshold: f64,
    pub ticks: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Eviction {
    pub days_unpaid: i64,
    pub recovery_days: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct ChronicNeed {
    pub threshold: f64,
    pub fraction_of_day: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct AgeOut {
    pub enabled: bool,
    pub min_days: i64,
    pub max_days: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpawnPolicy {
    Release,
    Elitist,
}

/// Exits and arrivals.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Lifecycle {
    pub max_exits_per_day: i64,
    pub exit_cooldown_ticks: i64,
    pub spawn_delay_ticks: (i64, i64),
    pub collapse: Collapse,
    pub eviction: Eviction,
    pub unemployment_days: i64,
    pub chronic_need: ChronicNeed,
    pub age_out: AgeOut,
    pub suppress_during_city_events: bool,
    pub spawn_policy: SpawnPolicy,
    pub elitist_jitter: f64,
}
