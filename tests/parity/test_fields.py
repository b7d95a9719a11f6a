"""Nothing a batch shows escapes the comparison."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.records import StepRecord
from diorama.contracts.world import World
from diorama.engine.make import make_batch
from diorama.parity.fields import COMPARED, COMPARED_AT_END, Side, find_differences
from diorama.parity.profiles import Profile
from tests.engine.toy_world import TOY

RECORD_CHANGES: dict[str, tuple[Any, str]] = {  # another value for each field, and the name it is compared under
    "received": (((9, 9), (2, 1)), "received"),
    "effective": (((1, 0), None), "effective"),
    "rewards": ((1.0, -2.0000000000000004), "reward"),
    "reward_terms": (({"change": 1.0}, {"changed": -2.0}), "reward_terms"),
    "terminated": ((False, True), "step_record"),
    "truncated": ((True, False), "step_record"),
    "metrics": (((5.0,), (2.0000000000000004,)), "metrics"),
    "dt": (2, "step_record"),
    "events": (("ended",), "events"),
    "event_data": ({"moved": {"by": 1}}, "event_data"),
    "info": ({"seed": 5}, "info"),
    "draws": (1, "rng_draws"),
}
REPORTED_AS = {"events": "event_bits", "metrics": "metrics_f32"}  # buffers that share their name with a record's field


@pytest.fixture
def side() -> Side:
    return toy_side()


def toy_side(actions: Sequence[Sequence[int]] = ((1, 0), (2, 1))) -> Side:
    batch = make_batch(cast(World[WorldConfig], TOY))
    batch.reset([4])
    batch.step(np.array(actions))
    return Side(batch, batch.step_record(0))


def differing(reference: Side, fast: Side) -> set[str]:
    return {found.field for found in find_differences(COMPARED, reference, fast, Profile.EXACT)}


def test_equal_sides_do_not_differ(side: Side) -> None:
    assert differing(side, toy_side()) == set()
    assert find_differences(COMPARED_AT_END, side, toy_side(), Profile.EXACT) == []


@pytest.mark.parametrize("name", [item.name for item in fields(Buffers)])
def test_one_bit_of_any_buffer_is_seen(side: Side, name: str) -> None:
    other = toy_side()
    getattr(other.batch.buffers, name).reshape(-1).view(np.uint8)[-1] ^= 1

    assert differing(side, other) == {REPORTED_AS.get(name, name)}


@pytest.mark.parametrize("name", [item.name for item in fields(StepRecord)])
def test_any_field_of_the_record_is_seen(side: Side, name: str) -> None:
    value, field = RECORD_CHANGES[name]
    other = Side(side.batch, replace(side.record, **{name: value}))

    assert differing(side, other) == {field}


def test_a_state_nobody_sees_is_told_by_its_hash_and_its_words(side: Side) -> None:
    other = toy_side()
    words = other.batch.state_words(0).copy()
    other.batch.restore(0, toy_side(actions=((2, 0), (2, 1))).batch.snapshot(0))

    found = find_differences(COMPARED[-1:], side, other, Profile.EXACT)

    assert [item.field for item in found] == ["state_hash", "state_words"]
    assert found[1].index == (2,)
    assert found[1].reference == int(words[2])
