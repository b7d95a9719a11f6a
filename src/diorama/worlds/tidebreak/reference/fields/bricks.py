"""The cells of all fields, and which bricks of them exist."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    DYNAMIC_RULES,
    FIRST_DYNAMIC,
    LAYER_BRICKS,
    N_BRICKS,
    N_DYNAMIC,
    N_FIELDS,
    SOLID_ABOVE,
    STATIC_DEFAULTS,
    TEMPERATURE_C,
    Field,
)
from diorama.worlds.tidebreak.reference.fields.geometry import Indices


class Bricks:
    """Cells by brick key; an absent brick holds the defaults of its dynamic fields, which is how it reads.

    Attributes:
        cells: Shape (768, 11, 8, 8): brick key, field id, row, column.
        defaults: Shape (768, 6): what the dynamic fields of each brick return to.
        is_allocated: Which bricks exist.
        is_solid: Which cells are closed, shape (768, 8, 8); they hold their defaults forever.
        dormant_steps: For how many steps each has lain within its thresholds.
        has_changed: Which bricks differ from their summaries.
        swaps: How many propagations there were, modulo 2.
        is_saturated: Whether an allocation was ever refused.
    """

    def __init__(self, max_bricks: int, temperature: Sequence[float] = TEMPERATURE_C) -> None:
        """Begin with no bricks, and static fields that were not given."""
        self.max_bricks = max_bricks
        by_layer = np.array([rule.default for rule in DYNAMIC_RULES], dtype=np.float32).T
        by_layer[:, 0] = np.array(temperature, dtype=np.float32) + np.float32(0.0)
        self.defaults: F32 = np.repeat(by_layer, LAYER_BRICKS, axis=0)
        self.cells: F32 = np.empty((N_BRICKS, N_FIELDS, BRICK_CELLS, BRICK_CELLS), dtype=np.float32)
        self.cells[:, :FIRST_DYNAMIC] = np.array(STATIC_DEFAULTS, dtype=np.float32)[:, None, None]
        self.is_solid: NDArray[np.bool_] = np.zeros((N_BRICKS, BRICK_CELLS, BRICK_CELLS), dtype=np.bool_)
        self.is_allocated: NDArray[np.bool_] = np.zeros(N_BRICKS, dtype=np.bool_)
        self.dormant_steps: NDArray[np.int64] = np.zeros(N_BRICKS, dtype=np.int64)
        self.has_changed: NDArray[np.bool_] = np.ones(N_BRICKS, dtype=np.bool_)
        self.clear()

    def clear(self) -> None:
        """Free every brick; static fields stay."""
        self.dynamic[:] = self.defaults[:, :, None, None]
        self.is_allocated[:] = False
        self.dormant_steps[:] = 0
        self.has_changed[:] = True
        self.swaps = 0
        self.is_saturated = False

    @property
    def dynamic(self) -> F32:
        """A view of the dynamic fields' cells, shape (768, 6, 8, 8)."""
        return self.cells[:, FIRST_DYNAMIC:]

    def set_static(self, field: int, layer: int, values: F32) -> None:
        """Give a static field its values, shape (256, 8, 8) in key order."""
        place = slice(layer * LAYER_BRICKS, (layer + 1) * LAYER_BRICKS)
        self.cells[place, field] = values
        self.has_changed[place] = True
        self.is_solid = self.cells[:, Field.OCCUPANCY] > SOLID_ABOVE

    def keys(self) -> Indices:
        """Return the keys of the bricks that exist, ascending."""
        return np.flatnonzero(self.is_allocated)

    def allocate(self, key: int) -> bool:
        """Make sure that a brick exists, full of defaults if it is new; False when there is no room for it."""
        if self.is_allocated[key]:
            return True
        if np.count_nonzero(self.is_allocated) >= self.max_bricks:
            self.is_saturated = True
            return False
        self.is_allocated[key] = True
        self.dormant_steps[key] = 0
        return True

    def release(self, key: int) -> None:
        """Free a brick: from here on it reads as defaults."""
        self.is_allocated[key] = False
        self.dormant_steps[key] = 0
        self.dynamic[key] = self.defaults[key].reshape(N_DYNAMIC, 1, 1)
        self.has_changed[key] = True
