"""Scenarios that are stored as packages and fought by name."""

from functools import cache
from importlib import resources
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.resolve.validation import read_package
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed

EVALUATION_SUITE: Final = (
    "corvette_duel",
    "frigate_duel_in_fog",
    "sub_against_pair",
    "strait_passage",
    "storm_meeting",
    "convoy_run",
    "fleet_action",
    "capital_and_screen",
)
_SUFFIX: Final = ".json"
_FOLDER: Final = "files"


def scenario_names() -> list[str]:
    """Return the names of the stored scenarios, sorted."""
    entries = (resources.files(__package__) / _FOLDER).iterdir()
    return sorted(entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX))


@cache
def load_scenario(name: str) -> BattlePackage:
    """Read a stored scenario.

    Raises:
        UnknownName: There is no scenario of that name.
    """
    known = scenario_names()
    if name not in known:
        raise UnknownName.among("scenario", name, known)
    return read_package((resources.files(__package__) / _FOLDER / f"{name}{_SUFFIX}").read_bytes()).package


def reseeded(package: BattlePackage, seed: int) -> BattlePackage:
    """Return the same battle with other luck."""
    return package.model_copy(update={"seed": battle_seed(seed)})
