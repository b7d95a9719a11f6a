"""The one module that imports the compiled core, and what presents its batches to the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from diorama.contracts.errors import ContractError, SnapshotError, TierUnavailable
from diorama.contracts.records import StepRecord

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from numpy.typing import NDArray

    from diorama import _native
    from diorama.contracts.buffers import Buffers
    from diorama.contracts.tiers import BatchCore
    from diorama.contracts.values import F32, F64, I32, U8, U64, JsonObject


def load_native() -> ModuleType:
    """Return the compiled module.

    Raises:
        TierUnavailable: When it is missing or does not load.
    """
    try:
        return import_module("diorama._native")
    except (ImportError, OSError) as error:
        raise TierUnavailable(f"the native core does not load ({error}); build it with 'make setup'") from None


class NativeCore:
    """A block of copies stepped by compiled code, with the interpreter lock released."""

    def __init__(self, batch: _native.NativeBatch, render: Callable[[_native.NativeBatch, int], JsonObject]) -> None:
        """Present a native batch; `render` returns what a viewer needs to draw a copy of it."""
        self._batch = batch
        self._render = render
        # Of copies that were reconfigured.
        self._own_renders: dict[int, Callable[[_native.NativeBatch, int], JsonObject]] = {}

    @property
    def checks_options(self) -> bool:
        """Whether unknown options are refused: where the world is strict, compiled code looks at every one."""
        return True

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Reset the named copies, with their own seeds or the next of their sequences."""
        self._batch.reset(copies, seeds, buffers)

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance every copy by one decision per seat.

        Raises:
            UnknownOption: The world is strict and has no such option; nothing was stepped.
        """
        self._batch.step(actions, buffers)

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._batch.episode_seed(copy)

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        return StepRecord(**self._batch.step_record(copy))

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return StepRecord(**self._batch.opening_record(copy))

    def reward_parts(self) -> F64:
        """Return what the rewards of the last step are made of, row after row; nothing where a world does not tell."""
        return self._batch.reward_parts()

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy, seed sequence included."""
        return self._batch.snapshot(copy)

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot and write the copy's observation and mask; on an error nothing changes."""
        try:
            self._batch.restore(copy, data, buffers)
        except ValueError as error:
            raise SnapshotError(str(error)) from None

    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None:
        """Begin the episode of a copy in the state of a snapshot; on an error nothing changes."""
        try:
            self._batch.start_from(copy, data, seed, buffers)
        except ValueError as error:
            raise SnapshotError(str(error)) from None

    def reconfigure(
        self, copies: Sequence[int], prototypes: Sequence[BatchCore], seeds: Sequence[int], buffers: Buffers
    ) -> None:
        """Replace the episodes that copies have just opened by episodes in other configurations."""
        natives = [prototype for prototype in prototypes if isinstance(prototype, NativeCore)]
        try:
            self._batch.reconfigure(copies, [native._batch for native in natives], seeds, buffers)
        except ValueError as error:
            raise ContractError(str(error)) from None
        for copy, native in zip(copies, natives, strict=True):
            self._own_renders[copy] = native._own_renders.get(0, native._render)

    def carried(self, copy: int) -> U64:
        """Return what the copy carries from one episode on to the next; nothing in most worlds."""
        return self._batch.carried(copy)

    def carry(self, copy: int, words: U64) -> None:
        """Have the copy carry something else; on an error nothing changes."""
        try:
            self._batch.carry(copy, words)
        except ValueError as error:
            raise SnapshotError(str(error)) from None

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy."""
        return self._batch.state_words(copy)

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""
        return self._batch.state_hash(copy)

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""
        return self._own_renders.get(copy, self._render)(self._batch, copy)

    def stay_awake(self) -> None:
        """Keep the threads that step from sleeping between steps."""
        self._batch.stay_awake()

    def rest(self) -> None:
        """Let the threads that step sleep when they have nothing to do."""
        self._batch.rest()

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        """Hand the copies over to independent cores of these sizes."""
        parts = [NativeCore(part, self._render) for part in self._batch.split(sizes)]
        for part, first, size in zip(parts, accumulate(sizes, initial=0), sizes, strict=False):
            part._own_renders = {
                copy - first: render for copy, render in self._own_renders.items() if first <= copy < first + size
            }
        return [*parts]


class NativeBotRows:
    """Scripted players of all rows of a batch in compiled code; implements `contracts.bots.BatchedBot`."""

    def __init__(self, bots: _native.NativeBots) -> None:
        """Present native players."""
        self._bots = bots
        self._actions: I32 = np.zeros((bots.rows, bots.heads), np.int32)

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Forget the last episode of these rows; `seeds` are the seeds of those that begin."""
        self._bots.reset(rows, [seed % (1 << 64) for seed in seeds])

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row, with the interpreter lock released; the next call overwrites the array."""
        self._bots.act(obs, masks, self._actions)
        return self._actions

    def memories(self) -> NDArray[np.integer[Any]]:
        """Return what every player remembers, rows by words."""
        return self._bots.memories().reshape(self._bots.rows, -1).view(np.int64)

    def load_memories(self, memories: NDArray[np.integer[Any]]) -> None:
        """Go on from what `memories` returned for as many rows.

        Raises:
            SnapshotError: There are more or fewer words.
        """
        try:
            self._bots.load_memories(np.ascontiguousarray(memories, np.int64).reshape(-1).view(np.uint64))
        except ValueError as error:
            raise SnapshotError(str(error)) from None
