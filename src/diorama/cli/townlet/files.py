"""Files that the commands of the town are given."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.validation import first_problem
from diorama.worlds.townlet.config.loading import load_config
from diorama.worlds.townlet.config.simulation import SimulationConfig, TownletConfig
from diorama.worlds.townlet.data.reading import parse_yaml, read_named
from diorama.worlds.townlet.scenarios.model import TimelineEntry

_TIMELINE: TypeAdapter[list[TimelineEntry]] = TypeAdapter(list[TimelineEntry])


def read_town_config(path: Path | None) -> SimulationConfig:
    """Return the configuration of a file, or the town as it ships.

    Raises:
        ConfigError: With the path of every wrong value and what would be right.
    """
    if path is None:
        return TownletConfig()
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file; without one the town is as it ships")
    return load_config(path)


def read_commands(path: Path | None, ticks: int) -> list[TimelineEntry]:
    """Return the commands of a file; none without one.

    Raises:
        ConfigError: The file is no list of commands, or one of them comes after the last tick.
    """
    if path is None:
        return []
    document = parse_yaml(read_named(path.name, path.parent), path.name)
    try:
        timeline = _TIMELINE.validate_python(document)
    except ValidationError as error:
        raise ConfigError(
            f"{path.name}: {first_problem(error)}; write a list of {{tick, name, args, kwargs}}"
        ) from None
    late = [entry for entry in timeline if entry.tick >= ticks]
    if late:
        raise ConfigError(f"{path.name}: {late[0].name} is due at tick {late[0].tick}; the last tick is {ticks - 1}")
    return timeline
