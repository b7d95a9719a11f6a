//! Rounding to integers without a library call.

const WHOLE_FROM: f64 = 4_503_599_627_370_496.0; // 2^52: every float from here on is an integer
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 2^52 + 2^51: adding it leaves an integer in the lowest mantissa bits

/// Rounds down; zero always comes out positive.
#[inline(always)]
#[must_use]
pub fn floor(x: f64) -> f64 {
    let shift = WHOLE_FROM.copysign(x);
    let nearest = (x + shift) - shift;
    let down = nearest - if nearest > x { 1.0 } else { 0.0 };
    if x.abs() < WHOLE_FROM { down } else { x }
}

/// Rounds up: the negative of `floor(-x)`, so -0.5 gives -0.0.
#[inline(always)]
#[must_use]
pub fn ceil(x: f64) -> f64 {
    -floor(-x)
}

/// Rounds to the nearest integer, halves upward; the specs call this `round`.
#[inline(always)]
#[must_use]
pub fn round_half_up(x: f64) -> f64 {
    floor(x + 0.5)
}

/// `floor` for |x| below 2^51, two operations shorter.
#[inline(always)]
pub(super) fn floor_small(x: f64) -> f64 {
    let nearest = (x + ROUNDER) - ROUNDER;
    nearest - if nearest > x { 1.0 } else { 0.0 }
}

/// Two's complement of a whole number below 2^51, correct in its low 51 bits.
#[inline(always)]
pub(super) fn whole_bits(whole: f64) -> u64 {
    (whole + ROUNDER).to_bits()
}
