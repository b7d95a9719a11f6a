"""Depth at a point, and what it allows."""

from typing import Final

from diorama.numerics import clamp, floor
from diorama.worlds.tidebreak.codes import Layer, Terrain
from diorama.worlds.tidebreak.resolve.records import ResolvedDepth

_SHALLOWS_TO_M: Final = 25.0
_SHELF_TO_M: Final = 200.0
_LAYERS_BY_TERRAIN: Final = {
    Terrain.LAND: 0b000,
    Terrain.SHALLOWS: 0b001,
    Terrain.SHELF: 0b011,
    Terrain.DEEP_OCEAN: 0b111,
}


def bilinear(nodes: tuple[float, ...], rows: int, columns: int, u: float, v: float) -> float:
    """Value between the nodes of a grid.

    Args:
        nodes: Row by row.
        rows: How many rows, 2 or more.
        columns: How many columns, 2 or more.
        u: Place along a row, in columns from the first; beyond the ends the last cell is continued.
        v: Place along a column, in rows from the first.
    """
    i = int(clamp(floor(u), 0.0, float(columns - 2)))
    j = int(clamp(floor(v), 0.0, float(rows - 2)))
    fu = u - float(i)
    fv = v - float(j)
    at = j * columns + i
    south = nodes[at] * (1.0 - fu) + nodes[at + 1] * fu
    north = nodes[at + columns] * (1.0 - fu) + nodes[at + columns + 1] * fu
    return south * (1.0 - fv) + north * fv


def depth_at(depth: ResolvedDepth, bounds: tuple[float, float, float, float], x: float, y: float) -> float:
    """Depth in meters, positive down.

    Args:
        depth: The sea bed.
        bounds: `min_x, min_y, max_x, max_y` that it spans.
        x: East.
        y: North.
    """
    if depth.uniform_m is not None:
        return depth.uniform_m
    min_x, min_y, max_x, max_y = bounds
    u = (x - min_x) / (max_x - min_x) * float(depth.columns - 1)
    v = (y - min_y) / (max_y - min_y) * float(depth.rows - 1)
    return bilinear(depth.nodes_m, depth.rows, depth.columns, u, v)


def terrain_of(depth_m: float) -> Terrain:
    """Put a depth into words; a boundary belongs to the shallower side."""
    if depth_m <= 0.0:
        return Terrain.LAND
    if depth_m <= _SHALLOWS_TO_M:
        return Terrain.SHALLOWS
    return Terrain.SHELF if depth_m <= _SHELF_TO_M else Terrain.DEEP_OCEAN


def layers_at(depth_m: float) -> int:
    """Mask of the layers water of this depth has."""
    return _LAYERS_BY_TERRAIN[terrain_of(depth_m)]


def allows(depth_m: float, layer: Layer) -> bool:
    """Whether a unit may be in the layer over this depth."""
    return bool(layers_at(depth_m) >> layer & 1)
