"""Mean, minimum, maximum and mean of squares of every node of the tree."""

from typing import Final

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    LEAF_DEPTH,
    N_FIELDS,
    N_LAYERS,
)
from diorama.worlds.tidebreak.reference.fields.geometry import morton

MEAN: Final = 0
MINIMUM: Final = 1
MAXIMUM: Final = 2
MEAN_SQUARE: Final = 3
N_STATISTICS: Final = 4

_CELLS: Final = BRICK_CELLS * BRICK_CELLS


class Summaries:
    """Statistics by depth; at depth d a layer has 4^d nodes, in the order of their Morton numbers.

    Each array of `depths` has the shape (3 * 4^d, 11, 4): node, field, statistic.
    """

    def __init__(self) -> None:
        """Begin with nothing summarized."""
        self.depths: list[F32] = [
            np.zeros((N_LAYERS * 4**depth, N_FIELDS, N_STATISTICS), dtype=np.float32) for depth in range(LEAF_DEPTH + 1)
        ]

    def refresh(self, bricks: Bricks) -> None:
        """Take in the bricks that changed, and everything above them."""
        keys = np.flatnonzero(bricks.has_changed)
        if len(keys) == 0:
            return
        self.depths[LEAF_DEPTH][keys] = summarize_cells(bricks.cells[keys].reshape(-1, N_FIELDS, _CELLS))
        for depth in reversed(range(LEAF_DEPTH)):
            self.depths[depth] = _summarize_quads(self.depths[depth + 1])
        bricks.has_changed[:] = False

    def node(self, depth: int, ix: int, iy: int, iz: int) -> F32:
        """Return the statistics of one node, shape (11, 4).

        Above depth 2 a node spans layers: at depth 1 the upper one surface and submerged, at depth 0 all three. They
        count equally.
        """
        nodes: F32 = self.depths[depth].reshape(N_LAYERS, 4**depth, N_FIELDS, N_STATISTICS)[:, morton(ix, iy)]
        if depth >= 2:
            return _merge_layers(nodes[iz : iz + 1])
        if depth == 1:
            return _merge_layers(nodes[: Layer.ABYSSAL] if iz == 0 else nodes[Layer.ABYSSAL :])
        return _merge_layers(nodes)


def summarize_cells(cells: F32) -> F32:
    """Return the statistics of bricks, shape (n, fields, 4), from cells of shape (n, fields, 64)."""
    share = np.float32(1.0 / _CELLS)
    statistics = np.empty((*cells.shape[:2], N_STATISTICS), dtype=np.float32)
    statistics[..., MEAN] = sum_by_halving(cells) * share
    statistics[..., MINIMUM] = cells.min(axis=-1)
    statistics[..., MAXIMUM] = cells.max(axis=-1)
    statistics[..., MEAN_SQUARE] = sum_by_halving(cells * cells) * share
    return statistics


def sum_by_halving(values: F32) -> F32:
    """Sum along the last axis, whose length is a power of two: the second half onto the first, again and again."""
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        values = values[..., :half] + values[..., half:]
    return values[..., 0]


def _summarize_quads(children: F32) -> F32:
    c0, c1, c2, c3 = children.reshape(-1, 4, N_FIELDS, N_STATISTICS).swapaxes(0, 1)
    statistics = ((c0 + c1) + (c2 + c3)) * np.float32(0.25)
    statistics[..., MINIMUM] = np.minimum(np.minimum(c0, c1), np.minimum(c2, c3))[..., MINIMUM]
    statistics[..., MAXIMUM] = np.maximum(np.maximum(c0, c1), np.maximum(c2, c3))[..., MAXIMUM]
    return statistics


def _merge_layers(layers: F32) -> F32:
    total = layers[0].copy()
    for layer in layers[1:]:
        total += layer
    statistics: F32 = total / np.float32(len(layers))
    statistics[:, MINIMUM] = layers[..., MINIMUM].min(axis=0)
    statistics[:, MAXIMUM] = layers[..., MAXIMUM].max(axis=0)
    return statistics
