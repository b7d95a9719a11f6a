"""The sea bed of a package as nodes; styles are worked out here and nowhere else."""

from typing import Final

from diorama.numerics import floor, fmin
from diorama.rng.keyed import draw, u01
from diorama.worlds.tidebreak.limits import PROCEDURAL_NODES
from diorama.worlds.tidebreak.packages.bathymetry import (
    Bathymetry,
    DepthGrid,
    ProceduralDepth,
    ProceduralParams,
    UniformDepth,
)
from diorama.worlds.tidebreak.resolve.records import ResolvedDepth
from diorama.worlds.tidebreak.resolve.streams import SCENARIO_STREAM

_OCTAVES: Final = ((160.0, 4), (80.0, 8), (40.0, 16), (20.0, 32))  # amplitude in meters, lattice cells across the map
_LATTICE_ROW: Final = 64
_CELLS: Final = PROCEDURAL_NODES - 1


def resolve_depth(bathymetry: Bathymetry, seed: int) -> ResolvedDepth:
    """Expand the sea bed; only archipelagos depend on the seed."""
    if isinstance(bathymetry, UniformDepth):
        return _uniform(bathymetry.depth_m)
    if isinstance(bathymetry, DepthGrid):
        nodes = tuple(depth for row in bathymetry.rows for depth in row)
        return ResolvedDepth(uniform_m=None, rows=len(bathymetry.rows), columns=len(bathymetry.rows[0]), nodes_m=nodes)
    return _procedural(bathymetry, seed)


def _uniform(depth_m: float) -> ResolvedDepth:
    return ResolvedDepth(uniform_m=depth_m, rows=0, columns=0, nodes_m=())


def _procedural(bathymetry: ProceduralDepth, seed: int) -> ResolvedDepth:
    params = bathymetry.params
    if bathymetry.style == "open":
        return _uniform(params.depth_m)
    if bathymetry.style == "shelf":
        nodes = [_shelf(params, column) for _row in range(PROCEDURAL_NODES) for column in range(PROCEDURAL_NODES)]
    elif bathymetry.style == "strait":
        nodes = [_strait(params, row) for row in range(PROCEDURAL_NODES) for _column in range(PROCEDURAL_NODES)]
    else:
        nodes = _archipelago(params, seed)
    return ResolvedDepth(uniform_m=None, rows=PROCEDURAL_NODES, columns=PROCEDURAL_NODES, nodes_m=tuple(nodes))


def _shelf(params: ProceduralParams, column: int) -> float:
    return params.west_m + (params.east_m - params.west_m) * (column / _CELLS)


def _strait(params: ProceduralParams, row: int) -> float:
    v = row / _CELLS
    from_shore = fmin(v, 1.0 - v)
    if from_shore >= params.shore_share:
        return params.middle_m
    return params.shore_m + (params.middle_m - params.shore_m) * (from_shore / params.shore_share)


def _archipelago(params: ProceduralParams, seed: int) -> list[float]:
    octaves = [_octave(seed, octave, cells) for octave, (_amplitude, cells) in enumerate(_OCTAVES)]
    nodes = []
    for node in range(PROCEDURAL_NODES * PROCEDURAL_NODES):
        depth = params.base_m
        for (amplitude, _cells), noise in zip(_OCTAVES, octaves, strict=True):
            depth += amplitude * noise[node]
        nodes.append(depth - params.lift_m)
    return nodes


def _octave(seed: int, octave: int, cells: int) -> list[float]:
    """Value noise in -1..1 at every node: lattice values, blended by smoothstep."""
    lattice = [
        [2.0 * u01(draw(seed, SCENARIO_STREAM, 0, octave, iy * _LATTICE_ROW + ix, 0)) - 1.0 for ix in range(cells + 1)]
        for iy in range(cells + 1)
    ]
    steps = [_lattice_step(node, cells) for node in range(PROCEDURAL_NODES)]
    noise = []
    for iy, sy in steps:
        lower, upper = lattice[iy], lattice[iy + 1]
        for ix, sx in steps:
            south = lower[ix] * (1.0 - sx) + lower[ix + 1] * sx
            north = upper[ix] * (1.0 - sx) + upper[ix + 1] * sx
            noise.append(south * (1.0 - sy) + north * sy)
    return noise


def _lattice_step(node: int, cells: int) -> tuple[int, float]:
    """Lattice cell a node lies in, and the blend of its far side."""
    place = float(node * cells) / _CELLS
    cell = int(fmin(floor(place), float(cells - 1)))
    fraction = place - float(cell)
    return cell, fraction * fraction * (3.0 - 2.0 * fraction)
