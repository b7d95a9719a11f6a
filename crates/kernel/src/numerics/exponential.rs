//! Exponential, logarithms and the logistic function.

use super::clamp;
use super::rounding::{floor_small, whole_bits};

const EXP_LIMIT: f64 = 700.0;
const LOG2_E: f64 = 1.4426950408889634;
const LN2_HIGH: f64 = 6.93147180369123816490e-01;
const LN2_LOW: f64 = 1.90821492927058770002e-10;
const R0: f64 = 1.66666666666666019037e-01;
const R1: f64 = -2.77777777770155933842e-03;
const R2: f64 = 6.61375632143793436117e-05;
const R3: f64 = -1.65339022054652515390e-06;
const R4: f64 = 4.13813679705723846039e-08;

const LN_OF_NOTHING: f64 = -744.0; // ln of zero, of negative numbers and of what is not a number
const T1: f64 = 3.999999999940941908e-01;
const T2: f64 = 2.222219843214978396e-01;
const T3: f64 = 1.531383769920937332e-01;
const U1: f64 = 6.666666666666735130e-01;
const U2: f64 = 2.857142874366239149e-01;
const U3: f64 = 1.818357216161805012e-01;
const U4: f64 = 1.479819860511658591e-01;
const LOG10_E: f64 = 0.4342944819032518;
const LOG10_2: f64 = 0.3010299956639812;
const OCTAVES_PER_BIT: f64 = 1.0 / 4_503_599_627_370_496.0; // 2^-52
const ROUNDING_SLACK: f64 = 1e-12;
const BEND_MAX: f64 = 0.02592; // log10 bends at most 0.025913 above the line

const EXPONENT_BIAS: u64 = 1023;
const MANTISSA_BITS: u32 = 52;
const MANTISSA_MASK: u64 = (1 << MANTISSA_BITS) - 1;
/// Bits of the smallest number above √2 / 2: where the reduced argument of `ln` begins.
const REDUCED_FROM: u64 = 0x3FE6_A09E_667F_3BCE;
const ONE_BITS: u64 = EXPONENT_BIAS << MANTISSA_BITS;
/// 2^52, into whose mantissa an exponent is placed to become a float without a conversion instruction.
const WHOLE_CARRIER: f64 = 4_503_599_627_370_496.0;
const SUBNORMAL_SHIFT: f64 = 54.0;
const SUBNORMAL_SCALE: f64 = 18_014_398_509_481_984.0; // 2^54

/// Exponential; 0 below -700, and above 700 the value at 700.
#[inline(always)]
#[must_use]
pub fn exp(x: f64) -> f64 {
    let bounded = clamp(x, -EXP_LIMIT, EXP_LIMIT);
    let k = floor_small(bounded * LOG2_E + 0.5);
    let h = bounded - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = h - low;
    let t = r * r;
    let c = r - t * (R0 + t * (R1 + t * (R2 + t * (R3 + t * R4))));
    let y = 1.0 - ((low - (r * c) / (2.0 - c)) - h);
    // k lies within ±1010, so 2^k and the product are normal numbers and the scaling is exact.
    let scale = f64::from_bits(whole_bits(k).wrapping_add(EXPONENT_BIAS) << MANTISSA_BITS);
    y * if x < -EXP_LIMIT { 0.0 } else { scale }
}

/// Natural logarithm; -744 for zero, negative numbers and what is not a number.
#[inline(always)]
#[must_use]
pub fn ln(x: f64) -> f64 {
    let is_subnormal = x < f64::MIN_POSITIVE;
    let normal = if is_subnormal { x * SUBNORMAL_SCALE } else { x };
    let shift = if is_subnormal { SUBNORMAL_SHIFT } else { 0.0 };
    // Measured from just above √2/2, the exponent field counts the spec's e and what is left of it is the spec's m.
    let measured = normal.to_bits().wrapping_add(ONE_BITS - REDUCED_FROM);
    let carried = f64::from_bits((measured >> MANTISSA_BITS) | WHOLE_CARRIER.to_bits());
    let e = carried - (WHOLE_CARRIER + EXPONENT_BIAS as f64) - shift;
    let f = f64::from_bits((measured & MANTISSA_MASK) + REDUCED_FROM) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (T1 + w * (T2 + w * T3));
    let t2 = z * (U1 + w * (U2 + w * (U3 + w * U4)));
    let h = 0.5 * f * f;
    let y = e * LN2_HIGH - ((h - (s * (h + (t2 + t1)) + e * LN2_LOW)) - f);
    let above_zero = if x == f64::INFINITY { x } else { y };
    if x > 0.0 { above_zero } else { LN_OF_NOTHING }
}

/// Decimal logarithm, from `ln`.
#[inline(always)]
#[must_use]
pub fn log10(x: f64) -> f64 {
    ln(x) * LOG10_E
}

/// Two numbers between which `log10` of a positive normal number lies, 0.026 apart; far cheaper than the logarithm.
#[inline(always)]
#[must_use]
pub fn log10_bounds(x: f64) -> (f64, f64) {
    // Bits read as a number grow by one per octave, in a straight line where the logarithm bends above it.
    let octaves = (x.to_bits() as i64 - ONE_BITS as i64) as f64 * OCTAVES_PER_BIT;
    let least = octaves * LOG10_2;
    (least - ROUNDING_SLACK, least + BEND_MAX)
}

/// Natural logarithm of 1 + x, computed just so (no extra accuracy near zero).
#[inline(always)]
#[must_use]
pub fn log1p(x: f64) -> f64 {
    ln(1.0 + x)
}

/// Logistic function 1 / (1 + exp(-x)).
#[inline(always)]
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}
