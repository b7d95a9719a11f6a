//! `queue_fairness`, `conflict`, `relationships` and `personalities`.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use std::collections::BTreeMap;

use serde::Deserialize;

/// Reservations and queues.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct QueueFairness {
    pub cooldown_ticks: i64,
    pub ghost_step_after: i64,
    pub age_priority_weight: f64,
    pub reservation_timeout: i64,
    pub queue_timeout: i64,
    pub queue_capacity: i64,
    pub request_radius: i64,
}

/// How conflicts turn into rivalry, and how it fades.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Rivalry {
    pub increment_per_conflict: f64,
    pub decay_per_tick: f64,
    pub min_value: f64,
    pub max_value: f64,
    pub avoid_threshold: f64,
    pub eviction_threshold: f64,
    pub max_edges: i64,
    pub ghost_step_boost: f64,
    pub handover_boost: f64,
    pub queue_length_boost: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Conflict {
    pub rivalry: Rivalry,
}

/// Ties, chats and shared meals.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Relationships {
    pub trust_decay_per_hour: f64,
    pub familiarity_decay_per_hour: f64,
    pub chat_cooldown_ticks: i64,
    pub chat_base_success: f64,
    pub shared_meal_window: i64,
    pub churn_window_ticks: i64,
}

/// Which profiles citizens get.
#[derive(Clone, Debug, Deserialize)]
pub struct Personalities {
    /// Pairs of a profile's index and its weight, sorted by its name.
    pub distribution: Vec<(i64, f64)>,
    /// Index of a profile by citizen id.
    pub overrides: BTreeMap<String, i64>,
    pub trait_jitter: f64,
}
