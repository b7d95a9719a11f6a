"""Which worlds exist, our own and those of plug-ins; a world's modules are loaded when it is first asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import PluginError, UnknownName
from diorama.contracts.world import World
from diorama.worlds.plugins import Plugins, installed_plugins, load_plugin


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Every world that can be loaded, by id, and one line for each plug-in that cannot."""

    worlds: Mapping[str, World[WorldConfig]]
    problems: tuple[str, ...]


def further_environments() -> Mapping[str, str]:
    """Return Gymnasium environments that are no worlds of their own: where each is, by its Gymnasium id."""
    return _FURTHER_ENVIRONMENTS


def world_ids() -> tuple[str, ...]:
    """Return the ids of all worlds, without loading any: ours, then those of plug-ins."""
    return (*_ENTRIES, *_plugins().found)


def own_world_ids() -> tuple[str, ...]:
    """Return the ids of the worlds that come with Diorama."""
    return tuple(_ENTRIES)


def interface_version(world_id: str) -> str:
    """Return the version of a world's contract, without loading the world.

    Raises:
        UnknownName: When there is no world of that id.
    """
    return _entry(world_id).interface_version


def world_module(world_id: str) -> str:
    """Return the name of the module that registers a world; what else it ships lies beside it.

    Raises:
        UnknownName: When there is no world of that id.
    """
    return _entry(world_id).module


@cache
def load_world(world_id: str) -> World[WorldConfig]:
    """Return the registration of a world.

    Raises:
        UnknownName: When there is no world of that id.
        PluginError: When it is a plug-in's, and broken.
    """
    entry = _entry(world_id)
    plugin = _plugins().found.get(world_id)
    if plugin is not None:
        return load_plugin(plugin)
    world: World[WorldConfig] = import_module(entry.module).WORLD
    return world


def count_worlds() -> Census:
    """Load every world; a plug-in that is broken does not keep the others from being listed."""
    worlds: dict[str, World[WorldConfig]] = {}
    problems = list(_plugins().problems)
    for world_id in world_ids():
        try:
            worlds[world_id] = load_world(world_id)
        except PluginError as error:
            problems.append(str(error))
    return Census(worlds=worlds, problems=tuple(problems))


def _plugins() -> Plugins:
    return installed_plugins(frozenset(_ENTRIES))


def _entry(world_id: str) -> Entry:
    if world_id in _ENTRIES:
        return _ENTRIES[world_id]
    plugin = _plugins().found.get(world_id)
    if plugin is None:
        hint = " (a plug-in is broken: 'diorama worlds' says why)" if _plugins().problems else ""
        raise UnknownName(f"{UnknownName.among('world', world_id, world_ids())}{hint}")
    return Entry(plugin.entry.module, plugin.interface_version)
