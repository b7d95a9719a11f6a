//! `embedding_allocator`, `observations`, `policy_runtime` and `behavior`.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct EmbeddingAllocator {
    pub cooldown_ticks: i64,
    pub reuse_warning_threshold: f64,
    pub log_forced_reuse: bool,
    pub max_slots: usize,
}

#[derive(Clone, Debug, Deserialize)]
pub struct CompactObservation {
    pub map_window: i64,
    pub object_channels: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Observations {
    pub local_window: i64,
    pub compact: CompactObservation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionLevel {
    Option,
    Primitive,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct PolicyRuntime {
    pub action_level: ActionLevel,
    pub option_commit_ticks: i64,
}

/// Thresholds of the scripted controller.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Behavior {
    pub hunger_threshold: f64,
    pub hygiene_threshold: f64,
    pub energy_threshold: f64,
    pub night_energy_threshold: f64,
    pub critical_threshold: f64,
    pub job_arrival_buffer: i64,
    pub chat_min_extroversion: f64,
}
