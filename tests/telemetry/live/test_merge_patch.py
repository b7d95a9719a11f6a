"""Merge patches: the examples of RFC 7396, and the pitfalls of folding."""

from typing import Any

import pytest

from diorama.telemetry.live.merge_patch import JsonDict, apply_patch, difference, is_same
from diorama.telemetry.live.plain_values import absorb, plain, plain_state


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patches_apply_as_the_rfc_shows(target: Any, patch: Any, result: Any) -> None:
    before = repr(target)

    assert apply_patch(target, patch) == result
    assert repr(target) == before


def test_what_was_deleted_and_came_back_keeps_none_of_its_old_members() -> None:
    first: JsonDict = {"agents": {"x": {"job": "cook", "age": 3}}}
    last: JsonDict = {"agents": {"x": {"age": 3}}}

    patch = difference(first, last)

    assert patch == {"agents": {"x": {"job": None}}}
    assert apply_patch(first, patch) == last


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0), ([1], [True]), ({"a": 1}, {"a": 1.0})])
def test_values_that_are_written_differently_differ(one: Any, other: Any) -> None:
    assert not is_same(one, other)
    assert difference({"v": one}, {"v": other}) != {}


def test_a_world_s_patch_is_rounded_and_reduced_to_what_changed() -> None:
    state = plain_state({"a": {"x": 1 / 3, "gone": 1}, "same": [1, 2.0000001]})

    after, told = absorb(state, {"a": {"x": 0.33333301, "gone": float("nan"), "never": None}, "same": (1, 2.0)})

    assert told == {"a": {"gone": None}}
    assert after == {"a": {"x": 0.333333}, "same": [1, 2.0]}
    assert after["same"] is state["same"]
    assert state["a"] == {"x": 0.333333, "gone": 1}


def test_what_is_no_json_value_is_refused() -> None:
    with pytest.raises(Exception, match="set is no JSON value"):
        plain({"a": {1, 2}})
