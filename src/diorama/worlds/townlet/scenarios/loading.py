"""Reading scenarios: those that ship with the town by name, others by path."""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.data.reading import parse_yaml, read_named
from diorama.worlds.townlet.scenarios.model import Scenario

_SUFFIX: Final = ".yaml"
_SUITE: Final = resources.files(__package__) / "suite"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScenario:
    """A scenario and the folder its files are relative to; None for one that ships with the town."""

    scenario: Scenario
    folder: Path | None


def scenario_names() -> tuple[str, ...]:
    """Names of the scenarios that ship with the town, sorted."""
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in _SUITE.iterdir() if entry.name.endswith(_SUFFIX)))


def load_scenario(name: str | Path) -> StoredScenario:
    """Read a scenario by name, or from a file whose name ends in `.yaml`.

    Raises:
        UnknownName: None of that name is shipped.
        ConfigError: The file is missing or wrong; with every wrong place.
    """
    if str(name).endswith(_SUFFIX):
        path = Path(name)
        document = parse_yaml(read_named(path.name, path.parent), path.name)
        return StoredScenario(scenario=validated(Scenario, document, path.name), folder=path.parent)
    known = scenario_names()
    if name not in known:
        raise UnknownName.among("scenario", str(name), (*known, "or the path of a .yaml file"))
    file = _SUITE / f"{name}{_SUFFIX}"
    scenario = validated(Scenario, parse_yaml(file.read_bytes(), file.name), file.name)
    if scenario.name != name:
        raise ConfigError(f"{file.name}: is called {scenario.name!r} inside")
    return StoredScenario(scenario=scenario, folder=None)
