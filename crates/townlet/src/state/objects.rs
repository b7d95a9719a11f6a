//! An object in use: who holds it, who waits, what runs, and what is in stock.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use std::sync::Arc;

use crate::codes::{NEVER, NOBODY, NOTHING};
use crate::tables::affordances::AffordanceRow;

/// A citizen who waits, by seat, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueEntry {
    pub seat: i64,
    pub joined_tick: i64,
}

/// What changes about an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectState {
    pub holder: i64,
    pub stall: i64,
    pub granted_tick: i64,
    pub running: i64,
    pub remaining: i64,
    pub paid: f64,
    pub owner: i64,
    pub stock: Vec<i64>,
    pub cooldowns: Vec<i64>,
    pub queue: Vec<QueueEntry>,
    /// Row of what is running where that began before a reload: the tables may have changed, but not what has begun.
    pub kept: Option<Arc<AffordanceRow>>,
}

impl ObjectState {
    /// An object nobody has touched, with this stock.
    #[must_use]
    pub fn new(stock: &[i64], seats: usize) -> Self {
        Self {
            holder: NOBODY,
            stall: 0,
            granted_tick: 0,
            running: NOTHING,
            remaining: 0,
            paid: 0.0,
            owner: NOBODY,
            stock: stock.to_vec(),
            cooldowns: vec![NEVER; seats],
            queue: Vec::new(),
            kept: None,
        }
    }

    /// Whether the holder is doing something with it.
    #[inline]
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running != NOTHING || self.kept.is_some()
    }

    /// Place in the queue from 0, -1 for a citizen who does not wait here.
    #[must_use]
    pub fn place_of(&self, seat: usize) -> i64 {
        self.queue.iter().position(|entry| entry.seat == seat as i64).map_or(-1, |place| place as i64)
    }
}
