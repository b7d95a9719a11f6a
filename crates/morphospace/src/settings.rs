//! What can be set per field space; everything else is a constant of the engine.

use std::fmt::Display;

use crate::constants::{
    DYNAMIC_RULES, FIELD_PERIOD_MAX_TICKS, FIELD_PERIOD_TICKS, MAX_BRICKS, N_BRICKS, N_DYNAMIC, N_LAYERS,
};

/// Settings of one field space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seconds that one propagation covers.
    pub field_period: u32,
    /// How many bricks may exist at once.
    pub max_bricks: usize,
    /// What each layer's water returns to, °C.
    pub temperature: [f64; N_LAYERS],
    /// When off, nothing can be stamped and every dynamic field reads its default.
    pub is_dynamic: bool,
    /// Of each dynamic field, m²/s.
    pub diffusivity: [f64; N_DYNAMIC],
    /// Of each dynamic field, 1/s.
    pub decay: [f64; N_DYNAMIC],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            field_period: FIELD_PERIOD_TICKS,
            max_bricks: MAX_BRICKS,
            temperature: DYNAMIC_RULES[0].default,
            is_dynamic: true,
            diffusivity: DYNAMIC_RULES.map(|rule| rule.diffusivity),
            decay: DYNAMIC_RULES.map(|rule| rule.decay),
        }
    }
}

impl Settings {
    /// Says which setting is wrong and what would be right, if one is.
    ///
    /// # Errors
    /// With the name and value of the first wrong setting.
    pub fn validate(&self) -> Result<(), String> {
        check_range("field_period", self.field_period, 1, FIELD_PERIOD_MAX_TICKS)?;
        check_range("max_bricks", self.max_bricks, 0, N_BRICKS)?;
        let [rule, ..] = DYNAMIC_RULES;
        for value in self.temperature {
            check_range("temperature", value, f64::from(rule.low), f64::from(rule.high))?;
        }
        for (name, values) in [("diffusivity", self.diffusivity), ("decay", self.decay)] {
            if let Some(value) = values.into_iter().find(|value| !(value.is_finite() && *value >= 0.0)) {
                return Err(format!("{name} has {value}; it must be a finite number of 0 or more"));
            }
        }
        Ok(())
    }
}

fn check_range<T: PartialOrd + Display>(name: &str, value: T, lowest: T, highest: T) -> Result<(), String> {
    if value >= lowest && value <= highest {
        return Ok(());
    }
    Err(format!("{name} is {value}; it must be {lowest} to {highest}"))
}
