//! Angles: sine, cosine, arc tangent, and bringing angles into one turn.

use super::rounding::{floor, floor_small, whole_bits};
use super::{HALF_PI, PI, TWO_PI};

const ANGLE_LIMIT: f64 = 2_251_799_813_685_248.0; // 2^51: up to here both tiers find the quadrant exactly
const TWO_OVER_PI: f64 = 0.6366197723675814;
const HALF_PI_REST: f64 = 6.123233995736766e-17;

const S1: f64 = -1.66666666666666324348e-01;
const S2: f64 = 8.33333333332248946124e-03;
const S3: f64 = -1.98412698298579493134e-04;
const S4: f64 = 2.75573137070700676789e-06;
const S5: f64 = -2.50507602534068634195e-08;
const S6: f64 = 1.58969099521155010221e-10;

const C1: f64 = 4.16666666666666019037e-02;
const C2: f64 = -1.38888888888741095749e-03;
const C3: f64 = 2.48015872894767294178e-05;
const C4: f64 = -2.75573143513906633035e-07;
const C5: f64 = 2.08757232129817482790e-09;
const C6: f64 = -1.13596475577881948265e-11;

const ATAN_HALF: f64 = 4.63647609000806093515e-01;
const ATAN_ONE: f64 = 7.85398163397448278999e-01;
const A0: f64 = 3.33333333333329318027e-01;
const A1: f64 = -1.99999999998764832476e-01;
const A2: f64 = 1.42857142725034663711e-01;
const A3: f64 = -1.11111104054623557880e-01;
const A4: f64 = 9.09088713343650656196e-02;
const A5: f64 = -7.69187620504482999495e-02;
const A6: f64 = 6.66107313738753120669e-02;
const A7: f64 = -5.83357013379057348645e-02;
const A8: f64 = 4.97687799461593236017e-02;
const A9: f64 = -3.65315727442169155270e-02;
const A10: f64 = 1.62858201153657823623e-02;

/// Sine and cosine of an angle in radians.
///
/// Within 4e-15 for |x| up to 20 and within 6e-11 up to 1e6; not a number from 2^51 on.
#[inline(always)]
#[must_use]
pub fn sincos(x: f64) -> (f64, f64) {
    let whole = floor_small(x * TWO_OVER_PI + 0.5);
    let r = (x - whole * HALF_PI) - whole * HALF_PI_REST;
    let z = r * r;
    let s = r + r * z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))));
    let c = (1.0 - 0.5 * z) + z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
    let k = whole_bits(whole);
    let odd = (k & 1).wrapping_neg();
    let (s, c) = (s.to_bits(), c.to_bits());
    let differing = (s ^ c) & odd;
    let sine = f64::from_bits((s ^ differing) ^ (k & 2) << 62);
    let cosine = f64::from_bits((c ^ differing) ^ (k.wrapping_add(1) & 2) << 62);
    let known = x.abs() < ANGLE_LIMIT;
    (if known { sine } else { f64::NAN }, if known { cosine } else { f64::NAN })
}

/// Sine of an angle in radians; the range is that of `sincos`.
#[inline(always)]
#[must_use]
pub fn sin(x: f64) -> f64 {
    sincos(x).0
}

/// Cosine of an angle in radians; the range is that of `sincos`.
#[inline(always)]
#[must_use]
pub fn cos(x: f64) -> f64 {
    sincos(x).1
}

/// Angle of the vector (x, y) in radians, in [-π, π]; the zero vector has angle 0.
#[inline(always)]
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    let is_flat = ay <= ax;
    let (small, large) = if is_flat { (ay, ax) } else { (ax, ay) };
    let part = atan_unit(small / large);
    let first = if is_flat { part } else { HALF_PI - part };
    let upper = if x < 0.0 { PI - first } else { first };
    let angle = if y < 0.0 { -upper } else { upper };
    if ax + ay == 0.0 { 0.0 } else { angle }
}

#[inline(always)]
fn atan_unit(t: f64) -> f64 {
    // One quotient for all three ranges, so that there is nothing to branch on; over 1 the first stays as it is.
    let (is_low, is_middle) = (t <= 0.4375, t <= 0.6875);
    let (above, below) = if is_middle { (2.0 * t - 1.0, 2.0 + t) } else { (t - 1.0, t + 1.0) };
    let base = if is_middle { ATAN_HALF } else { ATAN_ONE };
    let (above, below, base) = if is_low { (t, 1.0, 0.0) } else { (above, below, base) };
    let t = above / below;
    let z = t * t;
    let p = A6 + z * (A7 + z * (A8 + z * (A9 + z * A10)));
    let p = A0 + z * (A1 + z * (A2 + z * (A3 + z * (A4 + z * (A5 + z * p)))));
    base + (t - t * z * p)
}

/// Brings an angle in radians into [-π, π).
#[inline(always)]
#[must_use]
pub fn wrap(angle: f64) -> f64 {
    let wrapped = angle - TWO_PI * floor((angle + PI) / TWO_PI);
    if wrapped >= PI { wrapped - TWO_PI } else { wrapped }
}

/// Brings an angle in radians into [0, 2π).
#[inline]
#[must_use]
pub fn norm2pi(angle: f64) -> f64 {
    let wrapped = angle - TWO_PI * floor(angle / TWO_PI);
    if wrapped >= TWO_PI { 0.0 } else { wrapped }
}
