"""Configurations from other authors: of a replay, a bundle, a run, or a visitor of a server.

Their authors have no say in which code runs here, and where a server reads it, in which files are opened.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.named_files import named_files, named_modules
from diorama.contracts.world import World

ALLOWED_MODULES: Final = "DIORAMA_HOOK_MODULES"
"""Environment variable with the modules that such configurations may name, separated by commas."""

_SHOWN: Final = 200  # characters of what a configuration names


@dataclass(frozen=True, slots=True)
class FileAccess:
    """Which files the configurations of others may name.

    Attributes:
        folders: Those in these folders, however deep; None for every file that this process can read.
    """

    folders: tuple[Path, ...] | None

    @classmethod
    def below(cls, folders: Iterable[Path]) -> Self:
        """Allow the files in these folders, and no others."""
        return cls(tuple(_absolute(folder) for folder in folders))

    def allows(self, name: str) -> bool:
        """Whether a path may be opened; links that lead out of the folders do not count as inside."""
        if self.folders is None:
            return True
        if name.startswith("~") or "\0" in name:
            return False
        path = _absolute(name)
        return any(path.is_relative_to(folder) and _real(path).is_relative_to(_real(folder)) for folder in self.folders)


EVERY_FILE: Final = FileAccess(None)
"""For commands: their user could read the file without it."""

NO_FILE: Final = FileAccess(())
"""For servers whose operator has listed no folder."""


def parse_foreign_config(
    world: World[WorldConfig], given: Mapping[str, object], source: str, *, files: FileAccess
) -> WorldConfig:
    """Validate a configuration from another author, before anything is done with it.

    Args:
        world: Whose it is.
        given: What was written.
        source: What it is called in an error.
        files: Which files it may name.

    Raises:
        ConfigError: A value is wrong, or names a module or a file that is not allowed here. What is said of a file
            does not depend on whether there is one.
    """
    config = parse_config(world.id, world.config_type, given)
    modules = named_modules(config)
    allowed = {name.strip() for name in os.environ.get(ALLOWED_MODULES, "").split(",")}
    if strange := [name for name in modules if name not in allowed]:
        raise ConfigError(
            f"{source}: its configuration names the Python module {strange[0][:_SHOWN]!r}, whose code would run here; "
            f"if you trust it, set {ALLOWED_MODULES}={','.join(modules)[:400]}",
            code="module_not_allowed",
            source=source,
            module=strange[0],
        )
    for named in named_files(config):
        if not files.allows(str(named.value)):
            raise ConfigError(
                f"{source}: {world.id}.{named.key} is {str(named.value)[:_SHOWN]!r}, a file that does not come with "
                "the world; configurations of visitors and of stored runs name files only in folders that the operator "
                "of the server has listed with --allow-files",
                code="file_not_allowed",
                source=source,
                key=named.key,
                file=named.value,
            )
    return config


def _absolute(path: str | Path) -> Path:
    """Take `..` away before any link is followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 # `Path` has nothing that does it


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
