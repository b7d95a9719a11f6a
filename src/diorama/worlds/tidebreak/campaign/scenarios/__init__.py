"""Opening positions, stored as YAML and found by name."""

from functools import cache
from importlib import resources
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.worlds.tidebreak.campaign.scenarios.scenario import Scenario
from diorama.worlds.tidebreak.content.yaml_tables import read_table

DEFAULT_SCENARIO: Final = "two_powers"
_SUFFIX: Final = ".yaml"

__all__ = ["DEFAULT_SCENARIO", "Scenario", "campaign_names", "load_campaign_scenario"]


def campaign_names() -> list[str]:
    """Return the names of the stored scenarios, sorted."""
    entries = resources.files(__package__).iterdir()
    return sorted(entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX))


@cache
def load_campaign_scenario(name: str) -> Scenario:
    """Read a stored scenario.

    Raises:
        UnknownName: There is no scenario of that name.
    """
    known = campaign_names()
    if name not in known:
        raise UnknownName.among("campaign scenario", name, known)
    return read_table(resources.files(__package__) / f"{name}{_SUFFIX}", Scenario)
