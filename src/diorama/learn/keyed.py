"""Random numbers of the trainer: each belongs to a run, an update, a step, a row and a head, and to nothing else.

No state is carried from one draw to the next, so neither threads nor lanes nor a resume can shift them.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch

from diorama.learn import kernels
from diorama.rng import GOLDEN, Pcg32, draw, mix
from diorama.rng.mixing import MASK64, MIX_FIRST, MIX_SECOND

ACTIONS: Final = 1
MINIBATCHES: Final = 2
DEMONSTRATIONS: Final = 3
WEIGHTS: Final = 4
REPLAYS: Final = 9  # those between are of matches and disturbances

_WORD_OFFSET: Final = 0xD1B54A32D192ED03
_PER_UNIT: Final = 2.0**-53


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawKey:
    """What a block of draws is for: row `r` and head `h` of the block are row `row + r` and head `head + h`."""

    seed: int
    update: int
    step: int
    row: int = 0
    head: int = 0

    def at_head(self, head: int) -> "DrawKey":
        """Return the key of the draws of one head."""
        return replace(self, head=head)


def uniforms(key: DrawKey, rows: int, heads: int, device: torch.device) -> torch.Tensor:
    """Return float64 fractions in [0, 1), rows × heads."""
    prefix = mix(key.seed + GOLDEN)
    for word in (ACTIONS, key.update, key.step):
        prefix = mix(prefix ^ (word * GOLDEN + _WORD_OFFSET & MASK64))
    row_words = torch.arange(key.row, key.row + rows, dtype=torch.int64, device=device)
    head_words = torch.arange(key.head, key.head + heads, dtype=torch.int64, device=device)
    bits = _absorb(torch.full_like(row_words, _signed(prefix)), row_words)
    bits = _absorb(bits[:, None].expand(rows, heads), head_words)
    return _shift_right(bits, 11).to(torch.float64) * _PER_UNIT


def subseed(seed: int, stream: int, update: int, part: int) -> int:
    """Return a 64-bit seed for a generator that serves one part of one update."""
    return draw(seed, stream, update, part, 0, 0)


def permutation(seed: int, stream: int, update: int, part: int, size: int) -> torch.Tensor:
    """Return a shuffled range as int64 on the CPU."""
    own_seed = subseed(seed, stream, update, part)
    if kernels.is_compiled():
        return torch.from_numpy(kernels.shuffled(own_seed, stream, size).view(np.int64))
    order = list(range(size))
    Pcg32.from_seed(own_seed, stream).shuffle(order)
    return torch.tensor(order, dtype=torch.int64)


def _absorb(state: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    z = state ^ (words * _signed(GOLDEN) + _signed(_WORD_OFFSET))
    z = (z ^ _shift_right(z, 30)) * _signed(MIX_FIRST)
    z = (z ^ _shift_right(z, 27)) * _signed(MIX_SECOND)
    return z ^ _shift_right(z, 31)


def _shift_right(words: torch.Tensor, places: int) -> torch.Tensor:
    # int64 is all torch has: the sign bits its shift copies in are masked off again.
    return (words >> places) & ((1 << (64 - places)) - 1)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
