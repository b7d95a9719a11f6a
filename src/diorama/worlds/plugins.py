"""Worlds that other distributions bring, through entry points of the group `diorama.worlds`.

An entry is named for the interface version, `"orchard-v1" = "orchard:WORLD"`: id and version are known before it loads.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import ContractError, PluginError
from diorama.contracts.spec import interface_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from diorama.contracts.config import WorldConfig
    from diorama.contracts.world import World

GROUP: Final = "diorama.worlds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An entry that could be a world.

    Attributes:
        world_id: By the name of the entry.
        interface_version: The name of the entry.
        entry: Where the registration is.
        origin: The distribution and the entry, as messages name them.
    """

    world_id: str
    interface_version: str
    entry: EntryPoint
    origin: str

    @property
    def module(self) -> str:
        """The name of the module that registers the world."""
        return self.entry.module


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugins:
    """What was found: worlds by id, and what is wrong with entries that cannot be one."""

    found: Mapping[str, Plugin]
    problems: tuple[str, ...]


@cache
def installed_plugins(taken: frozenset[str]) -> Plugins:
    """Return the plug-ins of this installation, without loading any; `taken` ids are not theirs to have."""
    return sort_entries(entry_points(group=GROUP), taken)


def sort_entries(entries: Iterable[EntryPoint], taken: Collection[str]) -> Plugins:
    """Tell entries that can be worlds from others; of two with one id the first by distribution is taken."""
    found: dict[str, Plugin] = {}
    problems: list[str] = []
    for entry in sorted(entries, key=lambda entry: (_distribution(entry), entry.name)):
        try:
            plugin = _plugin(entry)
        except PluginError as error:
            problems.append(str(error))
            continue
        if plugin.world_id in taken or plugin.world_id in found:
            owner = found[plugin.world_id].origin if plugin.world_id in found else "diorama itself"
            problems.append(
                f"{plugin.origin}: the world {plugin.world_id!r} is there already, from {owner}; "
                "give the plug-in's world an id of its own"
            )
            continue
        found[plugin.world_id] = plugin
    return Plugins(found=found, problems=tuple(problems))


def load_plugin(plugin: Plugin) -> World[WorldConfig]:
    """Return the registration of a plug-in.

    Raises:
        PluginError: It cannot be imported, or is no world, or another one than its entry says.
    """
    loaded = _load(plugin.entry, plugin.origin)
    _check_registration(plugin, loaded)
    return loaded


def _plugin(entry: EntryPoint) -> Plugin:
    origin = f"plug-in {_distribution(entry)}, entry {entry.name!r} = {entry.value!r} of {GROUP!r}"
    try:
        interface_number(entry.name)
    except ContractError:
        raise PluginError(
            f"{origin}: its name is no interface version; name the entry for the contract of its world, "
            "lower-case letters and digits, like 'orchard-v1'"
        ) from None
    world_id = entry.name.rpartition("-v")[0]
    return Plugin(world_id=world_id, interface_version=entry.name, entry=entry, origin=origin)


def _distribution(entry: EntryPoint) -> str:
    return "of no distribution" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


def _load(entry: EntryPoint, origin: str) -> World[WorldConfig]:
    from diorama.contracts.world import World  # with no plug-in installed, lists need nothing that this loads

    try:
        with redirect_stdout(sys.stderr):  # a module that prints would spoil the output of a command
            loaded: object = entry.load()
    except (Exception, SystemExit) as error:  # a module of somebody else's may fail in any way
        fix = "the entry must name a module and its World, like 'orchard:WORLD'"
        if isinstance(error, ModuleNotFoundError) and error.name != entry.module:
            fix = f"install {error.name!r}, which it needs"
        raise PluginError(f"{origin}: cannot be imported ({type(error).__name__}: {error}); {fix}") from error
    if not isinstance(loaded, World):
        raise PluginError(
            f"{origin}: is a {type(loaded).__name__}; it must be a diorama.contracts.world.World, like 'orchard:WORLD'"
        )
    return loaded


def _check_registration(plugin: Plugin, world: World[WorldConfig]) -> None:
    if world.id != plugin.world_id:
        raise PluginError(
            f"{plugin.origin}: its world says its id is {world.id!r}; "
            f"make it {plugin.world_id!r}, or name the entry '{world.id}-v1'"
        )
    try:
        version = world.describe(world.config_type()).interface_version
    except Exception as error:  # here, too
        raise PluginError(
            f"{plugin.origin}: its default configuration cannot be described ({type(error).__name__}: {error}); "
            "describe(config_type()) must return its WorldSpec"
        ) from error
    if version != plugin.interface_version:
        raise PluginError(
            f"{plugin.origin}: its contract says {version!r}; "
            f"name the entry for it, {version!r} = {plugin.entry.value!r}"
        )
