"""Field spaces of both tiers, and what tests do to them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.tidebreak.fast import open_field_space
from diorama.worlds.tidebreak.reference.fields import Field, FieldSpace, Op

if TYPE_CHECKING:
    from diorama import _native

BOUNDS = (-4096.0, -4096.0, 4096.0, 4096.0)  # cells of 64 m
CELLS = 128
TIERS = ("reference", "fast")
SURFACE, SUBMERGED, ABYSSAL = 0, 1, 2
DYNAMIC = tuple(field for field in Field if field >= Field.TEMPERATURE)

Space: TypeAlias = "FieldSpace | _native.FieldSpace"


def open_space(
    tier: str,
    bounds: tuple[float, float, float, float] = BOUNDS,
    *,
    field_period: int = 2,
    max_bricks: int = 192,
    temperature: Sequence[float] | None = None,
    is_dynamic: bool = True,
    decay: Sequence[float] | None = None,
    diffusivity: Sequence[float] | None = None,
) -> Space:
    """Open a space in one tier."""
    make: Callable[..., Space] = FieldSpace if tier == "reference" else open_field_space
    return make(
        bounds,
        field_period=field_period,
        max_bricks=max_bricks,
        temperature=temperature,
        is_dynamic=is_dynamic,
        decay=decay,
        diffusivity=diffusivity,
    )


def mod(field: int, op: Op, value: float, factor: float = 1.0) -> list[tuple[int, int, float, float]]:
    """Return the list of one mod."""
    return [(field, op, value, factor)]


def walls_around(first: int, side: int) -> F32:
    """Close every cell but those of a square, counted from the southwest."""
    walls = np.ones((CELLS, CELLS), dtype=np.float32)
    walls[first : first + side, first : first + side] = 0.0
    return walls


def stirred(space: Space) -> Space:
    """Do a few things to a space and let them spread for a step."""
    space.stamp_circle(1, -300.0, 250.0, 700.0, mod(Field.TEMPERATURE, Op.ADD, 30.0))
    space.stamp_capsule(3, 900.0, -1200.0, 1500.0, 300.0, 200.0, mod(Field.NOISE, Op.MAX, 80.0))
    space.stamp_box(6, 100.0, 100.0, 700.0, 500.0, mod(Field.SEDIMENT, Op.ADD, 0.4))
    space.propagate(4.0, -2.0)
    return space
