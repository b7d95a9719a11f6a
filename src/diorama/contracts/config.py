"""The base of every world's configuration, and how text and mappings become one."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.validation import problem_place, problem_words
from diorama.contracts.values import JsonObject, canonical_json, sha256_hex


class WorldConfig(BaseModel):
    """A world's own settings: frozen, and strict about unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def canonical(self) -> str:
        """Return the canonical JSON text of all keys."""
        return canonical_json(self.model_dump(mode="json"))


ConfigT = TypeVar("ConfigT", bound=WorldConfig)


def parse_config(world: str, model: type[ConfigT], given: Mapping[str, object] | WorldConfig | None) -> ConfigT:
    """Validate a configuration, or take the defaults.

    Raises:
        ConfigError: With the path of every wrong value and what would be right.
    """
    if isinstance(given, model):
        return given
    if isinstance(given, WorldConfig):
        raise ConfigError(f"{world}: got a {type(given).__name__}; its configuration is a {model.__name__}")
    try:
        return model.model_validate({} if given is None else given)
    except ValidationError as error:
        problems = "; ".join(_problem(world, model, item) for item in error.errors(include_url=False))
        raise ConfigError(problems) from None


def config_hash(interface_version: str, world: str, config: WorldConfig) -> str:
    """Return the SHA-256 that is stamped on runs, traces and replays."""
    settings: JsonObject = config.model_dump(mode="json")
    document: JsonObject = {"world": world, "interface": interface_version}
    # The settings stand beside these two, unless one of them has the same name.
    document = {**document, "config": settings} if document.keys() & settings.keys() else {**document, **settings}
    return sha256_hex(canonical_json(document))


def _problem(world: str, model: type[WorldConfig], item: Mapping[str, object]) -> str:
    path = problem_place(item, inside=world)
    if item["type"] == "extra_forbidden":
        return f"{path}: there is no such key; keys are: {', '.join(model.model_fields)}"
    # A rule over several keys is told with the whole configuration as its input, which would hide what it says.
    shown = "" if isinstance(item["input"], Mapping) else f"{item['input']!r} is wrong; "
    return f"{path}: {shown}{problem_words(item)}"
