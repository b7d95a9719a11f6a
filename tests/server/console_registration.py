"""Registers a world with consoles: real ones, around a world that is a picture."""

from dataclasses import replace
from typing import Any

from diorama.contracts.world import World
from diorama.worlds.gameboy.console import CONSOLES
from tests.server.toy_worlds import SCREEN, screen_spec


def _spec(config: Any) -> Any:
    return replace(screen_spec(config), world="cabinet", interface_version="cabinet-v1")


WORLD: World[Any] = replace(SCREEN, id="cabinet", describe=_spec, consoles=CONSOLES)
