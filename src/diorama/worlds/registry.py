"""Which worlds exist; a world's modules are loaded when it is first asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import UnknownName
from diorama.contracts.world import World

_MODULES: Final[Mapping[str, str]] = {
    "prospector": "diorama.worlds.prospector",
}


def world_ids() -> tuple[str, ...]:
    """Return the ids of all worlds, without loading any."""
    return tuple(_MODULES)


@cache
def load_world(world_id: str) -> World[WorldConfig]:
    """Return the registration of a world.

    Raises:
        UnknownName: When there is no world of that id.
    """
    if world_id not in _MODULES:
        raise UnknownName.among("world", world_id, world_ids())
    world: World[WorldConfig] = import_module(_MODULES[world_id]).WORLD
    return world
