"""Counter-based random numbers: each is a function of seed, stream, update, step, row and head.

No generator has state, so threads, shards and resumed runs cannot shift a draw.
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
    """Key of a block of draws; entry (r, h) of the block is the draw of row `row + r` and head `head + h`."""

    seed: int
    update: int
    step: int
    row: int = 0
    head: int = 0

    def at_head(self, head: int) -> "DrawKey":
        """Return the key of the draws of one head and the following ones."""
        return replace(self, head=head)


def uniforms(key: DrawKey, rows: int, heads: int, device: torch.device) -> torch.Tensor:
    """Return uniform float64 numbers in [0, 1), rows × heads."""
    row_words = torch.arange(key.row, key.row + rows, dtype=torch.int64, device=device)
    return uniforms_at((key.seed, ACTIONS, key.update, key.step), row_words, heads, first_column=key.head)


def uniforms_at(
    key: tuple[int, int, int, int], rows: torch.Tensor, columns: int, *, first_column: int = 0
) -> torch.Tensor:
    """Return uniform float64 numbers in [0, 1), rows × columns.

    Args:
        key: Seed, stream, update and part.
        rows: Row keys, int64.
        columns: Draws per row.
        first_column: Column key of the first draw.
    """
    return _uniforms_from(torch.full_like(rows, key_prefix(key)), rows, columns, first_column=first_column)


def key_prefix(key: tuple[int, int, int, int]) -> int:
    """Return the hash of seed, stream, update and part, as an int64."""
    seed, *others = key
    prefix = mix(seed + GOLDEN)
    for word in others:
        prefix = mix(prefix ^ (word * GOLDEN + _WORD_OFFSET & MASK64))
    return _signed(prefix)


def uniforms_of_steps(prefixes: Sequence[int], rows: torch.Tensor, columns: int) -> torch.Tensor:
    """Return `uniforms_at` for several key prefixes at once, steps × rows × columns."""
    steps = torch.tensor(prefixes, device=rows.device)
    numbers = _uniforms_from(steps.repeat_interleave(len(rows)), rows.repeat(len(steps)), columns)
    return numbers.view(len(steps), len(rows), columns)


def _uniforms_from(state: torch.Tensor, rows: torch.Tensor, columns: int, *, first_column: int = 0) -> torch.Tensor:
    column_words = torch.arange(first_column, first_column + columns, dtype=torch.int64, device=rows.device)
    bits = _absorb(state, rows)
    bits = _absorb(bits[:, None].expand(len(rows), columns), column_words)
    return _shift_right(bits, 11).to(torch.float64) * _PER_UNIT


def subseed(seed: int, stream: int, update: int, part: int) -> int:
    """Return a 64-bit seed for one part of one update."""
    return draw(seed, stream, update, part, 0, 0)


def permutation(seed: int, stream: int, update: int, part: int, size: int) -> torch.Tensor:
    """Return the numbers 0..size-1 in random order, int64 on the CPU."""
    own_seed = subseed(seed, stream, update, part)
    if kernels.is_compiled():
        return torch.from_numpy(kernels.shuffled_range(own_seed, stream, size).view(np.int64))
    order = list(range(size))
    Pcg32.from_seed(own_seed, stream).shuffle(order)
    return torch.tensor(order, dtype=torch.int64)


def _absorb(state: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    z = state ^ (words * _signed(GOLDEN) + _signed(_WORD_OFFSET))
    z = (z ^ _shift_right(z, 30)) * _signed(MIX_FIRST)
    z = (z ^ _shift_right(z, 27)) * _signed(MIX_SECOND)
    return z ^ _shift_right(z, 31)


def _shift_right(words: torch.Tensor, bits: int) -> torch.Tensor:
    # torch shifts only int64: mask the sign bits that its shift copies in.
    return (words >> bits) & ((1 << (64 - bits)) - 1)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
