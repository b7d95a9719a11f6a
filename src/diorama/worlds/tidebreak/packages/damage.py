"""Damage of a ship, as results report it and packages hand it on."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.code_names import ByName
from diorama.worlds.tidebreak.codes import ComponentStatus, System
from diorama.worlds.tidebreak.packages.base import Exchange, Flag, People, Share


class SystemReport(Exchange):
    """One subsystem; the status is the fraction in words."""

    status: Annotated[ComponentStatus, ByName] | None = None
    fraction: Share


class CompartmentReport(Exchange):
    """One compartment or district; `fire` and `flood` say how much where `on_fire` and `flooded` only say that."""

    id: Annotated[int, Field(strict=True, ge=0, le=11)]
    integrity: Share
    breached: Flag = False
    flooded: Flag = False
    on_fire: Flag = False
    crew: People | None = None
    fire: Share | None = None
    flood: Share | None = None


class DamageReport(Exchange):
    """Everything broken; what is not listed is whole."""

    damage_tier: Annotated[int, Field(strict=True, ge=0, le=2)] | None = None
    systems: dict[Annotated[System, ByName], SystemReport] = Field(default_factory=dict)
    compartments: tuple[CompartmentReport, ...] | None = Field(None, max_length=12)
    fire: Share = 0.0
    flood: Share = 0.0
