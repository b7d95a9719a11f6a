"""`world`: the grid, the length of a day, and how many live there."""

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from diorama.contracts.named_files import FilePath
from diorama.contracts.sections import Section, fixed, hot
from diorama.worlds.townlet.data.reading import shipped_names

GRID_SIDE_MAX: Final = 128
GridSide = Annotated[int, Field(ge=16, le=GRID_SIDE_MAX)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Tile = Annotated[tuple[int, int], Field(strict=False)]


class InitialNeeds(Section):
    """Needs of a citizen that arrives.

    Attributes:
        hunger: 1 is satisfied.
        hygiene: 1 is satisfied.
        energy: 1 is satisfied.
    """

    hunger: Share = fixed(0.7)
    hygiene: Share = fixed(0.7)
    energy: Share = fixed(0.7)

    @property
    def values(self) -> tuple[float, float, float]:
        """In the order of the needs."""
        return self.hunger, self.hygiene, self.energy


class WorldSection(Section):
    """The town as a place.

    Attributes:
        ticks_per_day: Length of a day.
    """

    grid_size: Annotated[tuple[GridSide, GridSide], Field(strict=False)] = fixed(
        (48, 48), description="Width and height in tiles."
    )
    ticks_per_day: int = fixed(1000, ge=100, le=100000)
    town_file: Annotated[str, FilePath()] = fixed(
        "town/core_town.yaml", min_length=1, description="Beside the configuration, or shipped."
    )
    seats: int = fixed(16, ge=1, le=64, description="Most citizens at one time.")
    population: int = fixed(8, ge=1, le=64, description="Citizens at the start; not more than seats, not than beds.")
    initial_needs: InitialNeeds = Field(default_factory=InitialNeeds)
    spawn_tiles: Annotated[tuple[Tile, ...], Field(strict=False)] | None = fixed(
        None, description="Where newcomers appear; those of the town file unless given."
    )
    name_list: Annotated[tuple[str, ...], Field(strict=False, min_length=1)] = hot(
        default_factory=shipped_names, description="Names shown for citizens, in the order they arrive."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.population > self.seats:
            raise ValueError(f"population {self.population} does not fit into {self.seats} seats")
        return self
