//! What befalls the town: running and planned events, and what the scheduler remembers.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use crate::codes::NEVER;

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct CityEvent {
    pub number: i64,
    pub spec: i64,
    pub kind: i64,
    pub started_at: i64,
    pub ends_at: i64,
    pub magnitude: f64,
    pub prices: i64,
    pub utility: i64,
    pub zone: i64,
    pub is_manual: bool,
    pub participants: Vec<i64>,
    pub met: Vec<i64>,
}

/// A start that counts against the limit of its fairness bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowStart {
    pub bucket: i64,
    pub tick: i64,
}

/// What the scheduler remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct PerturbationState {
    pub active: Vec<CityEvent>,
    pub pending: Vec<CityEvent>,
    pub ready_ticks: Vec<i64>,
    pub last_start: i64,
    pub starts: Vec<WindowStart>,
    pub next_event: i64,
    pub utility_tick: i64,
    pub price_tick: i64,
}

impl PerturbationState {
    /// Nothing has happened yet; `rows` perturbations may.
    #[must_use]
    pub fn of_rows(rows: usize) -> Self {
        Self {
            active: Vec::new(),
            pending: Vec::new(),
            ready_ticks: vec![NEVER; rows],
            last_start: NEVER,
            starts: Vec::new(),
            next_event: 1,
            utility_tick: NEVER,
            price_tick: NEVER,
        }
    }
}
