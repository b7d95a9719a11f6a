"""Reading the content tables, those that ship with the world or a folder of one's own."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from diorama.worlds.tidebreak.content.content import Content
from diorama.worlds.tidebreak.content.ship_class import ClassesFile
from diorama.worlds.tidebreak.content.weapon import WeaponsFile
from diorama.worlds.tidebreak.content.yaml_tables import read_table

CLASSES_FILE: Final = "classes.yaml"
WEAPONS_FILE: Final = "weapons.yaml"


@cache
def shipped_content() -> Content:
    """Return the tables that ship with the world; read once."""
    return _load(resources.files(__package__))


def load_content(folder: Path) -> Content:
    """Read `classes.yaml` and `weapons.yaml` of a folder.

    Raises:
        ConfigError: A file cannot be read, or a value in it is wrong; with the file and the path in it.
    """
    return _load(folder)


def _load(folder: Traversable) -> Content:
    return Content.of(read_table(folder / CLASSES_FILE, ClassesFile), read_table(folder / WEAPONS_FILE, WeaponsFile))
