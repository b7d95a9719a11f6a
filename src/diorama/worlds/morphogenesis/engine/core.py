"""The copies of a batch, for either engine: one run they share, or a run each where they are given their own seeds."""

from collections.abc import Callable, Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ContractError, UnknownName
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import I32, U8, U64, JsonObject
from diorama.snapshots import check_configuration, hash_words, int_words, pack_snapshot, unpack_snapshot
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import SNAPSHOT_MAGIC, SNAPSHOT_VERSION
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker, Nursery
from diorama.worlds.morphogenesis.engine.operator import OperatorDesk
from diorama.worlds.morphogenesis.engine.policy_notes import notes_on
from diorama.worlds.morphogenesis.engine.shared_run import RunParts, SharedRun
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld, Stepped
from diorama.worlds.morphogenesis.render import render_state

SLOT_BY_OP: Final = "slot_by_op"
CONTRIBUTION: Final = "contribution"
EXTRAS: Final = (SLOT_BY_OP, CONTRIBUTION)
"""Slots that each operation may go to, ops × slots; contributions in points that were measured this epoch, else NaN."""
SEQUENCE_WORDS: Final = 3
"""Root key, copy and round stand before the world's own words in a snapshot."""


class MorphogenesisCore:
    """All copies of a batch.

    They share root key, round, clock and control twins, which is what makes them cheap and comparable, until they are
    given seeds that differ: then each is a run of its own, and equals a batch of one copy with its seed.
    """

    def __init__(self, parts: RunParts, runs: list[SharedRun]) -> None:
        """Take over runs: one for all copies, or one for each of them."""
        self._parts = parts
        self._runs = runs
        self._header = parts.config.model_dump(mode="json")
        self.desk = OperatorDesk(self)

    @classmethod
    def build(cls, parts: RunParts, *, copies: int, root_key: int) -> Self:
        """Build copies that share their run.

        Raises:
            ContractError: A single episode is to be run again in more than one copy.
        """
        if parts.config.episode is not None and copies != 1:
            raise ContractError(f"one episode is run again in one copy, not in {copies}")
        return cls(parts, [SharedRun(parts, copies=copies, root_key=root_key)])

    @property
    def copies(self) -> int:
        """Number of copies."""
        return sum(run.copies for run in self._runs)

    @property
    def slot_by_op(self) -> U8:
        """A buffer of this world's own: the slots each operation may go to, copies × ops × slots."""
        return np.concatenate([run.world.slot_by_op for run in self._runs])

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return a buffer of this world's own, copies × width; see `EXTRAS`.

        Raises:
            UnknownName: There is none of that name.
        """
        if name == SLOT_BY_OP:
            return self.slot_by_op.reshape(self.copies, -1)
        if name == CONTRIBUTION:
            return np.concatenate([run.world.fresh_contributions() for run in self._runs])
        raise UnknownName.among("extra array of 'morphogenesis'", name, EXTRAS)

    def world(self, copy: int) -> MorphogenesisWorld:
        """Return the world a copy is part of."""
        return self._at(copy)[0].world

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Open the next round, or the first of other root keys: one for all copies, or one each.

        Raises:
            ContractError: Some of the copies that share a run are to be reset without the others.
        """
        shares = len(self._runs) == 1
        if shares and len(copies) != self.copies:
            raise ContractError("copies that share a round are reset together; name all of them or none")
        if seeds is not None and len(copies) == self.copies:
            self._arrange(seeds)
        for place, copy in enumerate([0] if len(self._runs) == 1 else copies):
            run, _ = self._at(copy)
            if seeds is not None:
                run.start_over(seeds[place])
            run.open_round(self._slice(run, buffers))

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Decide once for every copy; what an operator has ordered goes before."""
        initiators: Sequence[Initiator] | None = None
        if not self.desk.is_idle:
            actions, initiators = self.desk.revise(actions)
        first = 0
        for run in self._runs:
            part = slice(first, first + run.copies)
            run.step(
                actions[part],
                self._slice(run, buffers),
                initiators=None if initiators is None else initiators[part],
            )
            first += run.copies

    def nursery_of(self, copy: int) -> tuple[Nursery, int]:
        """Return the run of a copy, and its row there."""
        run, row = self._at(copy)
        return run.world.nursery, row

    def expert_actions(self, actions: I32) -> None:
        """Write what the rules would decide now, for every copy."""
        actions[:] = np.concatenate([run.world.expert_actions() for run in self._runs])

    def episode_seed(self, copy: int) -> int:
        """Return a seed that stands for the copy's episode; a run of its own is opened again by its first."""
        run, row = self._at(copy)
        return run.episode_seed(row)

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        run, row = self._at(copy)
        return run.step_record(row)

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        run, row = self._at(copy)
        return run.opening_record(row)

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy, its control twin included."""
        nursery = self.world(copy).nursery
        sequence = int_words([nursery.streams.root_key, copy, nursery.round_index])
        words = np.concatenate([sequence, self.state_words(copy)])
        return pack_snapshot(SNAPSHOT_MAGIC, SNAPSHOT_VERSION, self._header, words)

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot; beside copies of the same run only at the moment they all are at.

        Raises:
            SnapshotError: The snapshot is of another configuration, env or moment; nothing has changed then.
        """
        run, row = self._at(copy)
        run.restore(row, self._unpacked(data)[SEQUENCE_WORDS:], self._slice(run, buffers))

    def on_policy_outputs(self, thoughts: PolicyOutputs) -> None:
        """Take what a policy thinks of the decisions of the next step, to tell it with them."""
        notes, first = notes_on(thoughts, slots=len(self._parts.config.slot_ids)), 0
        for run in self._runs:
            run.notes = {row: notes[first + row] for row in range(run.copies)}
            first += run.copies

    def watch(self, watcher: Callable[[Stepped], None]) -> None:
        """Show every step to a watcher, before the next round is opened; for copies that share their run."""
        self._runs[0].watchers.append(watcher)

    def restore_all(self, snapshots: Sequence[bytes], buffers: Buffers) -> None:
        """Continue every copy from its snapshot: all of one moment where they share a run.

        Raises:
            SnapshotError: They are not of one moment of this run, or of another configuration.
        """
        if len(self._runs) != 1:
            for copy, data in enumerate(snapshots):
                self.restore(copy, data, buffers)
            return
        words = [self._unpacked(data)[SEQUENCE_WORDS:] for data in snapshots]
        self._runs[0].restore_all(words, buffers)

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy."""
        run, row = self._at(copy)
        return run.state_words(row)

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""
        return hash_words(self.state_words(copy))

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""
        run, row = self._at(copy)
        return render_state(run.world.nursery, row)

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        """Hand the copies over to cores of these sizes; copies that share a run stay together.

        Raises:
            ContractError: Copies that share a run are to be stepped apart.
        """
        if len(sizes) == 1:
            return [self]
        if len(self._runs) != self.copies:
            raise ContractError("copies that share a round and its control twins cannot be split")
        runs = iter(self._runs)
        return [MorphogenesisCore(self._parts, [next(runs) for _ in range(size)]) for size in sizes]

    def _arrange(self, seeds: Sequence[int]) -> None:
        wanted = [len(seeds)] if len(set(seeds)) == 1 else [1] * len(seeds)
        if [run.copies for run in self._runs] != wanted:
            keys = seeds if len(wanted) > 1 else seeds[:1]
            self._runs = [
                SharedRun(self._parts, copies=size, root_key=key) for size, key in zip(wanted, keys, strict=True)
            ]

    def _unpacked(self, data: bytes) -> U64:
        header, words = unpack_snapshot(data, SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
        check_configuration(header, self._header)
        return words

    def _at(self, copy: int) -> tuple[SharedRun, int]:
        return (self._runs[0], copy) if len(self._runs) == 1 else (self._runs[copy], 0)

    def _slice(self, run: SharedRun, buffers: Buffers) -> Buffers:
        first = 0 if len(self._runs) == 1 else self._runs.index(run)
        return buffers.copies_slice(first, first + run.copies, agents=1)


def build_core(config: MorphogenesisConfig, request: CoreRequest, make_engine: EngineMaker) -> MorphogenesisCore:
    """Build the copies a batch asks for on an engine."""
    parts = RunParts(config=config, make_engine=make_engine, device=request.device)
    return MorphogenesisCore.build(parts, copies=request.copies, root_key=request.seed)
