"""What counts as a difference."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from diorama.contracts.values import JsonValue
from diorama.parity.differences import Difference, differing_entries, differing_values, plain
from diorama.parity.profiles import Kind, Profile, Tolerance, tolerance_of


def entries(
    first: NDArray[np.generic], second: NDArray[np.generic], tolerance: Tolerance | None = None
) -> list[Difference]:
    return list(differing_entries("numbers", first, second, tolerance=tolerance, name_of=str))


def values(first: JsonValue, second: JsonValue, tolerance: Tolerance | None = None) -> list[Difference]:
    return list(differing_values("value", first, second, tolerance=tolerance))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_nan_equals_any_other_but_zeros_of_other_sign_differ(dtype: type[np.floating]) -> None:
    quiet, other = np.array([np.nan, 0.0, 1.0], dtype), np.array([-np.nan, -0.0, 1.0], dtype)

    (found,) = entries(quiet, other)

    assert found.index == (1,)


def test_integers_beyond_the_precision_of_a_float_are_told_apart() -> None:
    (found,) = entries(np.array([2**63], np.uint64), np.array([2**63 + 1], np.uint64))

    assert (found.reference, found.fast) == (2**63, 2**63 + 1)


def test_arrays_of_another_type_differ_as_a_whole() -> None:
    (found,) = entries(np.zeros(2, np.float32), np.zeros(2, np.float64))

    assert found.reference == "float32 of shape (2,)"


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        pytest.param({"a": 1}, {"a": True}, ["a (type)"], id="int-and-bool"),
        pytest.param({"a": 1}, {"a": 1.0}, ["a (type)"], id="int-and-float"),
        pytest.param({"a": 0.0}, {"a": -0.0}, ["a"], id="zeros"),
        pytest.param({"a": math.nan}, {"a": math.nan}, [], id="nan"),
        pytest.param({"a": (1, 2)}, {"a": [1, 2]}, [], id="tuple-and-list"),
        pytest.param({"a": [1, 2]}, {"a": [1]}, ["a[1]"], id="shorter"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, ["keys"], id="order-of-keys"),
        pytest.param({"a": {"b": 1}}, {"a": {}}, ["a keys"], id="missing-key"),
        pytest.param({"a": None}, {"a": 0}, ["a"], id="none"),
        pytest.param({"a": {"b": ["x"]}}, {"a": {"b": ["y"]}}, ["a.b[0]"], id="nested"),
    ],
)
def test_plain_values_differ_by_type_key_and_content(first: JsonValue, second: JsonValue, names: list[str]) -> None:
    assert [found.name for found in values(first, second)] == names


@pytest.mark.parametrize(
    ("kind", "value", "allowed", "refused"),
    [
        pytest.param(Kind.OBSERVATION, 0.5, 5.9e-6, 6.1e-6, id="observation"),
        pytest.param(Kind.REWARD, 100.0, 1.0e-3, 1.1e-3, id="reward"),
        pytest.param(Kind.METRIC, 0.01, 0.9e-4, 1.1e-4, id="small-metric"),
        pytest.param(Kind.METRIC, 5000.0, 0.49, 0.51, id="large-metric"),
    ],
)
def test_the_tolerant_profile_draws_the_line_where_the_spec_does(
    kind: Kind, value: float, allowed: float, refused: float
) -> None:
    tolerance = tolerance_of(kind, Profile.TOLERANT)

    assert not entries(np.array([value]), np.array([value + allowed]), tolerance)
    assert not values(value, value + allowed, tolerance)
    assert len(entries(np.array([value]), np.array([value + refused]), tolerance)) == 1
    assert len(values(value, value + refused, tolerance)) == 1


def test_an_infinity_agrees_with_itself_alone_under_a_tolerance() -> None:
    tolerance = tolerance_of(Kind.METRIC, Profile.TOLERANT)

    assert not entries(np.array([np.inf]), np.array([np.inf]), tolerance)
    assert len(entries(np.array([np.inf]), np.array([1.0]), tolerance)) == 1
    assert len(values(math.inf, 1.0, tolerance)) == 1


def test_numbers_json_cannot_hold_become_text() -> None:
    assert plain({"a": [math.nan, 1.0, -math.inf]}) == {"a": ["nan", 1.0, "-inf"]}
