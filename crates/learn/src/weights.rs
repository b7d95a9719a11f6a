//! The unnormalized softmax of one head of one row.

const LANES: usize = 8;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
const LN2_HIGH: f32 = 0.693_359_4; // ln 2 in so few bits that its product with a small whole number is exact
const LN2_LOW: f32 = -2.121_944_4e-4;
const ROUNDER: f32 = 12_582_912.0; // 1.5 · 2^23: adding it leaves no room for a fraction
const LEAST_EXPONENT: f32 = -87.0; // below it the result would be subnormal
const OUT_OF_REACH: f32 = 1e30; // how far below the others the logit of an invalid option is moved

/// What the weights of a head add up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    /// Largest valid logit.
    pub max: f32,
    /// Sum of the weights.
    pub sum: f32,
    /// Number of valid options.
    pub valid: usize,
}

impl Total {
    /// Logarithm of the sum of the exponentials of the valid logits.
    #[must_use]
    pub fn log_sum(&self) -> f32 {
        self.max + self.log_total()
    }

    /// Logarithm of the sum of the weights.
    #[must_use]
    pub fn log_total(&self) -> f32 {
        kernel::numerics::ln(f64::from(self.sum)) as f32
    }

    /// Whether every valid logit was a number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.max.is_finite() && self.sum.is_finite()
    }
}

/// Writes exp(logit − largest valid logit) for valid options and 0 for the others.
///
/// Returns None, with all weights 0, when no option is valid.
#[inline(always)]
pub fn weigh(logits: &[f32], mask: Option<&[u8]>, weights: &mut [f32]) -> Option<Total> {
    let Some(mask) = mask else {
        let max = largest(logits);
        for (weight, logit) in weights.iter_mut().zip(logits) {
            *weight = exp(logit - max);
        }
        return Some(Total { max, sum: add(weights), valid: logits.len() });
    };
    // Arithmetic instead of branches, so that the loops become vector code.
    for ((weight, logit), valid) in weights.iter_mut().zip(logits).zip(mask) {
        *weight = logit + (share(*valid) - 1.0) * OUT_OF_REACH;
    }
    let max = largest(weights);
    for (weight, valid) in weights.iter_mut().zip(mask) {
        *weight = exp(*weight - max) * share(*valid);
    }
    let valid: u32 = mask.iter().map(|valid| u32::from((*valid).min(1))).sum();
    (valid > 0).then(|| Total { max, sum: add(weights), valid: valid as usize })
}

/// 1 for a valid option, 0 for any other.
#[inline(always)]
fn share(valid: u8) -> f32 {
    f32::from(valid.min(1))
}

/// exp(x) for x ≤ 0, to within two units in the last place; written so that loops over it become vector code.
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    let x = if x < LEAST_EXPONENT { LEAST_EXPONENT } else { x };
    let shifted = x * LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let r = x - whole * LN2_HIGH - whole * LN2_LOW;
    let tail = 1.987_569_1e-4 * r + 1.398_199_9e-3;
    let tail = tail * r + 8.333_452e-3;
    let tail = tail * r + 4.166_579_6e-2;
    let tail = tail * r + 1.666_666_5e-1;
    let tail = tail * r + 0.5;
    let power = tail * r * r + r + 1.0;
    let exponent = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    power * f32::from_bits(exponent)
}

/// Largest entry; the order of comparison is fixed, and lanes let it run as vector code.
#[inline(always)]
fn largest(values: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.max(*value);
        }
    }
    lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |a, b| if *b > a { *b } else { a })
}

/// Sum of all entries, lane by lane.
#[inline(always)]
pub(crate) fn add(values: &[f32]) -> f32 {
    add_products(values, values, |value, _| value)
}

/// Sum of `product(a, b)` over both slices, lane by lane.
#[inline(always)]
pub(crate) fn add_products(a: &[f32], b: &[f32], product: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder()).map(|(&a, &b)| product(a, b));
    let rest: f32 = rest.sum();
    for (a, b) in a.zip(b) {
        for ((lane, &a), &b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += product(a, b);
        }
    }
    lanes.iter().sum::<f32>() + rest
}
