"""Which worlds exist, our own and those of plug-ins; a world's modules are loaded when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import PluginError, UnknownName
from diorama.worlds.entries import ENTRIES, Entry
from diorama.worlds.plugins import Plugin, Plugins, installed_plugins, load_plugin

if TYPE_CHECKING:  # whoever only asks which worlds there are needs none of what these load
    from collections.abc import Mapping

    from diorama.contracts.config import WorldConfig
    from diorama.contracts.world import World

_FURTHER_ENVIRONMENTS: Final[Mapping[str, str]] = {
    "diorama/TidebreakCampaign-v1": "diorama.worlds.tidebreak.campaign.env:CampaignEnv",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What every world that can be loaded is, in one sentence by id, and one line for each plug-in that cannot."""

    summaries: Mapping[str, str]
    problems: tuple[str, ...]


def further_environments() -> Mapping[str, str]:
    """Return Gymnasium environments that are no worlds of their own: where each is, by its Gymnasium id."""
    return _FURTHER_ENVIRONMENTS


def world_ids() -> tuple[str, ...]:
    """Return the ids of all worlds, without loading any: ours, then those of plug-ins."""
    return (*ENTRIES, *_plugins().found)


def own_world_ids() -> tuple[str, ...]:
    """Return the ids of the worlds that come with Diorama."""
    return tuple(ENTRIES)


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
def world_folder(world_id: str) -> Path:
    """Return the folder of the package that registers a world, without loading the world.

    Raises:
        UnknownName: When there is no world of that id.
        PluginError: When it is a plug-in's whose module does not exist.
    """
    module = world_module(world_id)
    try:
        found = find_spec(module)
    except ImportError:
        found = None
    if found is None or found.origin is None:
        raise PluginError(f"world {world_id!r} is registered by {module!r}, which does not exist")
    return Path(found.origin).parent


@cache
def load_world(world_id: str) -> World[WorldConfig]:
    """Return the registration of a world.

    Raises:
        UnknownName: When there is no world of that id.
        PluginError: When it is a plug-in's, and broken.
    """
    entry = _entry(world_id)
    if isinstance(entry, Plugin):
        return load_plugin(entry)
    world: World[WorldConfig] = import_module(entry.module).WORLD
    return world


def load_worlds() -> Mapping[str, World[WorldConfig]]:
    """Return the registrations of all worlds by id, without plug-ins that are broken."""
    plugins, _ = _load_plugins()
    return {**{world_id: load_world(world_id) for world_id in ENTRIES}, **plugins}


def list_worlds() -> Listing:
    """Say what every world is; only plug-ins are loaded for it."""
    plugins, problems = _load_plugins()
    ours = {world_id: entry.summary for world_id, entry in ENTRIES.items()}
    theirs = {world_id: world.summary for world_id, world in plugins.items()}
    return Listing(summaries={**ours, **theirs}, problems=problems)


def _load_plugins() -> tuple[dict[str, World[WorldConfig]], tuple[str, ...]]:
    """Plug-ins that can be loaded, and what is wrong with the others: one that is broken hides nobody."""
    installed = _plugins()
    loaded: dict[str, World[WorldConfig]] = {}
    problems = list(installed.problems)
    for world_id in installed.found:
        try:
            loaded[world_id] = load_world(world_id)
        except PluginError as error:
            problems.append(str(error))
    return loaded, tuple(problems)


def _plugins() -> Plugins:
    return installed_plugins(frozenset(ENTRIES))


def _entry(world_id: str) -> Entry | Plugin:
    entry = ENTRIES.get(world_id) or _plugins().found.get(world_id)
    if entry is None:
        hint = " (a plug-in is broken: 'diorama worlds' says why)" if _plugins().problems else ""
        raise UnknownName(f"{UnknownName.among('world', world_id, world_ids())}{hint}")
    return entry
