"""Reading the content tables, those that ship with the world or a folder of one's own."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, TypeVar

import yaml
from pydantic import ValidationError

from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak.content.content import Content
from diorama.worlds.tidebreak.content.ship_class import ClassesFile
from diorama.worlds.tidebreak.content.table import Table
from diorama.worlds.tidebreak.content.weapon import WeaponsFile

CLASSES_FILE: Final = "classes.yaml"
WEAPONS_FILE: Final = "weapons.yaml"

_TableT = TypeVar("_TableT", bound=Table)


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
    return Content.of(_read(folder / CLASSES_FILE, ClassesFile), _read(folder / WEAPONS_FILE, WeaponsFile))


def _read(file: Traversable, model: type[_TableT]) -> _TableT:
    try:
        return model.model_validate(yaml.safe_load(file.read_bytes()))
    except OSError as error:
        raise ConfigError(f"{file.name}: cannot be read ({error.strerror})") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{file.name}: {error}; it must be YAML") from None
    except ValidationError as error:
        problems = [
            f"{file.name} {'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors(include_url=False)
        ]
        raise ConfigError("; ".join(problems)) from None
