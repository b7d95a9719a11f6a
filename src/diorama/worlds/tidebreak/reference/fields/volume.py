"""Statistics of the dynamic fields over a circle, read from as few nodes as the level of detail allows."""

from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np

from diorama.contracts.values import F32, F64
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    BRICK_LEVEL,
    FIRST_DYNAMIC,
    GRID_CELLS,
    LAYER_BRICKS,
    LEAF_DEPTH,
    N_DYNAMIC,
    TOP_LEVEL,
)
from diorama.worlds.tidebreak.reference.fields.geometry import MORTON, Domain
from diorama.worlds.tidebreak.reference.fields.summaries import MAXIMUM, MEAN, MEAN_SQUARE, MINIMUM, Summaries

_TOP_NODES = GRID_CELLS >> TOP_LEVEL  # along one side of a layer


class VolumeReading(TypedDict):
    """Statistics per dynamic field, weighted by cells.

    `count` is the number of cells that were read and `nodes` the number of nodes that stood for them.
    """

    mean: F64
    min: F32
    max: F32
    variance: F64
    count: int
    nodes: int


@dataclass(frozen=True, slots=True)
class VolumeQuery:
    """A circle in one layer, and the level of detail below which nodes are not taken apart."""

    layer: int
    x: float
    y: float
    radius_m: float
    level: int

    def reaches(self, west: float, south: float, east: float, north: float) -> bool:
        """Say whether the circle meets a rectangle."""
        dx = west - self.x if self.x < west else (self.x - east if self.x > east else 0.0)
        dy = south - self.y if self.y < south else (self.y - north if self.y > north else 0.0)
        return dx * dx + dy * dy <= self.radius_m * self.radius_m

    def covers(self, x: float, y: float) -> bool:
        """Say whether a point lies in the circle."""
        dx, dy = x - self.x, y - self.y
        return dx * dx + dy * dy <= self.radius_m * self.radius_m


@dataclass(slots=True)
class _Tally:
    """What the nodes read so far add up to; sums are float64 and follow the order of reading."""

    total: F64 = field(default_factory=lambda: np.zeros(N_DYNAMIC))
    squares: F64 = field(default_factory=lambda: np.zeros(N_DYNAMIC))
    low: F32 = field(default_factory=lambda: np.full(N_DYNAMIC, np.inf, dtype=np.float32))
    high: F32 = field(default_factory=lambda: np.full(N_DYNAMIC, -np.inf, dtype=np.float32))
    count: int = 0
    nodes: int = 0

    def add(self, statistics: F32, cells: int) -> None:
        """Take in a node, whose statistics have the shape (4, 6)."""
        self.total += statistics[MEAN].astype(np.float64) * float(cells)
        self.squares += statistics[MEAN_SQUARE].astype(np.float64) * float(cells)
        self.low = np.minimum(self.low, statistics[MINIMUM])
        self.high = np.maximum(self.high, statistics[MAXIMUM])
        self.count += cells
        self.nodes += 1

    def reading(self) -> VolumeReading:
        mean = self.total / float(self.count)
        spread = self.squares / float(self.count) - mean * mean
        return VolumeReading(
            mean=mean,
            min=self.low,
            max=self.high,
            variance=np.where(spread > 0.0, spread, 0.0),
            count=self.count,
            nodes=self.nodes,
        )


@dataclass(frozen=True, slots=True)
class Traversal:
    """A walk down the tree of one layer, children in octant order."""

    bricks: Bricks
    summaries: Summaries
    domain: Domain
    query: VolumeQuery

    def read(self) -> VolumeReading:
        """Return the statistics; a circle in which nothing counts reads the cell it is centered in."""
        tally = _Tally()
        for number in range(_TOP_NODES * _TOP_NODES):
            ix, iy = (number & 1) | (number >> 1 & 2), (number >> 1 & 1) | (number >> 2 & 2)
            self._visit(tally, ix << TOP_LEVEL, iy << TOP_LEVEL, TOP_LEVEL)
        if tally.count == 0:
            tally.add(self._center_cell(), 1)
        return tally.reading()

    def _visit(self, tally: _Tally, column: int, row: int, level: int) -> None:
        query, cell_m = self.query, self.domain.cell_m
        size = 1 << level
        west, south = self.domain.west_m + column * cell_m, self.domain.south_m + row * cell_m
        east = self.domain.west_m + (column + size) * cell_m
        north = self.domain.south_m + (row + size) * cell_m
        if not query.reaches(west, south, east, north):
            return
        if all(query.covers(x, y) for x, y in ((west, south), (east, south), (west, north), (east, north))):
            tally.add(self._statistics(column, row, level), size * size)
        elif level == query.level:
            x = self.domain.west_m + (column + 0.5 * size) * cell_m
            y = self.domain.south_m + (row + 0.5 * size) * cell_m
            if query.covers(x, y):
                tally.add(self._statistics(column, row, level), size * size)
        else:
            half = size >> 1
            for dx, dy in ((0, 0), (half, 0), (0, half), (half, half)):
                self._visit(tally, column + dx, row + dy, level - 1)

    def _statistics(self, column: int, row: int, level: int) -> F32:
        key = self.query.layer * LAYER_BRICKS + int(MORTON[row // BRICK_CELLS, column // BRICK_CELLS])
        if level >= BRICK_LEVEL:
            above = level - BRICK_LEVEL
            node: F32 = self.summaries.depths[LEAF_DEPTH - above][key >> 2 * above][FIRST_DYNAMIC:].T
            return node
        size = 1 << level
        west, south = column % BRICK_CELLS, row % BRICK_CELLS
        return block_statistics(self.bricks.dynamic[key][:, south : south + size, west : west + size])

    def _center_cell(self) -> F32:
        x, y = np.array([self.query.x]), np.array([self.query.y])
        if self.domain.contains(x, y)[0]:
            return self._statistics(int(self.domain.columns(x)[0]), int(self.domain.rows(y)[0]), 0)
        return block_statistics(self.bricks.defaults[self.query.layer * LAYER_BRICKS].reshape(N_DYNAMIC, 1, 1))


def block_statistics(cells: F32) -> F32:
    """Return the statistics of a block of 1, 2 or 4 cells a side, shape (4, fields), from (fields, side, side)."""
    statistics = np.empty((4, cells.shape[0]), dtype=np.float32)
    statistics[MEAN] = _quad_mean(cells)
    statistics[MINIMUM] = cells.min(axis=(1, 2))
    statistics[MAXIMUM] = cells.max(axis=(1, 2))
    statistics[MEAN_SQUARE] = _quad_mean(cells * cells)
    return statistics


def _quad_mean(cells: F32) -> F32:
    while cells.shape[-1] > 1:
        a, b = cells[:, ::2, ::2], cells[:, ::2, 1::2]
        c, d = cells[:, 1::2, ::2], cells[:, 1::2, 1::2]
        cells = ((a + b) + (c + d)) * np.float32(0.25)
    return cells[:, 0, 0]
