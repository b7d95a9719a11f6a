"""Places where a unit can start."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from diorama.numerics import fmin, hyp
from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.bathymetry import ProceduralDepth
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.map import MapDefinition
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.structure import dotted
from diorama.worlds.tidebreak.resolve.checks.hulls import complete_hulls
from diorama.worlds.tidebreak.resolve.depths import resolve_depth
from diorama.worlds.tidebreak.resolve.map import resolve_obstacle
from diorama.worlds.tidebreak.resolve.records import ResolvedDepth
from diorama.worlds.tidebreak.resolve.shapes import contains
from diorama.worlds.tidebreak.resolve.terrain import allows, depth_at

_OVERLAP_SHARE: Final = 0.2  # of the smaller radius


def check_positions(draft: Draft, _content: Content) -> Iterator[Problem]:
    """P034: outside the map, inside a solid obstacle, or over a sea bed that has no such layer."""
    if draft.map is None:
        return
    bounds = draft.map.bounds
    corners = (bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
    depth = _sea_bed(draft.map, draft.seed)
    obstacles = [resolve_obstacle(obstacle) for obstacle in draft.map.obstacles]
    for index, ship in draft.ships:
        state = ship.initial_state
        path = dotted("ships", index, "initial_state")
        if not (bounds.min_x <= state.x <= bounds.max_x and bounds.min_y <= state.y <= bounds.max_y):
            yield Problem("P034", path, f"({state.x:g}, {state.y:g}) is outside the bounds")
            continue
        for place, obstacle in enumerate(obstacles):
            is_there = obstacle.solid and obstacle.layers_mask >> state.layer & 1
            if is_there and contains(obstacle.shape, state.x, state.y):
                yield Problem("P034", path, f"({state.x:g}, {state.y:g}) is inside obstacle {place}")
        under = None if depth is None else depth_at(depth, corners, state.x, state.y)
        if under is not None and not allows(under, state.layer):
            yield Problem("P034", path, f"the sea bed at {under:g} m leaves no {state.layer.name} layer")


def _sea_bed(definition: MapDefinition, seed: int | None) -> ResolvedDepth | None:
    """Return the sea bed, or None for islands that an unreadable seed leaves unknown."""
    bathymetry = definition.bathymetry
    if seed is not None:
        return resolve_depth(bathymetry, seed)
    is_drawn = isinstance(bathymetry, ProceduralDepth) and bathymetry.style == "archipelago"
    return None if is_drawn else resolve_depth(bathymetry, 1)


def check_overlaps(draft: Draft, content: Content) -> Iterator[Problem]:
    """P034: two units of a layer in each other's place."""
    hulls = complete_hulls(draft, content)
    for (first, a), (second, b) in combinations(draft.ships, 2):
        if first not in hulls or second not in hulls or a.initial_state.layer is not b.initial_state.layer:
            continue
        dx = b.initial_state.x - a.initial_state.x
        dy = b.initial_state.y - a.initial_state.y
        reach = hulls[first].radius_m + hulls[second].radius_m
        if abs(dx) > reach or abs(dy) > reach:
            continue
        overlap = reach - hyp(dx, dy)
        if overlap > _OVERLAP_SHARE * fmin(hulls[first].radius_m, hulls[second].radius_m):
            path = dotted("ships", second, "initial_state")
            yield Problem("P034", path, f"overlaps {a.ship_id!r} (ships.{first}) by {overlap:g} m")
