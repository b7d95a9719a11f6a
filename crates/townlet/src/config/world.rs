//! `world`: the grid, the length of a day, and how many live there.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// One number per need.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct ByNeed {
    pub hunger: f64,
    pub hygiene: f64,
    pub energy: f64,
}

impl ByNeed {
    /// In the order of the needs.
    #[inline]
    #[must_use]
    pub const fn values(&self) -> [f64; 3] {
        [self.hunger, self.hygiene, self.energy]
    }
}

/// The town as a place.
#[derive(Clone, Debug, Deserialize)]
pub struct WorldSection {
    pub ticks_per_day: i64,
    pub seats: usize,
    pub population: usize,
    pub initial_needs: ByNeed,
}
