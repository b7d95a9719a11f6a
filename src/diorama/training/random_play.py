"""Uniform choice among valid options: the backend `random`, and a player for its replays."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from diorama.contracts.errors import DocumentError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import F32, I32, U8, U64, JsonObject
from diorama.engine.batch import Batch
from diorama.engine.players import Contender, ContenderKind
from diorama.learn.evaluation.summary import u32_block
from diorama.rng import Pcg32
from diorama.runs.checkpoints.resume import StoredTraining, TrainingState
from diorama.training.callbacks.base import RunCallbacks

if TYPE_CHECKING:
    from torch import Tensor

_STREAM: Final = 71
_U32_BITS: Final = np.uint64(32)


def choose_uniformly(spec: WorldSpec, masks: U8, draws: U64) -> I32:
    """Choose one valid option per row and head; a head without a valid option takes its no-op.

    Args:
        spec: Contract of the world.
        masks: Rows by options of all heads; ignored where the world has no masks.
        draws: Rows by heads, each a u32.
    """
    actions: I32 = np.empty((len(masks), len(spec.heads)), np.int32)
    start = 0
    for head, options in enumerate(spec.heads):
        size = len(options.options)
        valid = masks[:, start : start + size] != 0 if spec.has_mask else np.ones((len(masks), size), np.bool_)
        counts = valid.sum(axis=1, dtype=np.uint64)
        index_among_valid = (draws[:, head] * counts) >> _U32_BITS
        chosen = (np.cumsum(valid, axis=1, dtype=np.uint64) > index_among_valid[:, None]).argmax(axis=1)
        actions[:, head] = np.where(counts > 0, chosen, options.noop)
        start += size
    return actions


def random_stream(seed: int) -> Pcg32:
    """Return the stream that random play with a seed draws from."""
    return Pcg32.from_seed(seed, _STREAM)


def draw_block(stream: Pcg32, rows: int, heads: int) -> U64:
    """Draw one u32 per row and head."""
    return u32_block(stream, rows * heads).reshape(rows, heads)


class RandomPlayer:
    """Plays every row from a stream of its own, seeded by the episode."""

    def __init__(self, spec: WorldSpec, rows: int) -> None:
        """Prepare for a batch; `reset` opens the streams."""
        self._spec = spec
        self._streams = [random_stream(0) for _ in range(rows)]

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Open the streams of these rows."""
        for row, seed in zip(rows, seeds, strict=True):
            self._streams[row] = random_stream(seed)

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row."""
        heads = len(self._spec.heads)
        draws = np.concatenate([draw_block(stream, 1, heads) for stream in self._streams])
        return choose_uniformly(self._spec, masks, draws)

    def retire(self, rows: Sequence[int]) -> None:
        """Rows cost nothing while they are skipped."""


def random_contender(name: str) -> Contender:
    """Return random play as a contender."""
    return Contender(name=name, kind=ContenderKind.RUN, start=RandomPlayer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _RandomState:
    values: JsonObject
    snapshots: list[bytes]
    tensors: "dict[str, Tensor]" = field(default_factory=dict)


class RandomLearner:
    """A `Learner` that plays uniformly among valid options and learns nothing."""

    def __init__(self, batch: Batch, seed: int, callbacks: RunCallbacks) -> None:
        """Open an episode in every copy."""
        self._batch = batch
        self._callbacks = callbacks
        self._stream = random_stream(seed)
        self.env_steps_total = 0
        batch.reset()

    def advance(self) -> None:
        """Take one vector step."""
        batch = self._batch
        alive_before, obs = batch.alive.copy(), batch.obs.copy()
        draws = draw_block(self._stream, batch.rows, len(batch.spec.heads))
        batch.step(choose_uniformly(batch.spec, batch.masks, draws))
        self.env_steps_total += batch.copies
        self._callbacks.on_step(
            StepView(
                first_copy=0,
                copies=batch.copies,
                agents=batch.spec.agents,
                rewards=batch.rewards,
                terminated=batch.terminated,
                truncated=batch.truncated,
                alive_before=alive_before,
                obs=lambda: obs,
                metrics=batch.metrics,
                dt=batch.dt,
                events=batch.events,
            )
        )

    def state(self) -> TrainingState:
        """Return the position of the stream, the copies and the states of the callbacks."""
        return _RandomState(
            values={
                "env_steps_total": self.env_steps_total,
                "stream_draws": self._stream.draws,
                **self._callbacks.states(),
            },
            snapshots=[self._batch.snapshot(i) for i in range(self._batch.copies)],
            tensors=self._callbacks.tensors(),
        )

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state.

        Raises:
            DocumentError: It belongs to another kind of run.
        """
        total, draws = stored.values.get("env_steps_total"), stored.values.get("stream_draws")
        if not isinstance(total, int) or not isinstance(draws, int) or len(stored.snapshots) != self._batch.copies:
            raise DocumentError(
                "the stored state is of another kind of run; resume it with the copies and the backend it had",
                code="stored_state_of_another_run",
            )
        self._callbacks.load(stored)
        self._stream.advance(draws - self._stream.draws)
        for copy, data in enumerate(stored.snapshots):
            self._batch.restore(copy, data)
        self.env_steps_total = total
        self._callbacks.after_restore(stored)

    def close(self) -> None:
        """Free the copies."""
        self._batch.close()
