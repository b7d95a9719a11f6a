"""Snapshots of every world, on both tiers: damaged, and damaged with a seal that fits."""

import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import diorama
from diorama.contracts.errors import SnapshotError
from diorama.engine.batch import Batch
from diorama.snapshots import Words, pack_snapshot
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from tests.fuzz.damage import Blob, as_text, damaged_bytes, damaged_value
from tests.fuzz.effort import LONG_FORM, examples, read_or_refused

STEPS = 3
CASES: list[tuple[str, str]] = [
    *(
        (world, tier)
        for world in ("prospector", "tidebreak", "townlet", "morphogenesis")
        for tier in ("reference", "fast")
    ),
    ("gameboy", "fast"),
]
# A world, its configuration, and after how many steps there is much in it that refers to something else.
LIVELY: list[tuple[str, dict[str, Any] | None, int]] = [
    ("prospector", None, 3),
    ("tidebreak", {"package": random_battle(4).model_dump(mode="json"), "played": "all", "seats": 3}, 90),
    ("townlet", None, 300),
    ("gameboy", None, 2),
]
EVIL_WORDS = (0, 1, 2, 255, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
EVIL_FLOATS = (float("nan"), float("inf"), float("-inf"), -1.0, 1e308, -1e308, 5e-324, 1e18, -0.0)


def _taken_apart(data: bytes) -> tuple[bytes, int, dict[str, Any], Words]:
    magic, version, length = struct.unpack_from("<4sHI", data)
    header = json.loads(data[10 : 10 + length])
    (count,) = struct.unpack_from("<I", data, 10 + length)
    return magic, version, header, np.frombuffer(data, "<u8", count=count, offset=14 + length).astype(np.uint64)


@st.composite
def damaged_words(draw: st.DrawFn, words: Words) -> Words:
    """Return words of which up to three are replaced, taken out or doubled."""
    changed = words.copy()
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, max(0, len(changed) - 1)))
        match draw(st.integers(0, 4)):
            case 0:
                changed[at] = draw(st.sampled_from(EVIL_WORDS))
            case 1:
                changed[at : at + 1] = np.array([draw(st.sampled_from(EVIL_FLOATS))]).view(np.uint64)
            case 2:
                changed[at] = draw(st.integers(0, (1 << 64) - 1))
            case 3:
                changed = np.delete(changed, slice(at, at + draw(st.integers(1, 8))))
            case _:
                changed = np.insert(changed, at, changed[at : at + draw(st.integers(1, 8))])
        if not len(changed):
            break
    return changed


@st.composite
def sealed(draw: st.DrawFn, whole: bytes) -> bytes:
    """Return a snapshot whose words or header are damaged and whose seal is of the damaged state."""
    magic, version, header, words = _taken_apart(whole)
    changed = draw(damaged_words(words))
    if draw(st.integers(0, 3)) == 0:
        damaged = draw(damaged_value(header))
        try:
            return Blob(pack_snapshot(magic, version, json.loads(as_text(damaged)), changed))
        except (ValueError, RecursionError):  # what no JSON can say cannot be sealed
            pass
    return Blob(pack_snapshot(magic, version, header, changed))


def _opened(world: str, tier: str, config: dict[str, Any] | None = None) -> Batch:
    batch = diorama.make(world, config=config, copies=1, seed=5, tier=tier, threads=1)
    batch.reset()
    return batch


def _step(batch: Batch, steps: int = STEPS) -> None:
    for _ in range(steps):
        batch.step(np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1)))


@pytest.mark.parametrize(("world", "tier"), [pytest.param(*case, id="-".join(case)) for case in CASES])
def test_whatever_a_snapshot_holds_it_is_restored_and_goes_on_or_is_refused(world: str, tier: str) -> None:
    if world == "morphogenesis" and not LONG_FORM:
        pytest.skip("networks take seconds; set DIORAMA_FUZZ")
    batch = _opened(world, tier)
    _step(batch)
    whole = batch.snapshot(0)
    assert batch.snapshot(0) == whole

    @examples(4, share=0.02 if world == "morphogenesis" else 0.5 if tier == "fast" else 0.1)
    @given(data=st.one_of(sealed(whole), sealed(whole), damaged_bytes(whole)))
    def check(data: bytes) -> None:
        before, is_let_in = batch.state_hash(0), False
        try:
            with read_or_refused():
                batch.restore(0, data)
                is_let_in = True
                # What was let in is a state: it can be drawn, hashed, saved and stepped.
                batch.render_state(0)
                again = batch.snapshot(0)
                batch.restore(0, again)
                assert batch.snapshot(0) == again
                _step(batch)
            assert is_let_in or batch.state_hash(0) == before, "a refused snapshot changed the world"
        finally:
            batch.restore(0, whole)

    check()


def _lets_in(batch: Batch, data: bytes) -> bool:
    try:
        batch.restore(0, data)
    except SnapshotError:
        return False
    return True


@pytest.mark.parametrize(("world", "config", "steps"), [pytest.param(*case, id=case[0]) for case in LIVELY])
def test_both_tiers_let_in_the_same_snapshots(world: str, config: dict[str, Any] | None, steps: int) -> None:
    fast, reference = (_opened(world, tier, config) for tier in ("fast", "reference"))
    _step(fast, steps)
    whole = fast.snapshot(0)
    magic, version, header, words = _taken_apart(whole)
    assert _lets_in(reference, whole)
    assert reference.snapshot(0) == whole

    @examples(4, share=0.1)
    @given(changed=damaged_words(words))
    def check(changed: Words) -> None:
        data = pack_snapshot(magic, version, header, changed)
        is_let_in = _lets_in(fast, data)
        assert _lets_in(reference, data) is is_let_in
        if is_let_in:
            assert reference.state_hash(0) == fast.state_hash(0)

    check()
