"""Where results go, looked at before any work is done for them."""

import os
from pathlib import Path

import typer

from diorama.contracts.errors import ConfigError


def checked_destination(context: typer.Context, path: Path | None) -> Path | None:
    """Return where something is to be written, as the callback of an option.

    Raises:
        ConfigError: It could not be written in the end; missing folders are made then, and are no reason.
    """
    if path is None or context.resilient_parsing:
        return path
    place = next((folder for folder in path.parents if folder.exists()), Path())
    if not place.is_dir():
        raise ConfigError(f"{path} cannot be written: {place} is no folder")
    if not os.access(path if path.exists() else place, os.W_OK):
        raise ConfigError(f"{path} cannot be written: you may not write to {path if path.exists() else place}")
    return path
