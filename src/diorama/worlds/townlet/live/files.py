"""The files behind a live town: its configuration, and those that the configuration names."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.data.reading import parse_yaml, read_named
from diorama.worlds.townlet.tables.compiling import compile_tables
from diorama.worlds.townlet.tables.sources import Sources, read_sources
from diorama.worlds.townlet.tables.town_tables import TownTables


@dataclass(frozen=True, slots=True, kw_only=True)
class TownFiles:
    """Files as they were read.

    Attributes:
        path: Of the configuration; None for one that came from no file.
        text: Of the configuration; its canonical text where it came from no file.
        sources: What it names.
    """

    path: Path | None
    text: bytes
    sources: Sources

    def compile(self, config: SimulationConfig) -> TownTables:
        """Compile the town of a configuration that goes with these files.

        Raises:
            ConfigError: Something in them is wrong.
        """
        return compile_tables(config, self.sources)

    @property
    def checksum(self) -> str:
        """SHA-256 of the configuration."""
        return hashlib.sha256(self.text).hexdigest()


def open_files(config: SimulationConfig, path: Path | None) -> TownFiles:
    """Read the files of a configuration.

    Raises:
        ConfigError: One of them cannot be read.
    """
    text = config.canonical().encode() if path is None else read_named(path.name, path.parent)
    return TownFiles(path=path, text=text, sources=read_sources(config, None if path is None else path.parent))


def read_again(live: SimulationConfig, files: TownFiles) -> tuple[SimulationConfig, TownFiles]:
    """Read a configuration and its files as they are now.

    Raises:
        ConfigError: They cannot be read, or the configuration is wrong.
    """
    if files.path is None:
        return live, open_files(live, None)
    text = read_named(files.path.name, files.path.parent)
    config = validated(type(live), parse_yaml(text, files.path.name) or {}, files.path.name)
    return config, TownFiles(path=files.path, text=text, sources=read_sources(config, files.path.parent))
