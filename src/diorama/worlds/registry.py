"""Which worlds exist; a world's modules are loaded when it is first asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import UnknownName
from diorama.contracts.world import World


class Entry(NamedTuple):
    """Where a world is, and the version of its contract, which is asked for without loading the world."""

    module: str
    interface_version: str


_ENTRIES: Final[Mapping[str, Entry]] = {
    "prospector": Entry("diorama.worlds.prospector", "prospector-v1"),
    "tidebreak": Entry("diorama.worlds.tidebreak", "tidebreak-v1"),
    "townlet": Entry("diorama.worlds.townlet", "townlet-v1"),
    "gameboy": Entry("diorama.worlds.gameboy", "gameboy-v1"),
    "morphogenesis": Entry("diorama.worlds.morphogenesis", "morphogenesis-v1"),
}
_FURTHER_ENVIRONMENTS: Final[Mapping[str, str]] = {
    "diorama/TidebreakCampaign-v1": "diorama.worlds.tidebreak.campaign.env:CampaignEnv",
}


def further_environments() -> Mapping[str, str]:
    """Return Gymnasium environments that are no worlds of their own: where each is, by its Gymnasium id."""
    return _FURTHER_ENVIRONMENTS


def world_ids() -> tuple[str, ...]:
    """Return the ids of all worlds, without loading any."""
    return tuple(_ENTRIES)


def interface_version(world_id: str) -> str:
    """Return the version of a world's contract, without loading the world.

    Raises:
        UnknownName: When there is no world of that id.
    """
    return _entry(world_id).interface_version


@cache
def load_world(world_id: str) -> World[WorldConfig]:
    """Return the registration of a world.

    Raises:
        UnknownName: When there is no world of that id.
    """
    world: World[WorldConfig] = import_module(_entry(world_id).module).WORLD
    return world


def _entry(world_id: str) -> Entry:
    if world_id not in _ENTRIES:
        raise UnknownName.among("world", world_id, world_ids())
    return _ENTRIES[world_id]
