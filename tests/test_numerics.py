import math
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama import numerics

ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)
ONE_ARGUMENT = [
    numerics.ceil,
    numerics.cos,
    numerics.exp,
    numerics.floor,
    numerics.ln,
    numerics.log10,
    numerics.log1p,
    numerics.norm2pi,
    numerics.round_half_up,
    numerics.sgn,
    numerics.sigmoid,
    numerics.sin,
    numerics.wrap,
]
TWO_ARGUMENTS = [numerics.atan2, numerics.fmax, numerics.fmin, numerics.hyp]


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


@pytest.mark.parametrize(
    ("x", "sine", "cosine"),
    [
        (0.5, "3fdeaee8744b05f0", "3fec1528065b7d50"),
        (1.0, "3feaed548f090cee", "3fe14a280fb5068c"),
        (3.0, "3fc210386db6d55b", "bfefae04be85e5d2"),
        (-2.0, "bfed18f6ead1b445", "bfdaa22657537205"),
    ],
)
def test_sine_and_cosine_have_the_spec_s_bits(x: float, sine: str, cosine: str) -> None:
    s, c = numerics.sincos(x)

    assert (bits(s), bits(c)) == (sine, cosine)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(numerics.atan2(1.0, 2.0), "3fddac670561bb4f", id="atan2-first-octant"),
        pytest.param(numerics.atan2(-3.0, -1.0), "bffe47df3d0dd4d0", id="atan2-third-quadrant"),
        pytest.param(numerics.exp(-0.3), "3fe7b4c869c37c05", id="exp"),
        pytest.param(numerics.ln(10.0), "40026bb1bbb55516", id="ln"),
    ],
)
def test_the_other_functions_have_the_spec_s_bits(result: float, expected: str) -> None:
    assert bits(result) == expected


@pytest.mark.parametrize("function", ONE_ARGUMENT, ids=lambda function: function.__name__)
@given(x=ANY_FLOAT)
def test_no_float_makes_a_function_of_one_number_raise(function: Callable[[float], float], x: float) -> None:
    assert isinstance(function(x), float)


@pytest.mark.parametrize("function", TWO_ARGUMENTS, ids=lambda function: function.__name__)
@given(a=ANY_FLOAT, b=ANY_FLOAT)
def test_no_float_makes_a_function_of_two_numbers_raise(
    function: Callable[[float, float], float], a: float, b: float
) -> None:
    assert isinstance(function(a, b), float)


@given(x=st.floats(-1e16, 1e16))
def test_sincos_is_sin_and_cos(x: float) -> None:
    s, c = numerics.sincos(x)

    assert (bits(s), bits(c)) == (bits(numerics.sin(x)), bits(numerics.cos(x)))


@pytest.mark.parametrize(("limit", "error"), [(20.0, 4e-15), (1e6, 6e-11)])
def test_sine_and_cosine_are_accurate(limit: float, error: float) -> None:
    for i in range(20_001):
        x = limit * (i / 10_000 - 1.0)

        assert numerics.sin(x) == pytest.approx(math.sin(x), abs=error)
        assert numerics.cos(x) == pytest.approx(math.cos(x), abs=error)


@given(x=st.floats(-700.0, 700.0))
def test_exp_is_accurate(x: float) -> None:
    assert abs(numerics.exp(x) - math.exp(x)) <= 3e-16 * math.exp(x)


@given(x=st.floats(1e-9, 1e9))
def test_logarithms_are_accurate(x: float) -> None:
    assert abs(numerics.ln(x) - math.log(x)) < 4e-15
    assert abs(numerics.log10(x) - math.log10(x)) < 4e-15


@given(y=st.floats(-1e6, 1e6), x=st.floats(-1e6, 1e6).filter(bool))
def test_atan2_is_accurate(y: float, x: float) -> None:
    expected = math.atan2(y + 0.0, x)

    assert abs(numerics.atan2(y, x) - expected) < 4e-15


