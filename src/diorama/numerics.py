"""Elementary functions given as polynomials, so that every machine and both tiers compute the same bits.

The polynomials are normative (tidebreak.md 4.1 and 4.2) and `crates/kernel/src/numerics.rs` is their native twin. Only
IEEE operations in the written order may be used: the library's `sin` or `log` differ from machine to machine.
Arguments a spec leaves open are settled here: no function raises, and what has no sensible value is not a number.
"""

from collections.abc import Sequence
from math import floor as _floor
from math import frexp as _frexp
from math import inf as _INF
from math import ldexp as _ldexp
from math import nan as _NAN
from math import sqrt as _sqrt
from typing import Final

PI: Final = 3.141592653589793
TWO_PI: Final = 6.283185307179586
HALF_PI: Final = 1.5707963267948966

_WHOLE_FROM: Final = 4503599627370496.0  # 2^52: every float from here on is an integer
_ANGLE_LIMIT: Final = 2251799813685248.0  # 2^51: up to here both tiers find the quadrant exactly

_TWO_OVER_PI: Final = 0.6366197723675814
_HALF_PI_REST: Final = 6.123233995736766e-17

_S1: Final = -1.66666666666666324348e-01
_S2: Final = 8.33333333332248946124e-03
_S3: Final = -1.98412698298579493134e-04
_S4: Final = 2.75573137070700676789e-06
_S5: Final = -2.50507602534068634195e-08
_S6: Final = 1.58969099521155010221e-10

_C1: Final = 4.16666666666666019037e-02
_C2: Final = -1.38888888888741095749e-03
_C3: Final = 2.48015872894767294178e-05
_C4: Final = -2.75573143513906633035e-07
_C5: Final = 2.08757232129817482790e-09
_C6: Final = -1.13596475577881948265e-11

_ATAN_HALF: Final = 4.63647609000806093515e-01
_ATAN_ONE: Final = 7.85398163397448278999e-01
_A0: Final = 3.33333333333329318027e-01
_A1: Final = -1.99999999998764832476e-01
_A2: Final = 1.42857142725034663711e-01
_A3: Final = -1.11111104054623557880e-01
_A4: Final = 9.09088713343650656196e-02
_A5: Final = -7.69187620504482999495e-02
_A6: Final = 6.66107313738753120669e-02
_A7: Final = -5.83357013379057348645e-02
_A8: Final = 4.97687799461593236017e-02
_A9: Final = -3.65315727442169155270e-02
_A10: Final = 1.62858201153657823623e-02

_EXP_LIMIT: Final = 700.0
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_R0: Final = 1.66666666666666019037e-01
_R1: Final = -2.77777777770155933842e-03
_R2: Final = 6.61375632143793436117e-05
_R3: Final = -1.65339022054652515390e-06
_R4: Final = 4.13813679705723846039e-08

_LN_OF_NOTHING: Final = -744.0  # ln of zero, of negative numbers and of what is not a number
_HALF_SQRT2: Final = 0.7071067811865476  # exactly half of 1.4142135623730951
_T1: Final = 3.999999999940941908e-01
_T2: Final = 2.222219843214978396e-01
_T3: Final = 1.531383769920937332e-01
_U1: Final = 6.666666666666735130e-01
_U2: Final = 2.857142874366239149e-01
_U3: Final = 1.818357216161805012e-01
_U4: Final = 1.479819860511658591e-01
_LOG10_E: Final = 0.4342944819032518

_SHARE_FLOOR: Final = 1e-8


def fmax(a: float, b: float) -> float:
    """Return `a` if it is the larger, else `b`; signed zeros follow from that."""
    return a if a > b else b


def fmin(a: float, b: float) -> float:
    """Return `a` if it is the smaller, else `b`; signed zeros follow from that."""
    return a if a < b else b


def clamp(x: float, lo: float, hi: float) -> float:
    """Return `lo` below `lo`, `hi` above `hi`, else `x`."""
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x


def floor(x: float) -> float:
    """Round down to an integer kept as a float; zero always comes out positive."""
    if -_WHOLE_FROM < x < _WHOLE_FROM:
        return float(_floor(x))
    return x


def ceil(x: float) -> float:
    """Round up: the negative of `floor(-x)`, so -0.5 gives -0.0."""
    return -floor(-x)


def round_half_up(x: float) -> float:
    """Round to the nearest integer, halves upward; the specs call this `round`."""
    return floor(x + 0.5)


def sgn(x: float) -> float:
    """Return -1.0 below zero, else 1.0 (zero included)."""
    return -1.0 if x < 0.0 else 1.0


def wrap(angle: float) -> float:
    """Bring an angle in radians into [-pi, pi)."""
    wrapped = angle - TWO_PI * floor((angle + PI) / TWO_PI)
    return wrapped - TWO_PI if wrapped >= PI else wrapped


def norm2pi(angle: float) -> float:
    """Bring an angle in radians into [0, 2 pi)."""
    wrapped = angle - TWO_PI * floor(angle / TWO_PI)
    return 0.0 if wrapped >= TWO_PI else wrapped


def hyp(x: float, y: float) -> float:
    """Length of the vector (x, y)."""
    return _sqrt(x * x + y * y)


