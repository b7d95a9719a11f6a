"""Stamps: changes of cells under a shape."""

from dataclasses import dataclass
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError
from diorama.contracts.values import F32
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    BRICK_CELLS,
    DYNAMIC_RULES,
    FIRST_DYNAMIC,
    LAYER_BRICKS,
    N_FIELDS,
    N_LAYERS,
    STAMP_VALUE_MAX,
    Op,
)
from diorama.worlds.tidebreak.reference.fields.geometry import MORTON, Domain, Indices
from diorama.worlds.tidebreak.reference.fields.shapes import Shape, check_shape


class Mod(NamedTuple):
    """What a stamp does to one dynamic field; `factor` is the share of the way that LERP goes."""

    field: int
    op: int
    value: float
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Stamp:
    """Mods under a shape, in the layers whose bits are set; falloff weakens them toward the rim."""

    layers: int
    shape: Shape
    mods: tuple[Mod, ...]
    has_falloff: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot be stamped.

        Raises:
            ContractError: With the name and value that is wrong.
        """
        if not 0 < self.layers < 1 << N_LAYERS:
            raise ContractError(f"the layer mask is {self.layers}; it must be 1 to {(1 << N_LAYERS) - 1}")
        if not self.mods:
            raise ContractError("the stamp has no mods; it must have one or more")
        check_shape(self.shape)
        for mod in self.mods:
            _check_mod(mod)


def _check_mod(mod: Mod) -> None:
    if not FIRST_DYNAMIC <= mod.field < N_FIELDS:
        raise ContractError(f"field {mod.field} cannot be stamped; use {int(FIRST_DYNAMIC)} to {N_FIELDS - 1}")
    if not 0 <= mod.op < len(Op):
        raise ContractError(f"there is no op {mod.op}; use 0 to {len(Op) - 1}")
    if not -STAMP_VALUE_MAX <= mod.value <= STAMP_VALUE_MAX:
        raise ContractError(f"the stamp's value is {mod.value}; it must be between -1e6 and 1e6")
    if not 0.0 <= mod.factor <= 1.0:
        raise ContractError(f"the stamp's factor is {mod.factor}; it must be 0 to 1")


def apply_stamp(bricks: Bricks, domain: Domain, stamp: Stamp) -> int:
    """Change every open cell whose center the shape covers; return how many cells there were.

    A shape that covers no center changes the cell it is centered in. Bricks are allocated in the order in which their
    cells are met, row by row; cells of a brick that finds no room are left out.
    """
    rows, columns, weights = _covered_cells(domain, stamp)
    stamped = 0
    for layer in range(N_LAYERS):
        if stamp.layers >> layer & 1:
            keys = layer * LAYER_BRICKS + MORTON[rows // BRICK_CELLS, columns // BRICK_CELLS]
            stamped += _apply_to_cells(bricks, stamp, keys, rows % BRICK_CELLS, columns % BRICK_CELLS, weights)
    return stamped


def _covered_cells(domain: Domain, stamp: Stamp) -> tuple[Indices, Indices, F32]:
    west, south, east, north = stamp.shape.extent()
    first_column, last_column = domain.columns(np.array([west, east]))
    first_row, last_row = domain.rows(np.array([south, north]))
    x = domain.column_centers()[first_column : last_column + 1]
    y = domain.row_centers()[first_row : last_row + 1]
    weights = stamp.shape.weights(x[None, :], y[:, None])
    rows, columns = np.nonzero(weights >= 0.0)
    if len(rows) == 0:
        return _center_cell(domain, stamp.shape)
    covered = weights[rows, columns].astype(np.float32) if stamp.has_falloff else np.ones(len(rows), dtype=np.float32)
    return rows + first_row, columns + first_column, covered


def _center_cell(domain: Domain, shape: Shape) -> tuple[Indices, Indices, F32]:
    x, y = (np.array([coordinate]) for coordinate in shape.center())
    inside = domain.contains(x, y)
    return domain.rows(y)[inside], domain.columns(x)[inside], np.ones(1, dtype=np.float32)[inside]


def _apply_to_cells(bricks: Bricks, stamp: Stamp, keys: Indices, rows: Indices, columns: Indices, weights: F32) -> int:
    is_reached = ~bricks.is_solid[keys, rows, columns]
    is_reached[is_reached] = _allocated(bricks, keys[is_reached])
    keys, rows, columns, weights = keys[is_reached], rows[is_reached], columns[is_reached], weights[is_reached]
    for mod in stamp.mods:
        rule = DYNAMIC_RULES[mod.field - FIRST_DYNAMIC]
        low, high = np.float32(rule.low), np.float32(rule.high)
        before = bricks.cells[keys, mod.field, rows, columns]
        after = before + (_operate(mod, before) - before) * weights
        bricks.cells[keys, mod.field, rows, columns] = np.where(after < low, low, np.where(after > high, high, after))
    bricks.has_changed[keys] = True
    return len(keys)


def _allocated(bricks: Bricks, keys: Indices) -> NDArray[np.bool_]:
    _, first_places = np.unique(keys, return_index=True)
    for place in np.sort(first_places):
        bricks.allocate(int(keys[place]))
    return bricks.is_allocated[keys]


def _operate(mod: Mod, cells: F32) -> F32:
    value = np.float32(mod.value)
    match Op(mod.op):
        case Op.SET:
            return np.full_like(cells, value)
        case Op.ADD:
            return cells + value
        case Op.SUB:
            return cells - value
        case Op.MUL:
            return cells * value
        case Op.MAX:
            return np.where(cells > value, cells, value)
        case Op.MIN:
            return np.where(cells < value, cells, value)
        case Op.LERP:
            return cells + (value - cells) * np.float32(mod.factor)
        case unknown:
            assert_never(unknown)
