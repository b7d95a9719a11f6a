"""Uniform choice among valid options: what the backend `random` plays with, and a player for its replays."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8, U64
from diorama.engine.players import Contender, ContenderKind
from diorama.learn.evaluation.summary import u32_block
from diorama.rng import Pcg32

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
        place = (draws[:, head] * counts) >> _U32_BITS
        chosen = (np.cumsum(valid, axis=1, dtype=np.uint64) > place[:, None]).argmax(axis=1)
        actions[:, head] = np.where(counts > 0, chosen, options.noop)
        start += size
    return actions


def random_stream(seed: int) -> Pcg32:
    """Return the stream that a seed's random play draws from."""
    return Pcg32.from_seed(seed, _STREAM)


def draw_block(stream: Pcg32, rows: int, heads: int) -> U64:
    """Draw one u32 per row and head."""
    return u32_block(stream, rows * heads).reshape(rows, heads)


class RandomPlayer:
    """Plays every row from a stream of its episode's own."""

    def __init__(self, spec: WorldSpec, rows: int) -> None:
        """Prepare for a batch; `reset` opens the streams."""
        self._spec = spec
        self._streams = [random_stream(0) for _ in range(rows)]

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin the streams of these rows."""
        for row, seed in zip(rows, seeds, strict=True):
            self._streams[row] = random_stream(seed)

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row."""
        heads = len(self._spec.heads)
        draws = np.concatenate([draw_block(stream, 1, heads) for stream in self._streams])
        return choose_uniformly(self._spec, masks, draws)

    def retire(self, rows: Sequence[int]) -> None:
        """Nothing is saved by skipping a row."""


def random_contender(name: str) -> Contender:
    """Return random play as a contender."""
    return Contender(name=name, kind=ContenderKind.RUN, start=RandomPlayer)
