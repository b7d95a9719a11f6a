//! The water's motion as nodes per layer, for the kinds of current that scenarios draw.

use kernel::numerics::{clamp, exp};

use crate::limits::CURRENT_NODES;
use crate::records::ResolvedCurrent;

const LAYER_FACTORS: [f64; 3] = [1.0, 0.6, 0.3];
const CURRENT_MAX_MS: f64 = 5.0;
const NODES: usize = CURRENT_NODES * CURRENT_NODES;
const CELLS: f64 = (CURRENT_NODES - 1) as f64;

/// A whirl, counter-clockwise for positive speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eddy {
    /// East of its center.
    pub x: f64,
    /// North of its center.
    pub y: f64,
    /// Where it is strongest.
    pub radius: f64,
    /// In m/s.
    pub speed: f64,
}

/// No motion at all.
#[must_use]
pub fn still_water() -> [ResolvedCurrent; 3] {
    uniform((0.0, 0.0))
}

/// One vector everywhere, weaker with depth.
#[must_use]
pub fn uniform((x_ms, y_ms): (f64, f64)) -> [ResolvedCurrent; 3] {
    LAYER_FACTORS.map(|factor| ResolvedCurrent {
        x_ms: vec![limited(x_ms * factor); NODES],
        y_ms: vec![limited(y_ms * factor); NODES],
    })
}

/// A vector with a whirl on a square map around the center, weaker with depth.
#[must_use]
pub fn swirling(base: (f64, f64), eddy: &Eddy, half_side_m: f64) -> [ResolvedCurrent; 3] {
    let (mut x_ms, mut y_ms) = (vec![base.0; NODES], vec![base.1; NODES]);
    let place = |step: usize| -half_side_m + (half_side_m - -half_side_m) * (step as f64 / CELLS);
    for node in 0..NODES {
        let (dx_ms, dy_ms) = swirl(eddy, place(node % CURRENT_NODES), place(node / CURRENT_NODES));
        x_ms[node] += dx_ms;
        y_ms[node] += dy_ms;
    }
    let scaled = |values: &[f64], factor: f64| values.iter().map(|value| limited(value * factor)).collect();
    LAYER_FACTORS.map(|factor| ResolvedCurrent { x_ms: scaled(&x_ms, factor), y_ms: scaled(&y_ms, factor) })
}

fn limited(value: f64) -> f64 {
    clamp(value, -CURRENT_MAX_MS, CURRENT_MAX_MS)
}

fn swirl(eddy: &Eddy, x: f64, y: f64) -> (f64, f64) {
    let dx = x - eddy.x;
    let dy = y - eddy.y;
    let distance = (dx * dx + dy * dy).sqrt();
    if distance == 0.0 {
        return (0.0, 0.0);
    }
    let q = distance / eddy.radius;
    let tangential = eddy.speed * q * exp(0.5 - 0.5 * (q * q));
    (tangential * (-dy / distance), tangential * (dx / distance))
}
