//! How likely pirates are, and a cheap bound of it that settles most draws.

use kernel::numerics::{log1p, powi, sigmoid};

use crate::constants::{PIRATE_BIAS, PIRATE_ESCAPE_RELIEF, PIRATE_PER_LOG_VALUE, PIRATE_VALUE_SCALE};

/// What draws pirates: two summands of the logit, and the worth of the hold.
pub(super) struct Lure {
    pub intensity: f64,
    pub alert: f64,
    pub value: f64,
}

impl Lure {
    /// Chance of an encounter within `dt` ticks.
    pub fn chance(&self, dt: u8, is_escaping: bool) -> f64 {
        let relief = if is_escaping { PIRATE_ESCAPE_RELIEF } else { 0.0 };
        let logit = PIRATE_BIAS
            + self.intensity
            + self.alert
            + PIRATE_PER_LOG_VALUE * log1p(self.value / PIRATE_VALUE_SCALE)
            - relief;
        1.0 - powi(1.0 - sigmoid(logit), u32::from(dt))
    }
}

const STEPS_PER_UNIT: f64 = 16.0;
const BOUNDS: usize = 128;
/// Far above what rounding can take from a bound.
const MARGIN: f64 = 1.000_000_1;

/// Upper bounds of the chance per tick, by how far the logit lies above its bias.
#[derive(Clone, Debug)]
pub(crate) struct Bounds([f64; BOUNDS]);

impl Bounds {
    pub fn new() -> Self {
        Self(std::array::from_fn(|step| {
            sigmoid(PIRATE_BIAS + (step + 1) as f64 / STEPS_PER_UNIT) * MARGIN
        }))
    }

    /// A number that is never below the chance of an encounter within `dt` ticks.
    ///
    /// It leaves out what an escape relieves, takes v for log(1 + v), and dt p for 1 - (1 - p)^dt.
    #[inline]
    pub(super) fn bound(&self, lure: &Lure, dt: u8) -> f64 {
        let above_bias = lure.intensity + lure.alert + lure.value * (PIRATE_PER_LOG_VALUE / PIRATE_VALUE_SCALE);
        let per_tick = self.0.get((above_bias * STEPS_PER_UNIT) as usize).copied().unwrap_or(1.0);
        f64::from(dt) * per_tick
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bounds, Lure};

    proptest! {
        #[test]
        fn the_bound_is_never_below_the_chance(
            intensity in 0.0..=3.0,
            alert in 0.0..=2.2,
            value in 0.0..100_000.0,
            dt in 1_u8..=8,
            is_escaping: bool,
        ) {
            let lure = Lure { intensity, alert, value };

            prop_assert!(Bounds::new().bound(&lure, dt) >= lure.chance(dt, is_escaping));
        }
    }
}
