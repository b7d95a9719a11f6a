"""From a YAML file or a mapping to a configuration, with one error that lists everything that is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.validation import problem_place, problem_words
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.data.reading import parse_yaml, read_named

ModelT = TypeVar("ModelT", bound=BaseModel)


def load_config(path: Path) -> SimulationConfig:
    """Read a configuration file.

    Raises:
        ConfigError: With the path of every wrong value and what would be right.
    """
    document = parse_yaml(read_named(path.name, path.parent), path.name)
    return parse_simulation(document, path.name)


def parse_simulation(document: object, name: str) -> SimulationConfig:
    """Validate a document that has been read; `name` says where it came from."""
    return validated(SimulationConfig, document, name)


def overlaid(base: Mapping[str, object], overrides: Mapping[str, object]) -> dict[str, object]:
    """Return the base with overrides laid over it, mapping by mapping; lists and values are replaced whole."""
    merged: dict[str, object] = dict(base)
    for key, value in overrides.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = overlaid(below, value)
        else:
            merged[key] = value
    return merged


def validated(model: type[ModelT], document: object, name: str) -> ModelT:
    """Turn a document into a model.

    Raises:
        ConfigError: With `name`, the path in it and what would be right, for everything that is wrong.
    """
    if not isinstance(document, Mapping):
        raise ConfigError(f"{name}: holds {_kind(document)}; it must be a mapping")
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise ConfigError("; ".join(_problem(name, item) for item in error.errors(include_url=False))) from None


def _problem(name: str, item: Mapping[str, Any]) -> str:
    place = problem_place(item)
    where = f"{name}: {place}" if place else name
    kind, message = item["type"], problem_words(item)
    if kind == "missing":
        return f"{where}: is missing"
    if kind == "extra_forbidden":
        return f"{where}: there is no such key"
    if kind == "value_error":
        return f"{where}: {message}"
    return f"{where}: {item['input']!r} is wrong; {message}"


def _kind(document: object) -> str:
    return "nothing" if document is None else f"a {type(document).__name__}"
