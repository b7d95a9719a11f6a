//! How a running torpedo or missile turns and moves, and how near its path comes to a point.

use kernel::numerics::{clamp, hyp, norm2pi, sincos, wrap};

const SEARCH_TURN_SHARE: f64 = 0.5;

/// Turns toward the desired heading by at most `turn_max` radians.
#[inline]
#[must_use]
pub fn steer(heading: f64, desired: f64, turn_max: f64) -> f64 {
    norm2pi(heading + clamp(wrap(desired - heading), -turn_max, turn_max))
}

/// Turns left at half the rate, searching.
#[inline]
#[must_use]
pub fn circle_left(heading: f64, turn_max: f64) -> f64 {
    norm2pi(heading + SEARCH_TURN_SHARE * turn_max)
}

/// Moves along the heading.
#[inline]
#[must_use]
pub fn advance(x: f64, y: f64, heading: f64, step_m: f64) -> (f64, f64) {
    let (sine, cosine) = sincos(heading);
    (x + step_m * cosine, y + step_m * sine)
}

/// Closest approach of the segment from start to end to a point.
#[inline]
#[must_use]
pub fn path_distance(start: (f64, f64), end: (f64, f64), point: (f64, f64)) -> f64 {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let (px, py) = (point.0 - start.0, point.1 - start.1);
    let length2 = dx * dx + dy * dy;
    let share = if length2 > 0.0 { clamp((px * dx + py * dy) / length2, 0.0, 1.0) } else { 0.0 };
    hyp(px - share * dx, py - share * dy)
}
