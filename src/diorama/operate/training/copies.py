"""`Copies`: the copies a run learns from, which may be exchanged between rollouts, and whose events are looked into."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.rounds import RoundKeeper, RoundsPlan, Teller
from diorama.contracts.spec import WorldSpec
from diorama.contracts.thoughts import PolicyOutputs
from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.operate.training.event_tally import EventTally


class Copies:
    """A batch as the environments of a trainer: `TrainingEnvs`, `Advised`, `ExtraArrays`, `RestoredTogether`."""

    def __init__(self, batch: Batch, tally: EventTally | None = None) -> None:
        """Take over a batch that has not been reset; `tally` is told of every step."""
        self._batch = batch
        self._tally = tally
        self._first: Buffers | None = None
        self._parts: list[Copies] = []

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""
        return self._batch.spec

    @property
    def copies(self) -> int:
        """Number of copies."""
        return self._batch.copies

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on; an exchange begins with them, too."""
        self._first = buffers
        self._batch.adopt(buffers)

    def reset(self) -> None:
        """Open an episode in every copy."""
        self._batch.reset()

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat."""
        self._batch.step(actions, into)
        if self._tally is not None:
            self._tally.note(self._batch)

    def advise(self) -> I32:
        """Return what the world's own controller would do now."""
        return self._batch.advise()

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state."""
        return self._batch.snapshot(copy)

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy from a snapshot."""
        self._batch.restore(copy, data)

    def restore_all(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._batch.restore_all(snapshots)

    @property
    def wants_policy_outputs(self) -> bool:
        """Whether the world tells how sure a policy was of what it decided."""
        return self._batch.wants_policy_outputs

    def on_policy_outputs(self, thoughts: PolicyOutputs) -> None:
        """Say before a step what the policy thinks of its decisions."""
        self._batch.on_policy_outputs(thoughts)

    def keep_rounds(self, plan: RoundsPlan, tell: Teller) -> RoundKeeper:
        """Let the world hear of the updates that close its rounds; call it before the copies are split."""
        return self._batch.keep_rounds(plan, tell)

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return an array that the world adds, as the last step left it."""
        return self._batch.extra(name)

    def split(self, parts: int) -> "list[Copies]":
        """Hand the copies over to independent sources; this one can still exchange them all."""
        tallies = [None if self._tally is None else self._tally.like() for _ in range(parts)]
        self._parts = [Copies(batch, tally) for batch, tally in zip(self._batch.split(parts), tallies, strict=True)]
        return self._parts

    def exchange(self, batch: Batch) -> None:
        """Go on with other copies of the same shape, every one at the beginning of an episode.

        What a copy carries from one episode on to the next goes with its successor.

        Call it between rollouts, on the source that was split.
        """
        fresh = batch.split(len(self._parts))
        for part, other in zip(self._parts, fresh, strict=True):
            assert part._first is not None, "a part writes nowhere before it has adopted buffers"
            other.adopt(part._first)
            other.reset()
            for copy in range(other.copies):
                other.carry(copy, part._batch.carried(copy))
            part._batch.close()
            part._batch = other

    def take_tally(self) -> dict[str, float]:
        """Return what events told since the last time, over all parts in order."""
        if self._tally is None:
            return {}
        for part in self._parts:
            assert part._tally is not None, "parts count what the whole counts"
            self._tally.add(part._tally)
        return self._tally.take()
