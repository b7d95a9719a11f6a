"""`Batch`: N copies of a world stepped with one call into buffers the caller may own."""

import ctypes
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Final
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.capabilities import (
    AttentiveCore,
    CarryingCore,
    ExtraArraysCore,
    OperatedCore,
    ProvidesExpert,
    Reloadable,
    SharedClockCore,
    StartStatesCore,
    StrictCore,
    WakefulCore,
)
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ContractError, UnknownName
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.records import StepRecord
from diorama.contracts.rounds import PublishEvent, RoundsPlan, RoundTracker
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64, I32, U64, JsonObject
from diorama.contracts.work import checkpoint
from diorama.engine.actions import OptionCheck, as_action_rows
from diorama.engine.batch_views import BatchFacts, BatchViews
from diorama.engine.seeding import as_seed, as_seeds


@contextmanager
def keep_awake(core: BatchCore) -> Iterator[None]:
    """Keep the threads of a core, if it has any, from sleeping between steps, inside the block."""
    if not isinstance(core, WakefulCore):
        yield
        return
    core.stay_awake()
    try:
        yield
    finally:
        core.rest()


_LIVE: Final[WeakSet["Batch"]] = WeakSet()
_FORKED: Final = (
    "the batch was made before this process was forked, and its threads stayed behind; make it here, or start "
    "processes with multiprocessing.get_context('spawn')"
)


def _leave_behind() -> None:
    """In the child of a fork: refuse every batch of the parent, which would wait for threads that are not here."""
    for batch in list(_LIVE):
        batch.leave_behind()


os.register_at_fork(after_in_child=_leave_behind)


