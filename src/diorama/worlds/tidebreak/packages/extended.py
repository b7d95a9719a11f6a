"""Blocks of a ship that later versions added."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.packages.base import Amount, Count, Exchange, Flag, Identifier, People, Share, Text

_CONTESTABLE: Final = re.compile(r"engineering|cic|power|flight_deck|weapons_[a-z]+(?:[_-][a-z]+)?")


def _contestable(name: str) -> str:
    if _CONTESTABLE.fullmatch(name) is None:
        raise PydanticCustomError(
            "P005", "is no system of a siege; use engineering, cic, power, flight_deck or weapons_<sector>"
        )
    return name


ContestedSystem = Annotated[str, Field(strict=True), AfterValidator(_contestable)]


class Leadership(Exchange):
    """Who commands (v2)."""

    captain_id: Identifier | None = None
    command_competence: Share = 0.5
    operations_competence: Share = 0.5
    traits: tuple[Text, ...] = Field((), max_length=16)


class Supply(Exchange):
    """How well stocked a ship sails (v2); reserves cap the rounds of every mount."""

    days_of_supply: Amount = 30.0
    supply_quality: Share = 1.0
    ammo_reserves: Count | None = None
    critical_shortages: tuple[Text, ...] = Field((), max_length=16)


class Defenses(Exchange):
    """Protection that differs from the class (v2); `bulkhead` is the share of fire and flood that doors hold back."""

    armor: Amount | None = None
    bulkhead: Share | None = None


class AttackerForce(Exchange):
    """Troops of one faction aboard."""

    faction_id: Identifier
    troops: People = 0
    entry_points: tuple[Text, ...] = Field((), max_length=12)
    controlled_systems: tuple[ContestedSystem, ...] = Field((), max_length=32)


class SiegeState(Exchange):
    """A siege that goes on while the ship fights (v3)."""

    under_siege: Flag = True
    attacker_forces: tuple[AttackerForce, ...] = Field((), max_length=16)
    contested_systems: tuple[ContestedSystem, ...] = Field((), max_length=32)
    breach_quality: Share = 0.0
    siege_duration_ticks: Count = 0
