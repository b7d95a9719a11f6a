//! Stateless draws (tidebreak.md 4.3): a number depends only on what it is for, so no consumer shifts another's.

use crate::seeds::{GOLDEN, mix};

const WORD_OFFSET: u64 = 0xD1B5_4A32_D192_ED03;
const PER_UNIT: f64 = 1.0 / 9_007_199_254_740_992.0; // 2^-53
const LANE_MEAN: i32 = 131_070;
const LANE_DEVIATION: f64 = 37_837.227;

/// The 64 random bits that belong to these keys.
///
/// `stream` says which rule draws, `a` and `b` whom it is about, `k` numbers the draws inside one decision.
#[inline]
#[must_use]
pub const fn draw(seed: u64, stream: u64, tick: u64, a: u64, b: u64, k: u64) -> u64 {
    absorb(absorb(absorb(stem(seed, stream, tick), a), b), k)
}

/// What all draws of a stream share in one tick; `a`, `b` and `k` are absorbed one after the other.
#[inline]
#[must_use]
pub const fn stem(seed: u64, stream: u64, tick: u64) -> u64 {
    absorb(absorb(mix(seed.wrapping_add(GOLDEN)), stream), tick)
}

/// Takes another key into a stem or a draw.
#[inline]
#[must_use]
pub const fn absorb(h: u64, word: u64) -> u64 {
    mix(h ^ word.wrapping_mul(GOLDEN).wrapping_add(WORD_OFFSET))
}

/// Turns a draw into a fraction in [0, 1), from its upper 53 bits.
#[inline]
#[must_use]
pub const fn u01(bits: u64) -> f64 {
    (bits >> 11) as f64 * PER_UNIT
}

/// Turns a draw into an index in 0..n-1, for n up to 2^53.
#[inline]
#[must_use]
pub const fn pick(bits: u64, n: u64) -> u64 {
    (u01(bits) * n as f64) as u64
}

/// Turns a draw into a bell-shaped number with mean 0, variance 1 and range ±3.464: the sum of its 16-bit lanes.
#[inline]
#[must_use]
pub const fn n4(bits: u64) -> f64 {
    let lanes = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    (lanes as i32 - LANE_MEAN) as f64 / LANE_DEVIATION
}
