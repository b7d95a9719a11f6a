//! The town's own books: prices, rules, exits, embedding slots, queue and social metrics.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use crate::codes::{NEVER, PRICES};

/// Prices and utilities.
#[derive(Clone, Debug, PartialEq)]
pub struct EconomyState {
    pub baselines: [f64; PRICES],
    pub live: [f64; PRICES],
    pub outages: [i64; 2],
}

/// Rules that begin as configured and that an operator may change.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveRules {
    pub mortality: bool,
    pub max_exits_per_day: i64,
    pub daily_exit_cap: i64,
    pub spawn_delay_min: i64,
    pub spawn_delay_max: i64,
    pub collapse_threshold: f64,
    pub collapse_ticks: i64,
}

/// A replacement on its way: when it is due, and whom it replaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    pub due_tick: i64,
    pub replaces: i64,
}

/// A citizen who left, for the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    pub number: i64,
    pub reason: i64,
    pub tick: i64,
    pub lived_days: f64,
    pub afi: f64,
}

/// Exits and arrivals.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleLedger {
    pub exits_today: i64,
    pub last_exit_tick: i64,
    pub tickets: Vec<Ticket>,
    pub pool_exhausted_told: bool,
    pub vacated: Vec<i64>,
    /// Kept in snapshots and left out of the hash.
    pub departures: Vec<Departure>,
}

impl LifecycleLedger {
    /// Books of a town with so many seats, none of them ever left.
    #[must_use]
    pub fn of_seats(seats: usize) -> Self {
        Self {
            exits_today: 0,
            last_exit_tick: NEVER,
            tickets: Vec::new(),
            pool_exhausted_told: false,
            vacated: vec![NEVER; seats],
            departures: Vec::new(),
        }
    }
}

/// Slots that stand for citizens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbeddingPool {
    pub holders: Vec<i64>,
    pub released: Vec<i64>,
    pub allocations_total: i64,
    pub forced_reuse_count: i64,
}

/// Counts since the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueMetrics {
    pub requests: i64,
    pub grants: i64,
    pub timeouts: i64,
    pub cooldown_events: i64,
    pub ghost_step_events: i64,
    pub ghost_move_events: i64,
    pub rotation_events: i64,
    pub wait_ticks: i64,
    pub max_wait_ticks: i64,
    pub conflict_intensity_sum: f64,
}

/// A conflict, for the record.
#[derive(Clone, Debug, PartialEq)]
pub struct ConflictNote {
    pub tick: i64,
    pub object: i64,
    pub actor: i64,
    pub rival: i64,
    pub reason: i64,
    pub intensity: f64,
}

/// Ties dropped in one window: by reason, and by owner's seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChurnWindow {
    pub index: i64,
    pub by_reason: Vec<i64>,
    pub by_owner: Vec<i64>,
}

/// A meeting of two citizens, for the record: `EventKind`, citizen numbers, and how good it was.
#[derive(Clone, Debug, PartialEq)]
pub struct SocialNote {
    pub tick: i64,
    pub kind: i64,
    pub first: i64,
    pub second: i64,
    pub quality: f64,
}

/// What pairs share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SocialLedger {
    pub meal_ticks: Vec<i64>,
    /// Kept in snapshots and left out of the hash, like `conflicts` and `churn`.
    pub notes: Vec<SocialNote>,
    pub conflicts: Vec<ConflictNote>,
    pub churn: Vec<ChurnWindow>,
}
