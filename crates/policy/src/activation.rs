//! What follows a layer's sum, and its slope; written so that loops over rows become vector code.

use learn::weights::exp;

const ROOT_OF_HALF_INVERSE_PI: f32 = 0.398_942_3; // 1 / √(2π), the height of the normal density
// Abramowitz and Stegun, 26.2.17: the normal distribution to within 7.5e-8.
const NEARNESS: f32 = 0.231_641_9;
const TAIL: [f32; 5] = [0.319_381_53, -0.356_563_78, 1.781_477_9, -1.821_255_9, 1.330_274_5];

/// The activations a policy may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The sum itself.
    Linear,
    /// Hyperbolic tangent.
    Tanh,
    /// Zero below zero.
    Relu,
    /// x · Φ(x).
    Gelu,
    /// x · σ(x).
    Silu,
}

impl Activation {
    /// Finds one by name.
    ///
    /// # Errors
    /// With the name, where there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        match name {
            "linear" => Ok(Self::Linear),
            "tanh" => Ok(Self::Tanh),
            "relu" => Ok(Self::Relu),
            "gelu" => Ok(Self::Gelu),
            "silu" => Ok(Self::Silu),
            _ => Err(format!("there is no activation {name:?}; use linear, tanh, relu, gelu or silu")),
        }
    }

    /// Replaces sums by what follows them.
    #[inline(always)]
    pub fn apply(self, sums: &mut [f32]) {
        match self {
            Self::Linear => {}
            Self::Tanh => each(sums, |x| tanh(x).0),
            Self::Relu => each(sums, |x| relu(x).0),
            Self::Gelu => each(sums, |x| gelu(x).0),
            Self::Silu => each(sums, |x| silu(x).0),
        }
    }

    /// Does the same and writes the slopes.
    #[inline(always)]
    pub fn apply_with_slopes(self, sums: &mut [f32], slopes: &mut [f32]) {
        match self {
            Self::Linear => slopes.fill(1.0),
            Self::Tanh => both(sums, slopes, tanh),
            Self::Relu => both(sums, slopes, relu),
            Self::Gelu => both(sums, slopes, gelu),
            Self::Silu => both(sums, slopes, silu),
        }
    }
}

/// σ(x).
#[inline(always)]
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    let below = exp(-x.abs());
    let share = 1.0 / (1.0 + below);
    if x < 0.0 { below * share } else { share }
}

#[inline(always)]
fn each(sums: &mut [f32], value: impl Fn(f32) -> f32) {
    for sum in sums {
        *sum = value(*sum);
    }
}

#[inline(always)]
fn both(sums: &mut [f32], slopes: &mut [f32], value_and_slope: impl Fn(f32) -> (f32, f32)) {
    for (sum, slope) in sums.iter_mut().zip(slopes) {
        (*sum, *slope) = value_and_slope(*sum);
    }
}

#[inline(always)]
fn tanh(x: f32) -> (f32, f32) {
    let below = exp(-2.0 * x.abs());
    let value = ((1.0 - below) / (1.0 + below)).copysign(x);
    (value, 1.0 - value * value)
}

#[inline(always)]
fn relu(x: f32) -> (f32, f32) {
    // A product, since a choice would become a store under a mask, which some processors do slowly; what is no number
    // stays none.
    let slope = if x <= 0.0 { 0.0 } else { 1.0 };
    (x * slope, slope)
}

#[inline(always)]
fn silu(x: f32) -> (f32, f32) {
    let share = sigmoid(x);
    (x * share, share * (1.0 + x * (1.0 - share)))
}

#[inline(always)]
fn gelu(x: f32) -> (f32, f32) {
    let density = ROOT_OF_HALF_INVERSE_PI * exp(-0.5 * x * x);
    let t = 1.0 / x.abs().mul_add(NEARNESS, 1.0);
    let [a, b, c, d, e] = TAIL;
    let tail = density * t * e.mul_add(t, d).mul_add(t, c).mul_add(t, b).mul_add(t, a);
    let share = if x < 0.0 { tail } else { 1.0 - tail };
    (x * share, x.mul_add(density, share))
}
