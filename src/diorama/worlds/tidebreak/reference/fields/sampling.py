"""Values of fields at cells, at a level of detail."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    BRICK_LEVEL,
    FIRST_DYNAMIC,
    LAYER_BRICKS,
    LEAF_DEPTH,
    N_DYNAMIC,
    STATIC_OUTSIDE,
)
from diorama.worlds.tidebreak.reference.fields.geometry import MORTON, Domain, Indices
from diorama.worlds.tidebreak.reference.fields.summaries import MEAN, Summaries

_QUARTER: Final = np.float32(0.25)


def sample(
    bricks: Bricks, summaries: Summaries, layer: int, columns: Indices, rows: Indices, fields: Sequence[int], level: int
) -> F32:
    """Return the fields at cells, shape (cells, fields).

    Level 0 is the cell itself, 1 and 2 are means of the aligned block of 2 x 2 and 4 x 4 around it, 3 its brick's mean,
    4 and 5 those of the nodes at depth 3 and 2.
    """
    keys = layer * LAYER_BRICKS + MORTON[rows // BRICK_CELLS, columns // BRICK_CELLS]
    chosen = np.array(fields)
    if level < BRICK_LEVEL:
        return _block_means(bricks, keys, columns % BRICK_CELLS, rows % BRICK_CELLS, chosen, level)
    above = level - BRICK_LEVEL
    means: F32 = summaries.depths[LEAF_DEPTH - above][keys >> 2 * above][:, chosen, MEAN]
    return means


def _block_means(bricks: Bricks, keys: Indices, columns: Indices, rows: Indices, fields: Indices, level: int) -> F32:
    if level == 0:
        cells: F32 = bricks.cells[keys[:, None], fields, rows[:, None], columns[:, None]]
        return cells
    half = 1 << level - 1
    west, south = columns & -2 * half, rows & -2 * half
    a, b, c, d = (
        _block_means(bricks, keys, west + dx, south + dy, fields, level - 1)
        for dx, dy in ((0, 0), (half, 0), (0, half), (half, half))
    )
    return ((a + b) + (c + d)) * _QUARTER


def value_at(bricks: Bricks, domain: Domain, field: int, layer: int, x: float, y: float) -> float:
    """Return a field at one point: its cell's, and beyond the domain what `outside_values` says."""
    if not domain.contains_point(x, y):
        return float(outside_values(bricks, layer, (field,))[0])
    column, row = domain.cell(x, y)
    key = layer * LAYER_BRICKS + MORTON[row // BRICK_CELLS, column // BRICK_CELLS]
    return float(bricks.cells[key, field, row % BRICK_CELLS, column % BRICK_CELLS])


def outside_values(bricks: Bricks, layer: int, fields: Sequence[int]) -> F32:
    """Return what fields read beyond the domain: occupied, and otherwise as if nothing had ever happened."""
    everything = np.empty(FIRST_DYNAMIC + N_DYNAMIC, dtype=np.float32)
    everything[:FIRST_DYNAMIC] = STATIC_OUTSIDE
    everything[FIRST_DYNAMIC:] = bricks.defaults[layer * LAYER_BRICKS]
    return everything[list(fields)]
