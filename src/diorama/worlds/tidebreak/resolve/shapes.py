"""Shapes in absolute coordinates."""

from math import sqrt

from diorama.worlds.tidebreak.packages.base import Point
from diorama.worlds.tidebreak.packages.shapes import Circle, Polygon, Rectangle
from diorama.worlds.tidebreak.resolve.records import ResolvedShape

_Vertices = tuple[tuple[float, float], ...]


def resolve_shape(shape: Circle | Polygon | Rectangle, position: Point) -> ResolvedShape:
    """Put a shape at its position; rectangles become polygons."""
    if isinstance(shape, Circle):
        return circle(position, shape.radius)
    return polygon(position, shape.vertices if isinstance(shape, Polygon) else rectangle_corners(shape.size))


def circle(center: Point, radius_m: float) -> ResolvedShape:
    """A disc."""
    return ResolvedShape(x=center[0], y=center[1], radius_m=radius_m, vertices=())


def polygon(center: Point, offsets: _Vertices) -> ResolvedShape:
    """A polygon whose vertices are offsets from its center."""
    radius_m = 0.0
    for dx, dy in offsets:
        radius_m = max(radius_m, sqrt(dx * dx + dy * dy))
    x, y = center
    return ResolvedShape(x=x, y=y, radius_m=radius_m, vertices=tuple((x + dx, y + dy) for dx, dy in offsets))


def rectangle_corners(size: tuple[float, float]) -> _Vertices:
    """Corners of an upright rectangle around its center, counter-clockwise from the south-west."""
    x, y = size[0] / 2.0, size[1] / 2.0
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def contains(shape: ResolvedShape, x: float, y: float) -> bool:
    """Whether a point lies in a shape, its edge included."""
    if not shape.vertices:
        dx = x - shape.x
        dy = y - shape.y
        return dx * dx + dy * dy <= shape.radius_m * shape.radius_m
    ax, ay = shape.vertices[-1]
    for bx, by in shape.vertices:
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0.0:
            return False
        ax, ay = bx, by
    return True
