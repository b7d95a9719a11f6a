"""A belt whose state a test may look at and change, in either tier."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

import diorama
from diorama.contracts.records import StepRecord
from diorama.contracts.values import F32, U8
from diorama.engine.batch import Batch
from diorama.rng import Pcg32
from diorama.snapshots import pack_snapshot, unpack_snapshot
from diorama.worlds.prospector.reference.constants import RNG_STREAM
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.words import read_state, write_state

TIERS = ("reference", "fast")
ANY_ACTION = st.integers(min_value=-5, max_value=74)
FIELD_NODE = 1
QUIET: Mapping[str, bool] = {"hazards": False, "pirates": False}
STATION_DRAWS = 12
FIELD_DRAWS = 14


def read_copy(batch: Batch, copy: int = 0) -> State:
    """Decode the state of a copy."""
    return read_state(batch.state_words(copy))


@contextmanager
def edit_state(batch: Batch, copy: int = 0) -> Iterator[State]:
    """Lend the decoded state of a copy and restore the copy to what the block made of it."""
    spec = batch.spec
    header, words = unpack_snapshot(batch.snapshot(copy), spec.snapshot_magic, spec.snapshot_version)
    sequence = words[: len(words) - len(batch.state_words(copy))]
    state = read_copy(batch, copy)
    yield state
    edited = np.concatenate([sequence, write_state(state)])
    batch.restore(copy, pack_snapshot(spec.snapshot_magic, spec.snapshot_version, header, edited))


def copy_of(rng: Pcg32) -> Pcg32:
    """Return a generator that draws the same without moving the other."""
    return Pcg32(rng.state, rng.inc, rng.draws)


def find_rng(wanted: Callable[[list[float]], bool]) -> Pcg32:
    """Return a generator whose next fractions are as wanted; the list holds the first eight of them."""
    for seed in count():
        trial = Pcg32.from_seed(seed, RNG_STREAM)
        if wanted([trial.f64() for _ in range(8)]):
            return Pcg32.from_seed(seed, RNG_STREAM)
    raise AssertionError("unreachable: count() does not end")


class Outcome(NamedTuple):
    """What one step led to."""

    record: StepRecord
    state_hash: int
    obs: bytes


class Pilot:
    """One copy of the belt."""

    def __init__(self, tier: str, *, seed: int = 42, **config: object) -> None:
        self.batch = diorama.make("prospector", config=config, tier=tier, threads=1)
        self.batch.reset(seeds=[seed])

    @property
    def state(self) -> State:
        return read_copy(self.batch)

    @property
    def obs(self) -> F32:
        row: F32 = self.batch.obs[0]
        return row

    @property
    def mask(self) -> U8:
        row: U8 = self.batch.masks[0]
        return row

    def edit(self) -> AbstractContextManager[State]:
        return edit_state(self.batch)

    def put(self, **ship: object) -> State:
        """Set attributes of the ship and return the state."""
        with self.edit() as state:
            for name, value in ship.items():
                setattr(state.ship, name, value)
        return self.state

    def step(self, action: int) -> StepRecord:
        self.batch.step([action])
        return self.batch.step_record(0)

    def metrics(self) -> dict[str, float]:
        (values,) = self.batch.step_record(0).metrics
        return dict(zip(self.batch.spec.metric_keys, values, strict=True))

    def try_each(self, actions: Sequence[int]) -> list[Outcome]:
        """Step each action from this very moment, and come back to it."""
        moment = self.batch.snapshot(0)
        outcomes = []
        for action in actions:
            record = self.step(action)
            outcomes.append(Outcome(record, self.batch.state_hash(0), self.obs.tobytes()))
            self.batch.restore(0, moment)
        return outcomes
