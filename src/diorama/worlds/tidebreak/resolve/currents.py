"""The water's motion as 17 x 17 nodes per layer."""

from math import sqrt
from typing import Final

from diorama.numerics import clamp, exp
from diorama.rng.keyed import draw, n4
from diorama.worlds.tidebreak.limits import CURRENT_MAX_MS, CURRENT_NODES
from diorama.worlds.tidebreak.packages.currents import (
    AnalyticCurrent,
    CurrentGrid,
    Currents,
    Eddy,
    NoCurrent,
    Rows,
    UniformCurrent,
)
from diorama.worlds.tidebreak.packages.map import Bounds
from diorama.worlds.tidebreak.resolve.records import ResolvedCurrent
from diorama.worlds.tidebreak.resolve.streams import SETUP_STREAM

_LAYER_FACTORS: Final = (1.0, 0.6, 0.3)
_NODE_ROW: Final = 64
_NODES: Final = CURRENT_NODES * CURRENT_NODES
_CELLS: Final = CURRENT_NODES - 1

_Grid = list[float]
_Layers = tuple[ResolvedCurrent, ResolvedCurrent, ResolvedCurrent]


def resolve_currents(currents: Currents, bounds: Bounds, seed: int) -> _Layers:
    """Expand the water's motion; only the noise of `analytic` depends on the seed."""
    if isinstance(currents, NoCurrent):
        return _by_layer([0.0] * _NODES, [0.0] * _NODES, _LAYER_FACTORS)
    if isinstance(currents, UniformCurrent):
        x, y = currents.vector
        return _by_layer([x] * _NODES, [y] * _NODES, currents.layer_factors)
    if isinstance(currents, CurrentGrid):
        return _given(currents)
    x_ms, y_ms = _analytic(currents, bounds, seed)
    return _by_layer(x_ms, y_ms, currents.layer_factors)


def _by_layer(x_ms: _Grid, y_ms: _Grid, factors: tuple[float, float, float]) -> _Layers:
    surface, submerged, abyssal = factors
    return _scaled(x_ms, y_ms, surface), _scaled(x_ms, y_ms, submerged), _scaled(x_ms, y_ms, abyssal)


def _scaled(x_ms: _Grid, y_ms: _Grid, factor: float) -> ResolvedCurrent:
    return ResolvedCurrent(
        x_ms=tuple(clamp(value * factor, -CURRENT_MAX_MS, CURRENT_MAX_MS) for value in x_ms),
        y_ms=tuple(clamp(value * factor, -CURRENT_MAX_MS, CURRENT_MAX_MS) for value in y_ms),
    )


def _given(currents: CurrentGrid) -> _Layers:
    rows = currents.rows
    x_ms, y_ms = _columns(rows.surface)
    surface, submerged, abyssal = _by_layer(x_ms, y_ms, _LAYER_FACTORS)
    if rows.submerged is not None:
        submerged = _scaled(*_columns(rows.submerged), 1.0)
    if rows.abyssal is not None:
        abyssal = _scaled(*_columns(rows.abyssal), 1.0)
    return surface, submerged, abyssal


def _columns(rows: Rows) -> tuple[_Grid, _Grid]:
    return [x for row in rows for x, _y in row], [y for row in rows for _x, y in row]


def _analytic(currents: AnalyticCurrent, bounds: Bounds, seed: int) -> tuple[_Grid, _Grid]:
    x_ms = _stirred(currents.base_vector[0], currents.variance, seed, 0)
    y_ms = _stirred(currents.base_vector[1], currents.variance, seed, 1)
    for node in range(_NODES):
        row, column = divmod(node, CURRENT_NODES)
        x = bounds.min_x + (bounds.max_x - bounds.min_x) * (column / _CELLS)
        y = bounds.min_y + (bounds.max_y - bounds.min_y) * (row / _CELLS)
        for eddy in currents.eddies:
            dx_ms, dy_ms = _swirl(eddy, x, y)
            x_ms[node] += dx_ms
            y_ms[node] += dy_ms
    return x_ms, y_ms


def _stirred(base: float, variance: float, seed: int, component: int) -> _Grid:
    """One component of the base with its noise, smoothed once."""
    if variance == 0.0:
        return [base] * _NODES
    noisy = [
        base + variance * n4(draw(seed, SETUP_STREAM, 0, 0, row * _NODE_ROW + column, component))
        for row in range(CURRENT_NODES)
        for column in range(CURRENT_NODES)
    ]
    return _smoothed(noisy)


def _smoothed(grid: _Grid) -> _Grid:
    """Mean of every node and its four neighbors; beyond the edge the node stands in for its neighbor."""
    smooth = []
    for node in range(_NODES):
        row, column = divmod(node, CURRENT_NODES)
        west = grid[node - 1] if column > 0 else grid[node]
        east = grid[node + 1] if column < _CELLS else grid[node]
        south = grid[node - CURRENT_NODES] if row > 0 else grid[node]
        north = grid[node + CURRENT_NODES] if row < _CELLS else grid[node]
        smooth.append((((west + east) + (south + north)) + grid[node]) / 5.0)
    return smooth


def _swirl(eddy: Eddy, x: float, y: float) -> tuple[float, float]:
    dx = x - eddy.x
    dy = y - eddy.y
    distance = sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return 0.0, 0.0
    q = distance / eddy.radius
    tangential = eddy.speed * q * exp(0.5 - 0.5 * (q * q))
    return tangential * (-dy / distance), tangential * (dx / distance)
