//! Where a unit is, how it moves and how deep it is.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use kernel::numerics::sincos;

use crate::codes::NO_LAYER;

/// Layer mode: in one layer.
pub const STEADY: i64 = 0;
/// Layer mode: on the way from one layer to the next.
pub const IN_TRANSIT: i64 = 1;
/// Layer mode: up for the launch of missiles.
pub const POPPING_UP: i64 = 2;

/// Where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub x: f64,
    pub y: f64,
    pub heading: f64,
}

/// How it moves; velocity is through the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub vx: f64,
    pub vy: f64,
    pub omega: f64,
    pub throttle: f64,
    pub rudder: f64,
    pub cmd_throttle: f64,
    pub cmd_rudder: f64,
}

/// The direction of a heading, worked out once for as long as the heading stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    heading: f64,
    direction: (f64, f64),
}

impl Default for Course {
    fn default() -> Self {
        Self { heading: 0.0, direction: sincos(0.0) }
    }
}

impl Course {
    /// Sine and cosine of a heading.
    #[inline]
    pub fn of(&mut self, heading: f64) -> (f64, f64) {
        if heading.to_bits() != self.heading.to_bits() {
            *self = Self { heading, direction: sincos(heading) };
        }
        self.direction
    }
}

/// Depth: `mode` is STEADY, IN_TRANSIT or POPPING_UP, `layer` the origin while in transit, times are ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerState {
    pub layer: i64,
    pub mode: i64,
    pub target_layer: i64,
    pub elapsed: i64,
    pub total: i64,
    pub trans_damage: f64,
    pub botches: i64,
}

impl LayerState {
    /// At rest in a layer.
    #[must_use]
    pub const fn steady(layer: i64) -> Self {
        Self { layer, mode: STEADY, target_layer: NO_LAYER, elapsed: 0, total: 0, trans_damage: 0.0, botches: 0 }
    }
}
