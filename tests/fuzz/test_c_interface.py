"""The C interface of tidebreak: whatever is ordered, registered, restored or asked for, a call answers with a code."""

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.worlds.tidebreak.contract import HEAD_SIZES
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from tests.capi.build import Build
from tests.capi.tidebreak_library import DTYPES, KINDS, OK, Array, Described, TideBatch, aligned
from tests.fuzz.damage import damaged_bytes
from tests.fuzz.effort import examples
from tests.fuzz.test_world_snapshots import sealed

SEATS: Final = 2
ENVS: Final = 2
EXTENTS_MAX: Final = 8
ROOM_BYTES: Final = 1 << 20
UNTOUCHED: Final = 0xFF  # in every byte: of an action, an option that does not exist
REFUSALS: Final = {1, 2, 3, 10, 11, 12, 13, 14, 20, 21, 30, 101, 102, 103, 104, 105, 106}
PACKAGE: Final = resolve(random_battle(4)).document
EVIL_INTS: Final = (0, 1, 2, 3, 5, 7, 16, 17, 64, -1, (1 << 31) - 1, -(1 << 31))

ints = st.sampled_from(EVIL_INTS) | st.integers(-(1 << 31), (1 << 31) - 1)
sizes = st.sampled_from((0, 1, ENVS, (1 << 64) - 1)) | st.integers(0, 9)
options = st.tuples(*(st.integers(0, size - 1) for size in HEAD_SIZES))
orders = st.lists(options, min_size=ENVS * SEATS, max_size=ENVS * SEATS)


@pytest.fixture(scope="module")
def batch(build: Build) -> Iterator[TideBatch]:
    config = {"envs": ENVS, "agents_per_env": SEATS, "plays_all": 1, "collect_events": 1, "seed": 5}
    made = TideBatch(ctypes.CDLL(str(build.library)), [PACKAGE], config)
    yield made
    made.close()


def _hashes(batch: TideBatch) -> list[int]:
    return [batch.state_hash(env) for env in range(ENVS)]


def _is_refused(batch: TideBatch, code: int) -> bool:
    """Whether a call was refused in a line that begins with its code; no other answer but OK will do."""
    assert code == OK or code in REFUSALS, f"{code}: {batch.last_error()}"
    assert code == OK or batch.last_error().startswith(f"C{code:03d} ")
    return code != OK


@examples(10)
@given(
    decided=orders,
    strays=st.lists(st.tuples(st.integers(0, ENVS * SEATS - 1), st.integers(0, len(HEAD_SIZES) - 1), ints), max_size=2),
    ticks=st.integers(1, 5) | ints.filter(lambda ticks: ticks < 100 or ticks > 1 << 20),
)
def test_whatever_is_ordered_is_done_or_changes_nothing(
    batch: TideBatch, decided: list[tuple[int, ...]], strays: list[tuple[int, int, int]], ticks: int
) -> None:
    assert batch.reset() == OK
    before = _hashes(batch)
    actions = np.array(decided, np.int32)
    for row, head, option in strays:
        actions[row, head] = option

    if _is_refused(batch, batch.step(actions, ticks)):
        assert _hashes(batch) == before


@st.composite
def descriptions(draw: st.DrawFn) -> dict[str, Any]:
    """Return what a caller says of an array: as the kind wants it, but for one thing or another."""
    kind = draw(st.integers(0, len(KINDS) - 1))
    said: dict[str, Any] = {"kind": kind, "offset": 0, "writable": 1}
    lists = st.lists(ints, min_size=EXTENTS_MAX, max_size=EXTENTS_MAX)
    evil: dict[str, st.SearchStrategy[Any]] = {
        "kind": ints,
        "offset": st.integers(0, 128),
        "writable": st.integers(0, 1),
        "dtype": ints,
        "shape": lists,
        "strides": lists,
        "ndim": ints,
        "data": st.none(),
    }
    for name in draw(st.lists(st.sampled_from(sorted(evil)), max_size=2)):
        said[name] = draw(evil[name])
    return said


def _fill(name: str, buffer: Array) -> None:
    """Make a buffer ready: whatever is not written shows, and whoever acts gives no order."""
    buffer.view("u1")[...] = 0 if name == "actions" else UNTOUCHED


def _play(batch: TideBatch) -> None:
    assert batch.reset([1, 2]) == OK
    assert batch.step() == OK


@examples(10)
@given(said=descriptions())
def test_whatever_is_registered_fits_or_changes_nothing(batch: TideBatch, said: dict[str, Any]) -> None:
    name = KINDS[said["kind"] if 0 <= said["kind"] < len(KINDS) else 0]
    known = batch.buffers[name]
    _fill("actions", batch.buffers["actions"])
    _fill(name, known)
    _play(batch)
    expected = known.tobytes()
    room = aligned((ROOM_BYTES,), "u1")
    offered = room[said["offset"] : said["offset"] + known.nbytes]
    described = Described(
        data=None if "data" in said else offered.ctypes.data,
        shape=(ctypes.c_int64 * EXTENTS_MAX)(*said.get("shape", known.shape)),
        strides=(ctypes.c_int64 * EXTENTS_MAX)(*said.get("strides", known.strides)),
        dtype=said.get("dtype", DTYPES.index(known.dtype.str[1:])),
        ndim=said.get("ndim", known.ndim),
        writable=said["writable"],
    )

    code = batch.calls.tb_batch_register(batch._batch, said["kind"], ctypes.byref(described))

    try:
        used, unused = (known, offered) if _is_refused(batch, code) else (offered, known)
        unused.view("u1")[...] = UNTOUCHED
        _fill(name, used)
        _play(batch)
        assert used.tobytes() == expected
        assert (unused.view("u1") == UNTOUCHED).all()
    finally:
        assert batch.register(name, known) == OK


def test_whatever_is_restored_goes_on_or_changes_nothing(batch: TideBatch) -> None:
    assert batch.reset([1, 2]) == OK
    assert batch.step(np.zeros((ENVS * SEATS, len(HEAD_SIZES)), np.int32), ticks=60) == OK
    whole = batch.snapshot(0)

    @examples(10)
    @given(data=st.one_of(sealed(whole), sealed(whole), damaged_bytes(whole)), env=sizes, decided=orders)
    def check(data: bytes, env: int, decided: list[tuple[int, ...]]) -> None:
        before = _hashes(batch)
        if _is_refused(batch, batch.restore(env, data)):
            assert _hashes(batch) == before
        _is_refused(batch, batch.step(np.array(decided, np.int32), ticks=3))
        assert batch.restore(0, whole) == OK

    check()


@examples(10)
@given(env=sizes, template=ints, mask=st.lists(st.integers(0, 255), min_size=ENVS, max_size=ENVS))
def test_whatever_is_asked_for_comes_or_is_refused(batch: TideBatch, env: int, template: int, mask: list[int]) -> None:
    assert not _is_refused(batch, batch.reset([env, template & 0xFFFF], mask))
    _is_refused(batch, batch.assign(env, template))
    _is_refused(batch, batch.result(env)[0])
