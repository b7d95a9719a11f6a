"""Paths as a configuration names them."""

from pathlib import Path

from diorama.contracts.errors import ConfigError


def user_path(name: str) -> Path:
    """Return a path with the home folder for `~`.

    Raises:
        ConfigError: No file can have the name, or it begins in a home that nobody has.
    """
    if "\0" in name:
        raise ConfigError(f"{name!r} is no path: a name cannot hold a NUL")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ConfigError(f"{name}: there is no such home folder; write the path out") from None
