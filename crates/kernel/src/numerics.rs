//! Elementary functions given as polynomials, so that every machine and both tiers compute the same bits.
//!
//! The polynomials are normative (tidebreak.md 4.1 and 4.2) and `src/diorama/numerics.py` is their readable twin. Every
//! function is a straight line of IEEE operations and selections: a loop over an array becomes vector code, and nothing
//! calls the C library (`f64::floor` would, on a processor baseline without `roundsd`).

#![expect(clippy::excessive_precision, clippy::approx_constant, reason = "constants read as the spec writes them")]

mod arrays;
mod exponential;
mod rounding;
mod trigonometry;

pub use arrays::{cos_array, cos_each, exp_array, exp_each, headings, ln_array, ln_each, sin_array, sin_each};
pub use exponential::{exp, ln, log1p, log10, log10_bounds, sigmoid};
pub use rounding::{ceil, floor, round_half_up};
pub use trigonometry::{atan2, cos, norm2pi, sin, sincos, wrap};

/// Half a turn in radians.
pub const PI: f64 = 3.141592653589793;
/// A full turn in radians.
pub const TWO_PI: f64 = 6.283185307179586;
/// A quarter turn in radians.
pub const HALF_PI: f64 = 1.5707963267948966;

const SHARE_FLOOR: f64 = 1e-8;

/// `a` if it is the larger, else `b`; signed zeros follow from that.
#[inline]
#[must_use]
pub const fn fmax(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `a` if it is the smaller, else `b`; signed zeros follow from that.
#[inline]
#[must_use]
pub const fn fmin(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// `lo` below `lo`, `hi` above `hi`, else `x`; unlike `f64::clamp` it takes any bounds.
#[inline]
#[must_use]
pub const fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
    let capped = if x > hi { hi } else { x };
    if x < lo { lo } else { capped }
}

/// -1 below zero, else 1 (zero included).
#[inline]
#[must_use]
pub const fn sgn(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// Length of the vector (x, y).
#[inline]
#[must_use]
pub fn hyp(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Integer power as `n` multiplications starting from 1.
#[inline]
#[must_use]
pub const fn powi(x: f64, n: u32) -> f64 {
    let mut product = 1.0;
    let mut done = 0;
    while done < n {
        product *= x;
        done += 1;
    }
    product
}

/// Scales six shares to sum to one, after raising each to at least 1e-8.
#[inline]
#[must_use]
pub fn normalise6(values: [f64; 6]) -> [f64; 6] {
    let raised = values.map(|value| if value < SHARE_FLOOR { SHARE_FLOOR } else { value });
    let total = raised.iter().fold(0.0, |sum, value| sum + value);
    raised.map(|value| value / total)
}
