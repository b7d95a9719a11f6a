"""Where cells, bricks and nodes lie. Rows of cells run from south to north, columns from west to east."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import F32, F64
from diorama.worlds.tidebreak.limits import FIELD_DOMAINS_M, SIDE_MAX_M, SIDE_MIN_M
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    COORDINATE_MAX_M,
    GRID_BRICKS,
    GRID_CELLS,
    LAYER_BRICKS,
    N_LAYERS,
)

Indices = NDArray[np.intp]
Bounds = tuple[float, float, float, float]


def morton(ix: int, iy: int) -> int:
    """Interleave the bits of two node coordinates, x in the even ones; children of node m are 4m to 4m + 3."""
    return sum(((ix >> bit & 1) | (iy >> bit & 1) << 1) << 2 * bit for bit in range(GRID_BRICKS.bit_length()))


MORTON: Final[Indices] = np.array([[morton(ix, iy) for ix in range(GRID_BRICKS)] for iy in range(GRID_BRICKS)])

_CELL_NUMBERS: Final[F64] = np.arange(GRID_CELLS, dtype=np.float64)

NO_NEIGHBOR: Final = -1
SIDES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))  # west, east, south, north


def _neighbors_toward(dx: int, dy: int) -> Indices:
    padded = np.full((GRID_BRICKS + 2, GRID_BRICKS + 2), NO_NEIGHBOR)
    padded[1:-1, 1:-1] = MORTON
    shifted = padded[1 + dy : 1 + dy + GRID_BRICKS, 1 + dx : 1 + dx + GRID_BRICKS]
    keys = np.empty(LAYER_BRICKS, dtype=np.intp)
    keys[MORTON] = shifted
    layers = [np.where(keys == NO_NEIGHBOR, NO_NEIGHBOR, keys + layer * LAYER_BRICKS) for layer in range(N_LAYERS)]
    return np.concatenate(layers)


NEIGHBORS: Final = tuple(_neighbors_toward(dx, dy) for dx, dy in SIDES)
"""Key of the brick next to each brick, for each side; `NO_NEIGHBOR` at the domain's edge."""


def to_bricks(grid: F32) -> F32:
    """Cut a layer of shape (128, 128) into bricks in key order, shape (256, 8, 8)."""
    bricks = np.empty((LAYER_BRICKS, BRICK_CELLS, BRICK_CELLS), dtype=np.float32)
    bricks[MORTON] = grid.reshape(GRID_BRICKS, BRICK_CELLS, GRID_BRICKS, BRICK_CELLS).swapaxes(1, 2)
    return bricks


@dataclass(frozen=True, slots=True)
class Domain:
    """The square that fields cover; its cells are `side_m` / 128 wide."""

    west_m: float
    south_m: float
    side_m: float

    @classmethod
    def of_bounds(cls, bounds: Bounds) -> Self:
        """Return the smallest domain around a map (min x, min y, max x, max y), centered on it.

        Raises:
            ConfigError: When a side of the map is shorter than 2,000 m or longer than 32,768 m, or it lies too far out.
        """
        min_x, min_y, max_x, max_y = (float(bound) for bound in bounds)
        for bound in (min_x, min_y, max_x, max_y):
            if not -COORDINATE_MAX_M <= bound <= COORDINATE_MAX_M:
                raise ConfigError(f"the map has {bound}; lengths must be between -1e9 and 1e9 m")
        width_m, height_m = max_x - min_x, max_y - min_y
        for name, side_m in (("width", width_m), ("height", height_m)):
            if not SIDE_MIN_M <= side_m <= SIDE_MAX_M:
                raise ConfigError(f"the bounds' {name} is {side_m} m; it must be 2000 to 32768 m")
        longest_m = max(width_m, height_m)
        side_m = next(side_m for side_m in FIELD_DOMAINS_M if side_m >= longest_m)
        return cls((min_x + max_x) * 0.5 - side_m * 0.5, (min_y + max_y) * 0.5 - side_m * 0.5, side_m)

    @property
    def cell_m(self) -> float:
        """Side of a cell."""
        return self.side_m / GRID_CELLS

    def contains(self, x: F64, y: F64) -> NDArray[np.bool_]:
        """Say which points lie in the domain, its edges included."""
        in_x = (x >= self.west_m) & (x <= self.west_m + self.side_m)
        in_y = (y >= self.south_m) & (y <= self.south_m + self.side_m)
        inside: NDArray[np.bool_] = in_x & in_y
        return inside

    def contains_point(self, x: float, y: float) -> bool:
        """Say whether one point lies in the domain, its edges included."""
        return self.west_m <= x <= self.west_m + self.side_m and self.south_m <= y <= self.south_m + self.side_m

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of the cell at a point of the domain; its far edges count to the last ones."""
        column, row = int((x - self.west_m) / self.cell_m), int((y - self.south_m) / self.cell_m)
        return min(column, GRID_CELLS - 1), min(row, GRID_CELLS - 1)

    def columns(self, x: F64) -> Indices:
        """Return the columns of cells at these x, clamped to the grid."""
        return _clamped((x - self.west_m) / self.cell_m)

    def rows(self, y: F64) -> Indices:
        """Return the rows of cells at these y, clamped to the grid."""
        return _clamped((y - self.south_m) / self.cell_m)

    def column_centers(self) -> F64:
        """Return the x of the cell centers of every column."""
        return self.west_m + (_CELL_NUMBERS + 0.5) * self.cell_m

    def row_centers(self) -> F64:
        """Return the y of the cell centers of every row."""
        return self.south_m + (_CELL_NUMBERS + 0.5) * self.cell_m


def _clamped(position: F64) -> Indices:
    return np.clip(np.floor(position), 0, GRID_CELLS - 1).astype(np.intp)
