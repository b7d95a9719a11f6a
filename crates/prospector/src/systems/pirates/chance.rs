//! How likely pirates are, and a cheap bound of it that settles most draws.

use kernel::numerics::{fmax, fmin, log1p, powi, sigmoid};

use crate::bounds::clamp;
use crate::constants::{
    ALERT_MAX, PIRATE_BIAS, PIRATE_ESCAPE_RELIEF, PIRATE_PER_ALERT, PIRATE_PER_INTENSITY, PIRATE_PER_LOG_VALUE,
    PIRATE_VALUE_SCALE,
};

/// What draws pirates.
pub(super) struct Lure {
    /// How dangerous the place is.
    pub intensity: f64,
    pub alert: f64,
    /// Worth of the hold.
    pub value: f64,
}

impl Lure {
    /// Chance of an encounter within `dt` ticks.
    pub fn chance(&self, dt: u8, is_escaping: bool) -> f64 {
        let relief = if is_escaping { PIRATE_ESCAPE_RELIEF } else { 0.0 };
        let logit = PIRATE_BIAS
            + PIRATE_PER_INTENSITY * self.intensity
            + PIRATE_PER_ALERT * clamp(self.alert / ALERT_MAX, 0.0, 1.0)
            + PIRATE_PER_LOG_VALUE * log1p(self.value / PIRATE_VALUE_SCALE)
            - relief;
        1.0 - powi(1.0 - sigmoid(logit), u32::from(dt))
    }
}

const STEPS_PER_UNIT: f64 = 16.0;
const STEPS: usize = 128;
/// Far above what rounding can take from a bound.
const MARGIN: f64 = 1.000_001;

/// Bounds of the chance per tick, by how far the logit lies above its bias.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    upper: [f64; STEPS],
    lower: [f64; STEPS],
}

impl Bounds {
    pub fn new() -> Self {
        let at = |step: usize| sigmoid(PIRATE_BIAS + step as f64 / STEPS_PER_UNIT);
        Self {
            upper: std::array::from_fn(|step| at(step + 1) * MARGIN),
            lower: std::array::from_fn(|step| at(step) / MARGIN),
        }
    }

    /// A number that is never below the chance of an encounter within `dt` ticks.
    ///
    /// It leaves out what an escape relieves and what limits the alert, takes v for log(1 + v), and dt p for
    /// 1 - (1 - p)^dt.
    #[inline]
    pub(super) fn upper(&self, lure: &Lure, dt: u8) -> f64 {
        let step = steps(lure.intensity, lure.alert, lure.value);
        let per_tick = self.upper.get(step).copied().unwrap_or(1.0);
        f64::from(dt) * per_tick
    }

    /// A number that is never above the chance of an encounter within `dt` ticks without an escape.
    ///
    /// It takes v - v²/2 for log(1 + v), and dt p - dt (dt - 1) / 2 p² for 1 - (1 - p)^dt.
    #[inline]
    pub(super) fn lower(&self, lure: &Lure, dt: u8) -> f64 {
        let value = lure.value * fmax(0.0, 1.0 - lure.value * (0.5 / PIRATE_VALUE_SCALE));
        let per_tick = self.lower[steps(lure.intensity, fmin(ALERT_MAX, lure.alert), value).min(STEPS - 1)];
        let ticks = f64::from(dt);
        ticks * per_tick * (1.0 - (ticks - 1.0) * 0.5 * per_tick)
    }
}

#[inline]
fn steps(intensity: f64, alert: f64, value: f64) -> usize {
    let above_bias = intensity * (PIRATE_PER_INTENSITY * STEPS_PER_UNIT)
        + alert * (PIRATE_PER_ALERT / ALERT_MAX * STEPS_PER_UNIT)
        + value * (PIRATE_PER_LOG_VALUE / PIRATE_VALUE_SCALE * STEPS_PER_UNIT);
    above_bias as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bounds, Lure};

    proptest! {
        #[test]
        fn the_chance_lies_between_its_bounds(
            intensity in 0.0..=1.0,
            alert in 0.0..=150.0,
            value in 0.0..100_000.0,
            dt in 1_u8..=8,
        ) {
            let lure = Lure { intensity, alert, value };

            prop_assert!(Bounds::new().upper(&lure, dt) >= lure.chance(dt, false));
            prop_assert!(Bounds::new().upper(&lure, dt) >= lure.chance(dt, true));
            prop_assert!(Bounds::new().lower(&lure, dt) <= lure.chance(dt, false));
        }
    }
}
