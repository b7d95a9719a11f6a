"""The shapes of stamps, and how far cell centers lie from them."""

from dataclasses import astuple, dataclass
from typing import TypeAlias

import numpy as np

from diorama.contracts.errors import ContractError
from diorama.contracts.values import F64
from diorama.worlds.tidebreak.reference.fields.constants import COORDINATE_MAX_M

Extent = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Circle:
    """Every point within `radius_m` of the center."""

    x: float
    y: float
    radius_m: float

    def center(self) -> tuple[float, float]:
        """Return the middle of the shape."""
        return self.x, self.y

    def extent(self) -> Extent:
        """Return the smallest rectangle around the shape: west, south, east, north."""
        return self.x - self.radius_m, self.y - self.radius_m, self.x + self.radius_m, self.y + self.radius_m

    def weights(self, x: F64, y: F64) -> F64:
        """Return 1 - distance / radius at each point, below 0 outside."""
        dx, dy = x - self.x, y - self.y
        distance: F64 = np.sqrt(dx * dx + dy * dy)
        return _falloff(distance, self.radius_m)


@dataclass(frozen=True, slots=True)
class Box:
    """Every point between two corners, edges included; it has no falloff."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float

    def center(self) -> tuple[float, float]:
        """Return the middle of the shape."""
        return (self.min_x + self.max_x) * 0.5, (self.min_y + self.max_y) * 0.5

    def extent(self) -> Extent:
        """Return the shape itself: west, south, east, north."""
        return self.min_x, self.min_y, self.max_x, self.max_y

    def weights(self, x: F64, y: F64) -> F64:
        """Return 1 at each point inside and -1 outside."""
        inside = (x >= self.min_x) & (x <= self.max_x) & (y >= self.min_y) & (y <= self.max_y)
        return np.where(inside, 1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Capsule:
    """Every point within `radius_m` of the segment between two points."""

    x0: float
    y0: float
    x1: float
    y1: float
    radius_m: float

    def center(self) -> tuple[float, float]:
        """Return the middle of the shape."""
        return (self.x0 + self.x1) * 0.5, (self.y0 + self.y1) * 0.5

    def extent(self) -> Extent:
        """Return the smallest rectangle around the shape: west, south, east, north."""
        west, east = sorted((self.x0, self.x1))
        south, north = sorted((self.y0, self.y1))
        return west - self.radius_m, south - self.radius_m, east + self.radius_m, north + self.radius_m

    def weights(self, x: F64, y: F64) -> F64:
        """Return 1 - distance / radius at each point, below 0 outside."""
        along_x, along_y = self.x1 - self.x0, self.y1 - self.y0
        squared = along_x * along_x + along_y * along_y
        share = ((x - self.x0) * along_x + (y - self.y0) * along_y) / (squared if squared > 0.0 else 1.0)
        share = np.where(share < 0.0, 0.0, np.where(share > 1.0, 1.0, share))
        dx, dy = x - (self.x0 + share * along_x), y - (self.y0 + share * along_y)
        distance: F64 = np.sqrt(dx * dx + dy * dy)
        return _falloff(distance, self.radius_m)


Shape: TypeAlias = Circle | Box | Capsule


def _falloff(distance_m: F64, radius_m: float) -> F64:
    # Decided by distance, so that rounding in the division cannot move a cell across the edge.
    return np.where(distance_m <= radius_m, 1.0 - distance_m / radius_m, -1.0)


def check_shape(shape: Shape) -> None:
    """Refuse shapes that are no shapes.

    Raises:
        ContractError: When a number is not finite or huge, a radius is not above 0 or corners are swapped.
    """
    for value in astuple(shape):
        check_coordinate("the shape", value)
    if isinstance(shape, Box):
        if shape.min_x > shape.max_x or shape.min_y > shape.max_y:
            raise ContractError("the box has its corners swapped; the minimum comes first")
    elif shape.radius_m <= 0.0:
        raise ContractError(f"the radius is {shape.radius_m} m; it must be above 0")


def check_coordinate(name: str, value: float) -> None:
    """Refuse a number that no place can have.

    Raises:
        ContractError: When it is not finite or beyond a billion meters.
    """
    if not -COORDINATE_MAX_M <= value <= COORDINATE_MAX_M:
        raise ContractError(f"{name} has {value}; lengths must be between -1e9 and 1e9 m")