@pytest.mark.parametrize("x", [0.0, -0.0, -1.0, -math.inf, math.nan])
def test_ln_of_what_has_no_logarithm_is_minus_744(x: float) -> None:
    assert numerics.ln(x) == -744.0


def test_ln_takes_subnormal_numbers_and_infinity() -> None:
    assert numerics.ln(5e-324) == pytest.approx(math.log(5e-324), rel=1e-15)
    assert numerics.ln(math.inf) == math.inf


def test_exp_is_clamped() -> None:
    assert bits(numerics.exp(-700.0000001)) == bits(0.0)
    assert numerics.exp(701.0) == numerics.exp(math.inf) == numerics.exp(700.0)
    assert numerics.exp(-700.0) > 0.0
    assert math.isnan(numerics.exp(math.nan))


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, 2.0**51])
def test_angles_without_a_quadrant_are_not_a_number(x: float) -> None:
    assert all(math.isnan(value) for value in (*numerics.sincos(x), numerics.sin(x), numerics.cos(x)))


def test_atan2_settles_zeros_and_what_is_not_a_number() -> None:
    assert bits(numerics.atan2(-0.0, -0.0)) == bits(0.0)
    assert numerics.atan2(0.0, -1.0) == numerics.PI
    assert math.isnan(numerics.atan2(0.0, math.nan))
    assert math.isnan(numerics.atan2(math.nan, 0.0))


def test_selections_follow_the_comparison() -> None:
    assert bits(numerics.fmax(0.0, -0.0)) == bits(-0.0)
    assert bits(numerics.fmin(-0.0, 0.0)) == bits(0.0)
    assert numerics.clamp(-3.0, 2.0, 1.0) == 2.0
    assert numerics.clamp(3.0, 2.0, 1.0) == 1.0
    assert numerics.clamp(0.25, 0.0, 1.0) == 0.25
    assert (numerics.sgn(-0.0), numerics.sgn(-1e-300)) == (1.0, -1.0)


@pytest.mark.parametrize(
    ("x", "down", "up", "nearest"),
    [
        (2.5, 2.0, 3.0, 3.0),
        (-2.5, -3.0, -2.0, -2.0),
        (-0.3, -1.0, -0.0, 0.0),
        (-0.0, 0.0, -0.0, 0.0),
        (7.0, 7.0, 7.0, 7.0),
    ],
)
def test_rounding_keeps_the_stated_zero(x: float, down: float, up: float, nearest: float) -> None:
    found = (numerics.floor(x), numerics.ceil(x), numerics.round_half_up(x))

    assert [bits(value) for value in found] == [bits(value) for value in (down, up, nearest)]


# The smallest subnormal numbers divided by 2π are zero, so that the formula leaves them where they are.
@given(angle=st.floats(-1e6, 1e6, allow_subnormal=False))
def test_wrapped_angles_lie_in_one_turn(angle: float) -> None:
    assert -numerics.PI <= numerics.wrap(angle) < numerics.PI
    assert 0.0 <= numerics.norm2pi(angle) < numerics.TWO_PI


def test_powi_multiplies_from_one() -> None:
    assert numerics.powi(1.1, 3) == 1.0 * 1.1 * 1.1 * 1.1
    assert numerics.powi(0.0, 0) == 1.0


def test_small_functions_follow_their_definitions() -> None:
    assert numerics.log1p(0.25) == numerics.ln(1.25)
    assert numerics.sigmoid(0.0) == 0.5
    assert numerics.hyp(3.0, 4.0) == 5.0


def test_normalise6_raises_small_shares_before_it_divides() -> None:
    shares = numerics.normalise6([1.0, 1.0, -3.0, 0.0, 1.0, 1.0])

    assert shares[2] == shares[3] == 1e-8 / (4.0 + 2e-8)
    assert sum(shares) == pytest.approx(1.0)