def powi(x: float, n: int) -> float:
    """Raise to an integer power of zero or more, as `n` multiplications starting from 1.0."""
    product = 1.0
    for _ in range(n):
        product *= x
    return product


def sincos(x: float) -> tuple[float, float]:
    """Sine and cosine of an angle in radians.

    Within 4e-15 for |x| up to 20 and within 6e-11 up to 1e6; not a number from 2^51 on.
    """
    if not -_ANGLE_LIMIT < x < _ANGLE_LIMIT:
        return _NAN, _NAN
    k = _floor(x * _TWO_OVER_PI + 0.5)
    r = (x - k * HALF_PI) - k * _HALF_PI_REST
    z = r * r
    s = r + r * z * (_S1 + z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6)))))
    c = (1.0 - 0.5 * z) + z * z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
    quadrant = k & 3
    if quadrant == 0:
        return s, c
    if quadrant == 1:
        return c, -s
    if quadrant == 2:
        return -s, -c
    return -c, s


def sin(x: float) -> float:
    """Sine of an angle in radians; the range is that of `sincos`."""
    if not -_ANGLE_LIMIT < x < _ANGLE_LIMIT:
        return _NAN
    k = _floor(x * _TWO_OVER_PI + 0.5)
    r = (x - k * HALF_PI) - k * _HALF_PI_REST
    z = r * r
    if k & 1:
        y = (1.0 - 0.5 * z) + z * z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
    else:
        y = r + r * z * (_S1 + z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6)))))
    return -y if k & 2 else y


def cos(x: float) -> float:
    """Cosine of an angle in radians; the range is that of `sincos`."""
    if not -_ANGLE_LIMIT < x < _ANGLE_LIMIT:
        return _NAN
    k = _floor(x * _TWO_OVER_PI + 0.5)
    r = (x - k * HALF_PI) - k * _HALF_PI_REST
    z = r * r
    if k & 1:
        y = r + r * z * (_S1 + z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6)))))
    else:
        y = (1.0 - 0.5 * z) + z * z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
    return -y if (k + 1) & 2 else y


def atan2(y: float, x: float) -> float:
    """Angle of the vector (x, y) in radians, in [-pi, pi]; the zero vector has angle 0."""
    ax = abs(x)
    ay = abs(y)
    if ay <= ax:
        if ax == 0.0:
            return 0.0
        angle = _atan_unit(ay / ax)
    elif ax < ay:
        angle = HALF_PI - _atan_unit(ax / ay)
    else:
        return _NAN
    if x < 0.0:
        angle = PI - angle
    return -angle if y < 0.0 else angle


def _atan_unit(t: float) -> float:
    if t <= 0.4375:
        base = 0.0
    elif t <= 0.6875:
        t = (2.0 * t - 1.0) / (2.0 + t)
        base = _ATAN_HALF
    else:
        t = (t - 1.0) / (t + 1.0)
        base = _ATAN_ONE
    z = t * t
    p = _A6 + z * (_A7 + z * (_A8 + z * (_A9 + z * _A10)))
    p = _A0 + z * (_A1 + z * (_A2 + z * (_A3 + z * (_A4 + z * (_A5 + z * p)))))
    return base + (t - t * z * p)


def exp(x: float) -> float:
    """Exponential; 0 below -700, and above 700 the value at 700."""
    if not -_EXP_LIMIT <= x <= _EXP_LIMIT:
        if x < -_EXP_LIMIT:
            return 0.0
        if x != x:
            return x
        x = _EXP_LIMIT
    k = _floor(x * _LOG2_E + 0.5)
    h = x - k * _LN2_HIGH
    low = k * _LN2_LOW
    r = h - low
    t = r * r
    c = r - t * (_R0 + t * (_R1 + t * (_R2 + t * (_R3 + t * _R4))))
    return _ldexp(1.0 - ((low - (r * c) / (2.0 - c)) - h), k)


def ln(x: float) -> float:
    """Natural logarithm; -744 for zero, negative numbers and what is not a number."""
    if not 0.0 < x < _INF:
        return x if x == _INF else _LN_OF_NOTHING
    # frexp gives half the spec's m and one more than its e, which is just what the spec makes of m > sqrt(2).
    m, e = _frexp(x)
    if m <= _HALF_SQRT2:
        m += m
        e -= 1
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    t1 = w * (_T1 + w * (_T2 + w * _T3))
    t2 = z * (_U1 + w * (_U2 + w * (_U3 + w * _U4)))
    h = 0.5 * f * f
    return e * _LN2_HIGH - ((h - (s * (h + (t2 + t1)) + e * _LN2_LOW)) - f)


def log10(x: float) -> float:
    """Decimal logarithm, from `ln`."""
    return ln(x) * _LOG10_E


def log1p(x: float) -> float:
    """Natural logarithm of 1 + x, computed just so (no extra accuracy near zero)."""
    return ln(1.0 + x)


def sigmoid(x: float) -> float:
    """Logistic function 1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + exp(-x))


def normalise6(values: Sequence[float]) -> list[float]:
    """Scale six shares to sum to one, after raising each to at least 1e-8."""
    raised = [_SHARE_FLOOR if value < _SHARE_FLOOR else value for value in values]
    total = 0.0
    for value in raised:
        total += value
    return [value / total for value in raised]
