//! The vector-friendly functions against the spec's vectors and against its formulas written down literally.

#![expect(clippy::excessive_precision, clippy::approx_constant, reason = "constants read as the spec writes them")]

use kernel::numerics::{
    atan2, ceil, clamp, cos, cos_array, cos_each, exp, exp_array, exp_each, floor, fmax, fmin, headings, hyp, ln,
    ln_array, ln_each, log1p, log10, norm2pi, normalise6, powi, round_half_up, sgn, sigmoid, sin, sin_array, sin_each,
    sincos, wrap,
};
use proptest::prelude::*;

/// The formulas of tidebreak.md 4.2, with branches, the library's `floor`, and scaling by repeated doubling.
mod literal {
    fn horner(z: f64, coefficients: &[f64]) -> f64 {
        let (highest, lower) = coefficients.split_last().expect("a polynomial has coefficients");
        lower.iter().rev().fold(*highest, |sum, coefficient| coefficient + z * sum)
    }

    pub fn sincos(x: f64) -> (f64, f64) {
        let k = (x * 0.6366197723675814 + 0.5).floor();
        let r = (x - k * 1.5707963267948966) - k * 6.123233995736766e-17;
        let z = r * r;
        let p = [
            -1.66666666666666324348e-01,
            8.33333333332248946124e-03,
            -1.98412698298579493134e-04,
            2.75573137070700676789e-06,
            -2.50507602534068634195e-08,
            1.58969099521155010221e-10,
        ];
        let q = [
            4.16666666666666019037e-02,
            -1.38888888888741095749e-03,
            2.48015872894767294178e-05,
            -2.75573143513906633035e-07,
            2.08757232129817482790e-09,
            -1.13596475577881948265e-11,
        ];
        let s = r + (r * z) * horner(z, &p);
        let c = (1.0 - 0.5 * z) + (z * z) * horner(z, &q);
        match (k as i64).rem_euclid(4) {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }

    pub fn exp(x: f64) -> f64 {
        if x < -700.0 {
            return 0.0;
        }
        let x = if x > 700.0 { 700.0 } else { x };
        let k = (x * 1.4426950408889634 + 0.5).floor();
        let h = x - k * 6.93147180369123816490e-01;
        let l = k * 1.90821492927058770002e-10;
        let r = h - l;
        let t = r * r;
        let coefficients = [
            1.66666666666666019037e-01,
            -2.77777777770155933842e-03,
            6.61375632143793436117e-05,
            -1.65339022054652515390e-06,
            4.13813679705723846039e-08,
        ];
        let c = r - t * horner(t, &coefficients);
        let y = 1.0 - ((l - (r * c) / (2.0 - c)) - h);
        let factor = if k < 0.0 { 0.5 } else { 2.0 };
        (0..k.abs() as u32).fold(y, |scaled, _| scaled * factor)
    }

    pub fn ln(x: f64) -> f64 {
        if x.is_nan() || x <= 0.0 {
            return -744.0;
        }
        let (mut m, mut e) = (x, 0.0);
        while m >= 2.0 {
            (m, e) = (m * 0.5, e + 1.0);
        }
        while m < 1.0 {
            (m, e) = (m * 2.0, e - 1.0);
        }
        if m > 1.4142135623730951 {
            (m, e) = (m * 0.5, e + 1.0);
        }
        let f = m - 1.0;
        let s = f / (2.0 + f);
        let z = s * s;
        let w = z * z;
        let t1 = w * horner(w, &[3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01]);
        let t2 = z * horner(
            w,
            &[6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01],
        );
        let r = t2 + t1;
        let h = (0.5 * f) * f;
        e * 6.93147180369123816490e-01 - ((h - (s * (h + r) + e * 1.90821492927058770002e-10)) - f)
    }
}

fn assert_same(ours: f64, other: f64, input: f64) {
    assert!(
        ours.to_bits() == other.to_bits() || ours.is_nan() && other.is_nan(),
        "{ours:?} ({:016x}) is not {other:?} ({:016x}) at {input:?}",
        ours.to_bits(),
        other.to_bits()
    );
}

/// Numbers around every rule of the functions: halves, powers of two, limits, the edge of `ln`'s reduction.
fn edges() -> Vec<f64> {
    let mut values = vec![0.0, 1e-8, 0.1, 0.5, 1.0, 1.5, 2.5, 700.0, 709.9, 1e6, f64::MIN_POSITIVE, 5e-324, f64::MAX];
    values.extend([1.4142135623730951, 0.7071067811865476, 1.5707963267948966, 3.141592653589793, f64::INFINITY]);
    values.extend((0..54).map(|power| 2.0_f64.powi(power)));
    values.extend((0..2000).map(|quarter| f64::from(quarter) * 0.25));
    let neighbors = values.iter().flat_map(|value| [value.next_down(), *value, value.next_up()]);
    neighbors.flat_map(|value| [value, -value]).chain([f64::NAN]).collect()
}

#[test]
fn the_spec_s_vectors_hold() {
    let sincos_bits = |x: f64| {
        let (s, c) = sincos(x);
        (s.to_bits(), c.to_bits())
    };

    assert_eq!(sincos_bits(0.5), (0x3fdeaee8744b05f0, 0x3fec1528065b7d50));
    assert_eq!(sincos_bits(1.0), (0x3feaed548f090cee, 0x3fe14a280fb5068c));
    assert_eq!(sincos_bits(3.0), (0x3fc210386db6d55b, 0xbfefae04be85e5d2));
    assert_eq!(sincos_bits(-2.0), (0xbfed18f6ead1b445, 0xbfdaa22657537205));
    assert_eq!(atan2(1.0, 2.0).to_bits(), 0x3fddac670561bb4f);
    assert_eq!(atan2(-3.0, -1.0).to_bits(), 0xbffe47df3d0dd4d0);
    assert_eq!(exp(-0.3).to_bits(), 0x3fe7b4c869c37c05);
    assert_eq!(ln(10.0).to_bits(), 0x40026bb1bbb55516);
}

#[test]
fn rounding_equals_the_library_s_at_every_edge() {
    for x in edges() {
        assert_same(floor(x), x.floor() + 0.0, x);
        assert_same(ceil(x), -((-x).floor() + 0.0), x);
        assert_same(round_half_up(x), (x + 0.5).floor() + 0.0, x);
    }
}

#[test]
fn the_functions_equal_the_literal_formulas_at_every_edge() {
    for x in edges() {
        assert_same(exp(x), literal::exp(x), x);
        if x != f64::INFINITY {
            assert_same(ln(x), literal::ln(x), x);
        }
        if x.abs() < 2.0_f64.powi(51) {
            assert_same(sin(x), literal::sincos(x).0, x);
            assert_same(cos(x), literal::sincos(x).1, x);
        }
    }
}

#[test]
fn arguments_outside_every_range_have_a_stated_value() {
    assert_eq!(ln(f64::NAN), -744.0);
    assert_eq!(ln(-0.0), -744.0);
    assert_eq!(ln(f64::NEG_INFINITY), -744.0);
    assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(f64::NEG_INFINITY).to_bits(), 0);
    assert_eq!(exp(f64::INFINITY), exp(700.0));
    assert!(exp(f64::NAN).is_nan());
    assert!(sin(f64::INFINITY).is_nan() && cos(2.0_f64.powi(51)).is_nan() && sin(f64::NAN).is_nan());
    assert!(atan2(0.0, f64::NAN).is_nan() && atan2(f64::NAN, 0.0).is_nan());
    assert_eq!(atan2(-0.0, -0.0).to_bits(), 0);
}

