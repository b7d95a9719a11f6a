"""How the water moves, as a package says it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.limits import CURRENT_MAX_MS, CURRENT_NODES
from diorama.worlds.tidebreak.packages.base import Amount, Coordinate, Exchange, Number, Positive

Component = Annotated[float, Field(strict=True, ge=-CURRENT_MAX_MS, le=CURRENT_MAX_MS)]
Vector = tuple[Component, Component]
Factors = tuple[Amount, Amount, Amount]
Rows = tuple[tuple[Vector, ...], ...]


def _square(rows: Rows) -> Rows:
    if len(rows) != CURRENT_NODES or any(len(row) != CURRENT_NODES for row in rows):
        raise PydanticCustomError("P051", "must be 17 rows of 17 vectors")
    return rows


CurrentRows = Annotated[Rows, AfterValidator(_square)]


class NoCurrent(Exchange):
    """Still water."""

    kind: Literal["none"] = "none"


class UniformCurrent(Exchange):
    """One vector everywhere, scaled by layer."""

    kind: Literal["uniform"] = "uniform"
    vector: Vector
    layer_factors: Factors = (1.0, 0.6, 0.3)


class Eddy(Exchange):
    """A whirl, counter-clockwise for positive speed."""

    x: Coordinate
    y: Coordinate
    radius: Positive
    speed: Number


class AnalyticCurrent(Exchange):
    """A base vector, noise and eddies, scaled by layer."""

    kind: Literal["analytic"] = "analytic"
    base_vector: Vector = (0.0, 0.0)
    variance: Amount = 0.0
    eddies: tuple[Eddy, ...] = Field((), max_length=64)
    layer_factors: Factors = (1.0, 0.6, 0.3)


class LayerRows(Exchange):
    """Node vectors spanning the bounds, south to north; layers left out take their usual share of the surface's."""

    surface: CurrentRows
    submerged: CurrentRows | None = None
    abyssal: CurrentRows | None = None


class CurrentGrid(Exchange):
    """Every node given."""

    kind: Literal["grid"] = "grid"
    rows: LayerRows


Currents = Annotated[NoCurrent | UniformCurrent | AnalyticCurrent | CurrentGrid, Field(discriminator="kind")]
