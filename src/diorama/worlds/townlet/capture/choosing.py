"""The scenes that are captured unless others are named."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Final

from diorama.worlds.townlet.config.loading import overlaid, validated
from diorama.worlds.townlet.data.reading import parse_yaml
from diorama.worlds.townlet.scenarios.loading import StoredScenario, load_scenario
from diorama.worlds.townlet.scenarios.model import Scenario

_SUFFIX: Final = ".yaml"
_SUITES: Final = resources.files(__package__) / "suites"


def suite_names() -> tuple[str, ...]:
    """Names of the capture suites, sorted."""
    return tuple(
        sorted(entry.name.removesuffix(_SUFFIX) for entry in _SUITES.iterdir() if entry.name.endswith(_SUFFIX))
    )


def chosen_suites(names: Sequence[str], overrides: Mapping[str, object]) -> list[StoredScenario]:
    """Return the named scenes: capture suites, scenarios of the town, or files; all capture suites for no names.

    Args:
        names: What to capture.
        overrides: Laid over the configuration of each, such as another observation.

    Raises:
        UnknownName: There is none of that name.
        ConfigError: A file is missing or wrong.
    """
    known = suite_names()
    stored = [_shipped(name) if name in known else load_scenario(name) for name in names or known]
    return [_overlaid(scene, overrides) for scene in stored]


def _shipped(name: str) -> StoredScenario:
    file = _SUITES / f"{name}{_SUFFIX}"
    return StoredScenario(
        scenario=validated(Scenario, parse_yaml(file.read_bytes(), file.name), file.name), folder=None
    )


def _overlaid(stored: StoredScenario, overrides: Mapping[str, object]) -> StoredScenario:
    merged = overlaid(stored.scenario.overrides, overrides)
    return StoredScenario(scenario=stored.scenario.model_copy(update={"overrides": merged}), folder=stored.folder)
