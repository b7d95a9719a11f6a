"""Random numbers of the trainer, each a function of seed, stream, update, step, row and head.

No generator carries state from one draw to the next, so threads, shards and resumed runs cannot shift a draw.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch

from diorama.learn import kernels
from diorama.learn.streams import ACTIONS
from diorama.rng import GOLDEN, Pcg32, draw, mix
from diorama.rng.mixing import MASK64, MIX_FIRST, MIX_SECOND

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
    row_words = torch.arange(key.row, key.row + rows, dtype=torch.int64, device=device)
    return fractions_at((key.seed, ACTIONS, key.update, key.step), row_words, heads, first_column=key.head)


def fractions_at(
    words: tuple[int, int, int, int], rows: torch.Tensor, columns: int, *, first_column: int = 0
) -> torch.Tensor:
    """Return float64 fractions in [0, 1), rows × columns.

    Args:
        words: Seed, stream, update and part.
        rows: int64; what each row of the result is for.
        columns: How many fractions a row has.
        first_column: What the first of them is for.
    """
    return _fractions_from(torch.full_like(rows, opening(words)), rows, columns, first_column=first_column)


def opening(words: tuple[int, int, int, int]) -> int:
    """Return what all fractions of these words (seed, stream, update and part) have in common, as an int64."""
    seed, *others = words
    prefix = mix(seed + GOLDEN)
    for word in others:
        prefix = mix(prefix ^ (word * GOLDEN + _WORD_OFFSET & MASK64))
    return _signed(prefix)


def fractions_of_steps(openings: Sequence[int], rows: torch.Tensor, columns: int) -> torch.Tensor:
    """Return what `fractions_at` does for words with these openings, steps × rows × columns."""
    steps = torch.tensor(openings, device=rows.device)
    fractions = _fractions_from(steps.repeat_interleave(len(rows)), rows.repeat(len(steps)), columns)
    return fractions.view(len(steps), len(rows), columns)


def _fractions_from(state: torch.Tensor, rows: torch.Tensor, columns: int, *, first_column: int = 0) -> torch.Tensor:
    column_words = torch.arange(first_column, first_column + columns, dtype=torch.int64, device=rows.device)
    bits = _absorb(state, rows)
    bits = _absorb(bits[:, None].expand(len(rows), columns), column_words)
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
