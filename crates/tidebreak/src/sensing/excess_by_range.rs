//! Decibels that fall with the logarithm of the range, compared without it wherever that is enough.

use kernel::numerics::{fmax, log10, log10_bounds};

use super::constants::{ECM_DB, NEAREST_M};

/// By how many decibels eye, radar or receiver stand above their thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExcessByRange {
    /// Decibels that ten times the range cost.
    decade_db: f64,
    /// Range at which the excess is 0 by the range at hand.
    ratio: f64,
    penalty_db: f64,
    ecm_db: f64,
    local_db: f64,
}

impl ExcessByRange {
    /// An excess with this reach in a jamming of 0 to 1.
    #[inline]
    #[must_use]
    pub fn new(decade_db: f64, reach_m: f64, range_m: f64, penalty_db: f64, ecm: f64) -> Self {
        let ratio = reach_m / fmax(range_m, NEAREST_M);
        Self { decade_db, ratio, penalty_db, ecm_db: ECM_DB * ecm, local_db: 0.0 }
    }

    /// The same with what local rules add.
    #[inline]
    #[must_use]
    pub const fn with_local(self, local_db: f64) -> Self {
        Self { local_db, ..self }
    }

    /// The excess.
    #[inline]
    #[must_use]
    pub fn decibels(&self) -> f64 {
        self.after_losses(log10(self.ratio))
    }

    /// Two numbers between which the excess lies, a decibel or less apart.
    #[inline]
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        // Rounding cannot undo the slack that the bounds of the logarithm have.
        let (low, high) = log10_bounds(self.ratio);
        (self.after_losses(low), self.after_losses(high))
    }

    /// Whether the excess is 0 or more.
    #[inline]
    #[must_use]
    pub fn is_positive(&self) -> bool {
        let (low, high) = self.bounds();
        low >= 0.0 || (high >= 0.0 && self.decibels() >= 0.0)
    }

    #[inline]
    fn after_losses(&self, decades: f64) -> f64 {
        self.decade_db * decades - self.penalty_db - self.ecm_db + self.local_db
    }
}