#[test]
fn selections_follow_the_comparison() {
    assert_eq!(fmax(0.0, -0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!(fmin(-0.0, 0.0).to_bits(), 0);
    assert_eq!(clamp(3.0, 0.0, 1.0), 1.0);
    assert_eq!(clamp(-3.0, 2.0, 1.0), 2.0);
    assert_eq!(clamp(3.0, 2.0, 1.0), 1.0);
    assert!(clamp(f64::NAN, 0.0, 1.0).is_nan());
    assert_eq!((sgn(-0.0), sgn(-1e-300)), (1.0, -1.0));
}

#[test]
fn small_functions_follow_their_definitions() {
    assert_eq!(powi(1.1, 3), 1.0 * 1.1 * 1.1 * 1.1);
    assert_eq!(powi(7.0, 0), 1.0);
    assert_eq!(hyp(3.0, 4.0), 5.0);
    assert_eq!(log10(1000.0), ln(1000.0) * 0.4342944819032518);
    assert_eq!(log1p(0.25), ln(1.25));
    assert_eq!(sigmoid(0.0), 0.5);
    assert_eq!(normalise6([1.0, 1.0, -3.0, 0.0, 1.0, 1.0])[2], 1e-8 / (4.0 + 2e-8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn floor_equals_the_library_s_on_any_bits(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        assert_same(floor(x), x.floor() + 0.0, x);
    }

    #[test]
    fn ln_equals_the_literal_formula_on_any_bits(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        prop_assume!(x != f64::INFINITY);
        assert_same(ln(x), literal::ln(x), x);
    }

    #[test]
    fn exp_equals_the_literal_formula(x in -710.0..710.0) {
        assert_same(exp(x), literal::exp(x), x);
    }

    #[test]
    fn sine_and_cosine_equal_the_literal_formula(x in -1e6..1e6, large in -2e15..2e15) {
        for angle in [x, x * 1e-5, large] {
            assert_same(sin(angle), literal::sincos(angle).0, angle);
            assert_same(cos(angle), literal::sincos(angle).1, angle);
        }
    }

    #[test]
    fn wrapped_angles_lie_in_one_turn(angle in -1e6..1e6) {
        prop_assert!((-3.141592653589793..3.141592653589793).contains(&wrap(angle)));
        prop_assert!((0.0..6.283185307179586).contains(&norm2pi(angle)));
    }

    #[test]
    fn headings_equal_the_scalar_functions(
        y in prop::array::uniform5(-3e4..3e4), x in prop::array::uniform5(-3e4..3e4), from in 0.0..6.3
    ) {
        let lanes = [y, [0.0; 5], y].into_iter().zip([x, x, [-0.0; 5]]);
        for (y, x) in lanes {
            let (sines, cosines) = headings(y, x, from);
            for lane in 0..5 {
                let angle = wrap(atan2(y[lane], x[lane]) - from);
                assert_same(sines[lane], sin(angle), angle);
                assert_same(cosines[lane], cos(angle), angle);
            }
        }
    }

    #[test]
    fn arrays_and_slices_equal_the_scalar_functions(bits in any::<[u64; 7]>(), near in prop::array::uniform7(-800.0..800.0)) {
        for x in [bits.map(f64::from_bits), near] {
            let check = |scalar: fn(f64) -> f64, array: [f64; 7], each: fn(&mut [f64])| {
                let mut slice = x;
                each(&mut slice);
                for lane in 0..7 {
                    assert_same(array[lane], scalar(x[lane]), x[lane]);
                    assert_same(slice[lane], scalar(x[lane]), x[lane]);
                }
            };
            check(ln, ln_array(x), ln_each);
            check(exp, exp_array(x), exp_each);
            check(sin, sin_array(x), sin_each);
            check(cos, cos_array(x), cos_each);
        }
    }
}
