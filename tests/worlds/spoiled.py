"""States that the readable tier is made to hold, however wrong they are, and that both tiers must refuse."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import numpy as np
import pytest

import diorama
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import SnapshotError
from diorama.contracts.tiers import Simulation
from diorama.engine.batch import Batch
from diorama.snapshots import pack_snapshot, unpack_snapshot

TIERS: Final = ("reference", "fast")
SEQUENCE_WORDS: Final = 3  # of the seeds of episodes, before the state itself

SimulationT = TypeVar("SimulationT", bound=Simulation)


class Spoiled(Generic[SimulationT]):
    """A copy of a world in each tier, and a simulation of the same state to be spoiled."""

    def __init__(self, world: str, config: WorldConfig, simulation: SimulationT) -> None:
        """Begin with the state that the simulation is in."""
        self._batches = [diorama.make(world, config=config, copies=1, seed=5, tier=tier, threads=1) for tier in TIERS]
        for batch in self._batches:
            batch.reset()
        self._spec = self._batches[0].spec
        form = self._spec.snapshot_magic, self._spec.snapshot_version
        self._header, opening = unpack_snapshot(self._batches[0].snapshot(0), *form)
        self._sequence = opening[:SEQUENCE_WORDS]
        self._simulation = simulation
        self._whole = simulation.snapshot_words()
        for batch in self._batches:
            batch.restore(0, self._packed())

    def assert_refused_alike(self, spoil: Callable[[SimulationT], None], words: str) -> None:
        """Spoil the state; both tiers refuse it in the same words, which these are a part of, and stay as they are."""
        assert_refused_alike(self._batches, self._spoilt(spoil), words)

    def assert_refused(self, spoil: Callable[[SimulationT], None], words: str) -> None:
        """Spoil the state; each tier refuses it in words that these fit, and stays as it is."""
        refusals(self._batches, self._spoilt(spoil), words)

    def _spoilt(self, spoil: Callable[[SimulationT], None]) -> bytes:
        self._simulation.load_words(self._whole)
        spoil(self._simulation)
        return self._packed()

    def _packed(self) -> bytes:
        state = np.concatenate([self._sequence, self._simulation.snapshot_words()])
        return pack_snapshot(self._spec.snapshot_magic, self._spec.snapshot_version, self._header, state)


def assert_refused_alike(batches: Sequence[Batch], data: bytes, words: str) -> None:
    """Every tier refuses a snapshot in the same words, which these are a part of, and stays as it is."""
    told = refusals(batches, data, words)
    assert told == told[:1] * len(batches)


def refusals(batches: Sequence[Batch], data: bytes, words: str) -> list[str]:
    """Return in which words each tier refuses a snapshot; these fit them, and nothing changes."""
    before = [batch.state_hash(0) for batch in batches]
    told = []
    for batch in batches:
        with pytest.raises(SnapshotError, match=words) as refusal:
            batch.restore(0, data)
        told.append(str(refusal.value))
    assert [batch.state_hash(0) for batch in batches] == before
    return told
