"""How deep the water is, as a package says it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.limits import DEPTH_NODES_MAX, DEPTH_NODES_MIN
from diorama.worlds.tidebreak.packages.base import Exchange, Share

Depth = Annotated[float, Field(strict=True, ge=-9000.0, le=12000.0)]


def _rectangular(rows: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    columns = len(rows[0]) if rows else 0
    allowed = range(DEPTH_NODES_MIN, DEPTH_NODES_MAX + 1)
    if len(rows) not in allowed or columns not in allowed or any(len(row) != columns for row in rows):
        raise PydanticCustomError("P051", "must be 2 to 129 rows of 2 to 129 depths, all rows equally long")
    return rows


DepthRows = Annotated[tuple[tuple[Depth, ...], ...], AfterValidator(_rectangular)]


class UniformDepth(Exchange):
    """The same depth everywhere, in meters."""

    kind: Literal["uniform"] = "uniform"
    depth_m: Annotated[float, Field(strict=True, gt=0.0, le=12000.0)]


class DepthGrid(Exchange):
    """Node depths spanning the bounds; the first row is the southern edge, the first column the western."""

    kind: Literal["grid"] = "grid"
    rows: DepthRows


class ProceduralParams(Exchange):
    """Numbers of the styles; each style reads its own."""

    depth_m: Depth = Field(1500.0, description="open: everywhere")
    west_m: Depth = Field(40.0, description="shelf: at the western edge")
    east_m: Depth = Field(400.0, description="shelf: at the eastern edge")
    base_m: Depth = Field(120.0, description="archipelago: before the noise")
    lift_m: Depth = Field(30.0, description="archipelago: how far the sea bed is raised after the noise")
    middle_m: Depth = Field(1200.0, description="strait: in the middle")
    shore_m: Depth = Field(-20.0, description="strait: at the northern and southern edges")
    shore_share: Annotated[Share, Field(gt=0.0, le=0.5)] = Field(0.2, description="strait: height of one slope")


class ProceduralDepth(Exchange):
    """A style that is worked out when the package is resolved."""

    kind: Literal["procedural"] = "procedural"
    style: Literal["open", "shelf", "archipelago", "strait"]
    params: ProceduralParams = ProceduralParams()


Bathymetry = Annotated[UniformDepth | DepthGrid | ProceduralDepth, Field(discriminator="kind")]
