"""The base of every world's configuration, and how text and mappings become one."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.near_names import hint
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
    location = item["loc"]
    if item["type"] == "extra_forbidden" and isinstance(location, tuple):
        keys = _keys_at(model, location[:-1])
        known = f"; keys are: {', '.join(keys)}" if keys else ""
        return f"{path}: there is no such key{hint(str(location[-1]), keys)}{known}"
    # A rule over several keys is told with the whole configuration as its input, which would hide what it says.
    shown = "" if isinstance(item["input"], Mapping) else f"{item['input']!r} is wrong; "
    return f"{path}: {shown}{problem_words(item)}"


def _keys_at(model: type[BaseModel], place: Sequence[object]) -> tuple[str, ...]:
    """Keys of one part of a configuration; none where lists or alternatives stand on the way to it."""
    inside: type[BaseModel] | None = model
    for part in place:
        field = inside.model_fields.get(str(part)) if inside is not None else None
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))
        inside = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
    return () if inside is None else tuple(inside.model_fields)
