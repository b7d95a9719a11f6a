//! The hot functions over arrays and slices, bit for bit what the scalar ones give, as vector code.

use super::{atan2, cos, exp, ln, sin, sincos, wrap};

#[inline(always)]
fn map_array<const N: usize>(x: [f64; N], function: impl Fn(f64) -> f64) -> [f64; N] {
    let mut results = [0.0; N];
    for (result, value) in results.iter_mut().zip(x) {
        *result = function(value);
    }
    results
}

#[inline(always)]
fn map_each(values: &mut [f64], function: impl Fn(f64) -> f64) {
    for value in values {
        *value = function(*value);
    }
}

/// `ln` of each value.
#[inline]
#[must_use]
pub fn ln_array<const N: usize>(x: [f64; N]) -> [f64; N] {
    map_array(x, ln)
}

/// `exp` of each value.
#[inline]
#[must_use]
pub fn exp_array<const N: usize>(x: [f64; N]) -> [f64; N] {
    map_array(x, exp)
}

/// `sin` of each value.
#[inline]
#[must_use]
pub fn sin_array<const N: usize>(x: [f64; N]) -> [f64; N] {
    map_array(x, sin)
}

/// `cos` of each value.
#[inline]
#[must_use]
pub fn cos_array<const N: usize>(x: [f64; N]) -> [f64; N] {
    map_array(x, cos)
}

/// Sine and cosine of the angle of each vector (x, y), counted from an angle in radians.
#[inline]
#[must_use]
pub fn headings<const N: usize>(y: [f64; N], x: [f64; N], from: f64) -> ([f64; N], [f64; N]) {
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    for lane in 0..N {
        (sines[lane], cosines[lane]) = sincos(wrap(atan2(y[lane], x[lane]) - from));
    }
    (sines, cosines)
}

/// Replaces each value by its `ln`.
#[inline]
pub fn ln_each(values: &mut [f64]) {
    map_each(values, ln);
}

/// Replaces each value by its `exp`.
#[inline]
pub fn exp_each(values: &mut [f64]) {
    map_each(values, exp);
}

/// Replaces each value by its `sin`.
#[inline]
pub fn sin_each(values: &mut [f64]) {
    map_each(values, sin);
}

/// Replaces each value by its `cos`.
#[inline]
pub fn cos_each(values: &mut [f64]) {
    map_each(values, cos);
}
