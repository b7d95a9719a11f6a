"""The field engine of a battle, with the map's depth, obstacles, salinity and currents in its static fields."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from diorama.contracts.values import F32, F64
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.limits import CURRENT_NODES
from diorama.worlds.tidebreak.reference.fields import Field, FieldSpace
from diorama.worlds.tidebreak.reference.fields.constants import GRID_CELLS
from diorama.worlds.tidebreak.resolve import ResolvedBattle
from diorama.worlds.tidebreak.resolve.records import ResolvedMap, ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import contains
from diorama.worlds.tidebreak.resolve.terrain import allows, bilinear, depth_at

SOFT_SHARE = 0.5  # of an obstacle's intensity


def open_fields(spec: ResolvedBattle) -> FieldSpace:
    """An empty field engine over the map."""
    area, rules = spec.map, spec.rules
    space = FieldSpace(
        (area.min_x, area.min_y, area.max_x, area.max_y),
        field_period=rules.field_period,
        max_bricks=rules.max_bricks,
        temperature=area.temperature_c,
        is_dynamic=rules.fields,
    )
    cells = np.arange(GRID_CELLS, dtype=np.float64) + 0.5
    centers_x: F64 = area.field_x0 + cells * space.cell_m
    centers_y: F64 = area.field_y0 + cells * space.cell_m
    depth = _depths(area, centers_x, centers_y)
    for layer in Layer:
        space.set_static(Field.DEPTH, layer, depth.astype(np.float32))
        space.set_static(Field.OCCUPANCY, layer, _occupancy(area, layer, depth, centers_x, centers_y))
        space.set_static(Field.SALINITY, layer, np.full(depth.shape, area.salinity_ppt, dtype=np.float32))
        grid = area.currents[layer]
        for field, nodes in ((Field.CURRENT_X, grid.x_ms), (Field.CURRENT_Y, grid.y_ms)):
            space.set_static(field, layer, _currents(area, nodes, centers_x, centers_y))
    return space


def _depths(area: ResolvedMap, centers_x: F64, centers_y: F64) -> F64:
    if area.depth.uniform_m is not None:
        return np.full((len(centers_y), len(centers_x)), area.depth.uniform_m)
    bounds = (area.min_x, area.min_y, area.max_x, area.max_y)
    return np.array([[depth_at(area.depth, bounds, float(x), float(y)) for x in centers_x] for y in centers_y])


def _occupancy(area: ResolvedMap, layer: Layer, depth: F64, centers_x: F64, centers_y: F64) -> F32:
    if area.depth.uniform_m is not None:
        values = np.full(depth.shape, 0.0 if allows(area.depth.uniform_m, layer) else 1.0)
    else:
        values = np.array([[0.0 if allows(float(cell), layer) else 1.0 for cell in row] for row in depth])
    for obstacle in area.obstacles:
        if obstacle.layers_mask >> layer & 1:
            amount = 1.0 if obstacle.solid else SOFT_SHARE * obstacle.intensity
            for place in _cells_inside(obstacle.shape, centers_x, centers_y):
                values[place] = max(values[place], amount)
    return values.astype(np.float32)


def _cells_inside(shape: ResolvedShape, centers_x: F64, centers_y: F64) -> Iterator[tuple[int, int]]:
    """Rows and columns of the cells whose centers a shape covers."""
    columns = np.flatnonzero(np.abs(centers_x - shape.x) <= shape.radius_m)
    rows = np.flatnonzero(np.abs(centers_y - shape.y) <= shape.radius_m)
    for row, column in product(rows.tolist(), columns.tolist()):
        if contains(shape, float(centers_x[column]), float(centers_y[row])):
            yield row, column


def _currents(area: ResolvedMap, nodes: tuple[float, ...], centers_x: F64, centers_y: F64) -> F32:
    if not any(nodes):
        return np.zeros((len(centers_y), len(centers_x)), dtype=np.float32)
    u = [float(x - area.min_x) / (area.max_x - area.min_x) * float(CURRENT_NODES - 1) for x in centers_x]
    v = [float(y - area.min_y) / (area.max_y - area.min_y) * float(CURRENT_NODES - 1) for y in centers_y]
    values = [[bilinear(nodes, CURRENT_NODES, CURRENT_NODES, across, up) for across in u] for up in v]
    return np.array(values).astype(np.float32)
