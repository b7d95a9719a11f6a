"""The dynamic fields as state words: the field section of a snapshot.

The first word has the swap parity in bit 0 and, in bit 1, whether an allocation was ever refused: without it a
restored battle would raise that event again.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import F32
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    DORMANT_STEPS,
    DYNAMIC_RULES,
    N_BRICKS,
    N_DYNAMIC,
)

_SHAPE: Final = (N_DYNAMIC, BRICK_CELLS, BRICK_CELLS)
_CELL_BYTES: Final = 4 * N_DYNAMIC * BRICK_CELLS * BRICK_CELLS


def write_fields(bricks: Bricks, words: WordWriter) -> None:
    """Append the field section: flags, brick count, and each brick's key, dormant count and cells, two to a word."""
    keys = bricks.keys()
    words.add_ints([bricks.swaps + 2 * bricks.is_saturated, len(keys)])
    for key in keys:
        words.add_ints([int(key), int(bricks.dormant_steps[key])])
        words.add_bytes((bricks.dynamic[key] + np.float32(0.0)).astype("<f4").tobytes())


@dataclass(frozen=True, slots=True)
class FieldSection:
    """What a field section says, once it is known to make sense."""

    swaps: int
    is_saturated: bool
    bricks: list[tuple[int, int, F32]]  # key, dormant count, cells

    def put_into(self, bricks: Bricks) -> None:
        """Make it the state."""
        bricks.clear()
        bricks.swaps, bricks.is_saturated = self.swaps, self.is_saturated
        for key, dormant_steps, cells in self.bricks:
            bricks.is_allocated[key] = True
            bricks.dormant_steps[key] = dormant_steps
            bricks.dynamic[key] = cells


def read_fields(bricks: Bricks, words: WordReader) -> FieldSection:
    """Take the field section of a space like this one, without changing it.

    Raises:
        SnapshotError: When the words do not describe fields of this space.
    """
    flags = words.read_int()
    _check_range("swap parity and saturation", flags, 0, 3)
    count = words.read_int()
    _check_range("brick count", count, 0, bricks.max_bricks)
    found: list[tuple[int, int, F32]] = []
    next_key = 0
    for _ in range(count):
        key, dormant_steps = words.read_ints(2)
        _check_range("brick key", key, next_key, N_BRICKS - 1)
        _check_range("dormant count", dormant_steps, 0, DORMANT_STEPS - 1)
        cells = np.frombuffer(words.read_bytes(_CELL_BYTES), dtype="<f4").reshape(_SHAPE) + np.float32(0.0)
        _check_cells(bricks, key, cells)
        found.append((key, dormant_steps, cells))
        next_key = key + 1
    return FieldSection(flags & 1, bool(flags & 2), found)


def _check_range(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise SnapshotError(f"{name} is {value}; it must be {lowest} to {highest}")


def _check_cells(bricks: Bricks, key: int, cells: F32) -> None:
    for rule, values in zip(DYNAMIC_RULES, cells, strict=True):
        for value in values[~((values >= rule.low) & (values <= rule.high))]:
            raise SnapshotError(f"brick {key} has a cell of {value}; it must be {rule.low:g} to {rule.high:g}")
    default = bricks.defaults[key].reshape(N_DYNAMIC, 1, 1)
    if np.any((cells != default) & bricks.is_solid[key]):
        raise SnapshotError(f"brick {key} has a closed cell that is not at its default")
