"""What stands between two points, and what disturbs sensing at either of them."""

from diorama.numerics import clamp, fmin
from diorama.worlds.tidebreak.codes import ZoneEffect
from diorama.worlds.tidebreak.reference.sensing.constants import PATH_SAMPLES
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.resolve.records import ResolvedMap, ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import contains
from diorama.worlds.tidebreak.resolve.terrain import depth_at

Point = tuple[float, float]


def path_points(start: Point, end: Point) -> list[Point]:
    """Points at a quarter, a half and three quarters of the way."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return [(start[0] + share * dx, start[1] + share * dy) for share in PATH_SAMPLES]


def is_sight_blocked(sea: ResolvedMap, start: Point, end: Point, layer: int) -> bool:
    """Whether land or a solid obstacle of the target's layer lies on the line between two points."""
    for obstacle in sea.obstacles:
        if obstacle.solid and obstacle.layers_mask >> layer & 1 and _meets(obstacle.shape, start, end):
            return True
    if sea.depth.uniform_m is not None:
        return sea.depth.uniform_m <= 0.0
    bounds = (sea.min_x, sea.min_y, sea.max_x, sea.max_y)
    return any(depth_at(sea.depth, bounds, x, y) <= 0.0 for x, y in path_points(start, end))


def zone_share(battle: Battle, effect: ZoneEffect, *ends: tuple[Point, int]) -> float:
    """Capped sum of the zones of a type that any of the ends (point and layer mask) is in."""
    total = 0.0
    for zone in battle.map.zones:
        if zone.effect == effect and any(_is_in(zone.shape, zone.layers_mask, end) for end in ends):
            total += zone.intensity
    return fmin(total, 1.0)


def interference(battle: Battle, *ends: tuple[Point, int]) -> float:
    """Capped sum of interference zones and soft obstacles that any of the ends is in."""
    total = 0.0
    for zone in battle.map.zones:
        is_disturbing = zone.effect == ZoneEffect.SENSOR_INTERFERENCE
        if is_disturbing and any(_is_in(zone.shape, zone.layers_mask, end) for end in ends):
            total += zone.intensity
    for obstacle in battle.map.obstacles:
        if not obstacle.solid and any(_is_in(obstacle.shape, obstacle.layers_mask, end) for end in ends):
            total += obstacle.intensity
    return fmin(total, 1.0)


def _is_in(shape: ResolvedShape, layers_mask: int, end: tuple[Point, int]) -> bool:
    (x, y), end_layers = end
    return bool(layers_mask & end_layers) and contains(shape, x, y)


def _meets(shape: ResolvedShape, start: Point, end: Point) -> bool:
    if not shape.vertices:
        return _squared_distance((shape.x, shape.y), start, end) <= shape.radius_m * shape.radius_m
    if contains(shape, *start) or contains(shape, *end):
        return True
    before = shape.vertices[-1]
    for vertex in shape.vertices:
        if _cross(start, end, before, vertex):
            return True
        before = vertex
    return False


def _squared_distance(point: Point, start: Point, end: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0
    if length > 0.0:
        share = clamp(((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length, 0.0, 1.0)
    off_x, off_y = point[0] - (start[0] + share * dx), point[1] - (start[1] + share * dy)
    return off_x * off_x + off_y * off_y


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _is_left(a, b, c) != _is_left(a, b, d) and _is_left(c, d, a) != _is_left(c, d, b)


def _is_left(a: Point, b: Point, point: Point) -> bool:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0.0
