"""The three files behind a configuration, read once, with their checksums."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.data.reading import read_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file as it was read."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Checksum of its bytes, 64 hex digits."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files of a town; there is no file of perturbations where the configuration holds them itself."""

    town: Source
    affordances: Source
    perturbations: Source | None


def read_sources(config: SimulationConfig, folder: Path | None = None) -> Sources:
    """Read the files a configuration names.

    Args:
        config: The configuration.
        folder: Where its file is; paths are relative to it, and shipped files stand in for missing ones.

    Raises:
        ConfigError: A file is missing or cannot be read.
    """
    return Sources(
        town=_source(config.world.town_file, folder),
        affordances=_source(config.affordances.affordances_file, folder),
        perturbations=None if config.perturbations.events is not None else _source(config.perturbations.file, folder),
    )


def _source(name: str, folder: Path | None) -> Source:
    return Source(name=name, data=read_named(name, folder))
