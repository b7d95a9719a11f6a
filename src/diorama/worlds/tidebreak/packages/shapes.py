"""Shapes on the map: circles, convex polygons and rectangles."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.limits import POLYGON_VERTICES_MAX, POLYGON_VERTICES_MIN
from diorama.worlds.tidebreak.packages.base import Exchange, Point, Positive


def _convex(vertices: tuple[Point, ...]) -> tuple[Point, ...]:
    if not POLYGON_VERTICES_MIN <= len(vertices) <= POLYGON_VERTICES_MAX:
        raise PydanticCustomError("P050", f"has {len(vertices)} vertices; a polygon has 3 to 16")
    # All other vertices lie left of every side: that is convex, counter-clockwise, and goes round once.
    count = len(vertices)
    for start in range(count):
        end = (start + 1) % count
        others = (vertices[index] for index in range(count) if index not in (start, end))
        if not all(_is_left(vertices[start], vertices[end], other) for other in others):
            raise PydanticCustomError(
                "P050", f"is not strictly convex and counter-clockwise at the side that starts at vertex {start}"
            )
    return vertices


def _is_left(start: Point, end: Point, point: Point) -> bool:
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0]) > 0.0


Vertices = Annotated[tuple[Point, ...], AfterValidator(_convex)]


class Circle(Exchange):
    """A disc around its position."""

    type: Literal["circle"] = "circle"
    radius: Positive


class Polygon(Exchange):
    """A convex polygon, counter-clockwise, in meters from its position."""

    type: Literal["polygon"] = "polygon"
    vertices: Vertices


class Rectangle(Exchange):
    """An upright rectangle around its position; `size` is width and height."""

    type: Literal["rectangle"] = "rectangle"
    size: tuple[Positive, Positive]


ObstacleShape = Annotated[Circle | Polygon, Field(discriminator="type")]
ZoneShape = Annotated[Circle | Polygon | Rectangle, Field(discriminator="type")]