class Batch(BatchViews):
    """Copies of one world in one configuration.

    Rows are copies × seats. A copy that ends is reset inside the same `step`: `obs` then opens the new episode
    and `final_obs` keeps the last observation of the old one, while rewards, flags, metrics, `dt`, events and
    `step_record` belong to the step that ended it.
    """

    def __init__(self, facts: BatchFacts, core: BatchCore, copies: int, buffers: Buffers | None = None) -> None:
        """Wrap a core; use `diorama.make` instead."""
        super().__init__(facts, copies, buffers)
        self._core: BatchCore | None = core
        is_checked = isinstance(core, StrictCore) and core.checks_options
        self._options = OptionCheck(self.spec) if self.spec.rejects_unknown_options and not is_checked else None
        self._action_shape = (copies * self.spec.agents, len(self.spec.heads))
        self._why_unusable = ""
        self._is_reset = False
        self._worker: ThreadPoolExecutor | None = None
        self._pending: Future[None] | None = None
        _LIVE.add(self)

    def reset(self, seeds: Sequence[int] | None = None, copies: Sequence[int] | None = None) -> None:
        """Open new episodes.

        Args:
            seeds: Episode seeds as they stand, one per copy that is reset. Without them each copy takes the
                next of its own sequence.
            copies: Which copies; all of them by default.
        """
        checkpoint()
        core = self._usable_core()
        chosen = range(self.copies) if copies is None else self._checked_copies(copies)
        if not self._is_reset and len(chosen) != self.copies:
            raise ContractError("the first reset must open every copy; call reset() without copies")
        core.reset(chosen, None if seeds is None else as_seeds(seeds, len(chosen)), self.buffers)
        self._is_reset = True

    def step(self, actions: NDArray[np.integer] | Sequence[int], into: Buffers | None = None) -> None:
        """Advance every copy by one decision per seat.

        Args:
            actions: Integers, rows × heads, or one per row where the world has one head.
            into: Buffers to write from now on; they must fit this batch (`Buffers.check`).
        """
        checkpoint()
        core = self._core
        # Every step comes through here; who is wrong is told by asking once more.
        if core is None or self._pending is not None or not self._is_reset:
            core = self._opened_core()
        if into is not None:
            self.buffers = into
        core.step(self._action_rows(actions), self.buffers)

    def step_async(self, actions: NDArray[np.integer] | Sequence[int], into: Buffers | None = None) -> None:
        """Start `step` on a thread of this batch's own; `wait` ends it."""
        core = self._opened_core()
        if into is not None:
            self.buffers = into
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="diorama-batch")
        self._pending = self._worker.submit(core.step, self._action_rows(actions), self.buffers)

    def wait(self) -> None:
        """Wait for the step that `step_async` started."""
        if self._pending is None:
            raise ContractError("wait() without step_async(): there is nothing to wait for")
        pending, self._pending = self._pending, None
        pending.result()

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads that step from sleeping between steps, inside the block.

        Steps that come every few hundred microseconds begin at once then, and nobody else has the threads' cores.
        Batches that were split off another share their threads.
        """
        return keep_awake(self._usable_core())

    def expert_actions(self) -> I32:
        """Return what the world's own controller would select now, rows × heads; the no-op for rows that are not alive.

        Raises:
            ContractError: The tier of this world has no controller of its own.
        """
        core = self._opened_core()
        if not isinstance(core, ProvidesExpert):
            raise ContractError(f"the {self.tier_selected} tier of {self.spec.world!r} has no controller of its own")
        actions: I32 = np.zeros((self.rows, len(self.spec.heads)), np.int32)
        core.expert_actions(actions)
        return actions

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return an array that this world adds to its buffers, rows × width, as the last step left it.

        Raises:
            UnknownName: The world adds no such array.
        """
        core = self._opened_core()
        if not isinstance(core, ExtraArraysCore):
            raise UnknownName.among(f"extra array of {self.spec.world!r}", name, ("none",))
        return core.extra(name)

    @property
    def reward_term_names(self) -> tuple[str, ...]:
        """Names of the terms that rewards are sums of; empty for a world that does not say."""
        terms = self.world.reward_terms
        return () if terms is None else terms.names(self.config)

    def reward_terms(self) -> F64:
        """Return the terms of the rewards of the last step, rows × terms; call it after `step`.

        Raises:
            ContractError: The world does not say what its rewards are sums of.
        """
        terms = self.world.reward_terms
        if terms is None:
            raise ContractError(f"{self.spec.world!r} does not say what its rewards are sums of")
        return terms.read(self._opened_core(), self.copies, self.reward_term_names)

    @property
    def wants_policy_outputs(self) -> bool:
        """Whether the world tells how sure a policy was of what it decided."""
        return isinstance(self._core, AttentiveCore)

    def on_policy_outputs(self, thoughts: PolicyOutputs) -> None:
        """Say before a step what a policy thinks of its decisions."""
        core = self._opened_core()
        if isinstance(core, AttentiveCore):
            core.on_policy_outputs(thoughts)

    def track_rounds(self, plan: RoundsPlan, tell: PublishEvent) -> RoundTracker:
        """Let the world hear of the policy updates that close its rounds; `tell` takes what happens in it.

        Raises:
            ContractError: The world plays no rounds.
        """
        opener = self.facts.world.rounds
        if opener is None:
            raise ContractError(f"{self.spec.world!r} plays no rounds that an update would close")
        return opener(self._usable_core(), plan, tell)

    @property
    def desk(self) -> object:
        """What the world's own console commands are given; the batch itself where its core takes no orders."""
        core = self._usable_core()
        return core.desk if isinstance(core, OperatedCore) else self

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._opened_core().episode_seed(self._checked_copy(copy))

    def step_record(self, copy: int) -> StepRecord:
        """Return the copy's last step in binary64 with names, or its opening after an explicit reset."""
        return self._opened_core().step_record(self._checked_copy(copy))

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return self._opened_core().opening_record(self._checked_copy(copy))

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state, random numbers and seed sequence included.

        Raises:
            SnapshotError: After a reload, while something still goes by the rules from before it.
        """
        return self._opened_core().snapshot(self._checked_copy(copy))

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy from a snapshot of this world and configuration; on an error nothing changes."""
        self._opened_core().restore(self._checked_copy(copy), data, self.buffers)

    def start_from(self, copy: int, data: bytes, *, seed: int | None = None) -> None:
        """Replace the episode that the copy has just opened by one that begins in the state of a snapshot.

        Unlike after `restore`, the copy keeps its own sequence of seeds and what it carries, and `episode_seed` stays
        that of the episode the snapshot was taken in. The buffers show the opening; rewards, flags and records of the
        step before stay.

        Args:
            copy: Which one.
            data: A snapshot of this world and configuration.
            seed: What everything is drawn from from now on, while what was drawn stays; None goes on with the random
                numbers of the snapshot.

        Raises:
            SnapshotError: The snapshot cannot be continued here; nothing changes then.
            ContractError: The world's copies share a clock, or it cannot draw from another seed.
        """
        core = self._opened_core()
        if not isinstance(core, StartStatesCore):
            raise ContractError(
                f"a copy of {self.spec.world!r} cannot begin in a stored state without the others",
                code="start_states_unsupported",
                world=self.spec.world,
            )
        core.start_from(self._checked_copy(copy), data, None if seed is None else as_seed(seed), self.buffers)

    def restore_all(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot; copies that share a clock can be brought elsewhere only so."""
        if len(snapshots) != self.copies:
            raise ContractError(f"{len(snapshots)} snapshots for {self.copies} copies; give one for each")
        core = self._opened_core()
        if isinstance(core, SharedClockCore):
            core.restore_all(snapshots, self.buffers)
            return
        for copy, data in enumerate(snapshots):
            core.restore(copy, data, self.buffers)

    def carried(self, copy: int) -> U64:
        """Return what the copy carries from one episode on to the next, as words; none in most worlds.

        It is part of a snapshot, and ends when `reset` is given a seed.
        """
        core = self._opened_core()
        return core.carried(self._checked_copy(copy)) if isinstance(core, CarryingCore) else np.zeros(0, np.uint64)

    def carry(self, copy: int, words: U64) -> None:
        """Have the copy carry what `carried` returned elsewhere; the running episode goes on.

        Raises:
            SnapshotError: The words make no sense in this world; nothing changes then.
        """
        core = self._opened_core()
        if isinstance(core, CarryingCore):
            core.carry(self._checked_copy(copy), words)

    def reload(self, config: Mapping[str, object] | WorldConfig) -> tuple[str, ...]:
        """Let every copy go on under another configuration from the next step on, in the middle of its episode.

        Args:
            config: A whole configuration, as `diorama.make` takes it.

        Returns:
            The paths whose values change.

        Raises:
            ConfigError: A value is wrong, or one differs that needs a restart; nothing changes then.
            ContractError: The world takes no other configuration while it runs.
        """
        core = self._opened_core()
        if not isinstance(core, Reloadable):
            raise ContractError(f"{self.spec.world!r} takes no other configuration while it runs")
        parsed = parse_config(self.spec.world, self.world.config_type, config)
        changed = core.stage_reload(parsed)
        self.facts = replace(self.facts, config=parsed)
        return changed

    def state_words(self, copy: int) -> U64:
        """Return the copy's canonical state, the words `state_hash` covers."""
        return self._opened_core().state_words(self._checked_copy(copy))

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""
        return self._opened_core().state_hash(self._checked_copy(copy))

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""
        return self._opened_core().render_state(self._checked_copy(copy))

    def split(self, parts: int) -> "list[Batch]":
        """Hand the copies over to independent batches, to step one while the policy works on another.

        The parts write into rows of this batch's buffers, and every copy keeps its index and its seeds. This
        batch cannot be stepped afterwards.
        """
        core = self._usable_core()
        if not 1 <= parts <= self.copies:
            raise ContractError(f"cannot split {self.copies} copies into {parts} parts; use 1..{self.copies}")
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        sizes = [stop - start for start, stop in pairwise(bounds)]
        batches = [
            Batch(self.facts, core_part, size, self.buffers.copies_slice(start, start + size, agents=self.spec.agents))
            for core_part, size, start in zip(core.split(sizes), sizes, bounds, strict=False)
        ]
        for batch in batches:
            batch._is_reset = self._is_reset
        self._retire("the batch was split; step its parts")
        return batches

    def close(self) -> None:
        """Free the copies; the buffers stay."""
        self._retire("the batch is closed")

    def leave_behind(self) -> None:
        """Give up the copies without freeing them: their threads are those of another process."""
        if self._core is not None:
            # Never freed here: that would wait for the threads to end.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._core))
            self._core, self._why_unusable = None, _FORKED
        self._worker, self._pending = None, None

    def _retire(self, why: str) -> None:
        if self._worker is not None:
            self._worker.shutdown(wait=True)
            self._worker = None
        self._core = None
        self._why_unusable = why

    def _usable_core(self) -> BatchCore:
        if self._core is None:
            raise ContractError(self._why_unusable)
        if self._pending is not None:
            raise ContractError("a step started by step_async() is still running; call wait() first")
        return self._core

    def _opened_core(self) -> BatchCore:
        core = self._usable_core()
        if not self._is_reset:
            raise ContractError("the batch has not been reset; call reset() first")
        return core

    def _action_rows(self, actions: NDArray[np.integer] | Sequence[int]) -> I32:
        rows = as_action_rows(actions, self._action_shape)
        if self._options is not None:
            self._options.check(rows)
        return rows

    def _checked_copy(self, copy: int) -> int:
        if not 0 <= copy < self.copies:
            raise ContractError(f"there is no copy {copy}; this batch has 0..{self.copies - 1}")
        return copy

    def _checked_copies(self, copies: Sequence[int]) -> list[int]:
        chosen = [self._checked_copy(int(copy)) for copy in copies]
        if len(set(chosen)) != len(chosen):
            raise ContractError(f"a copy is named twice in {chosen}")
        return chosen
