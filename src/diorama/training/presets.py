"""Presets, and how settings from several sources are merged: YAML files of a world, files of a user, flags."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.near_names import hint
from diorama.contracts.validation import problem_words
from diorama.learn.settings import PpoSettings
from diorama.storage.yaml_text import read_yaml
from diorama.training.compatibility import needed_values, needs_of
from diorama.training.settings import ENV_STEPS, RUN_SHARE, UPDATES, TrainingSettings, deep_merge
from diorama.worlds.registry import load_world, world_module

KeyPath: TypeAlias = tuple[str, ...]

_OWN_DEFAULT: Final = "built-in default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings from one source; later layers win, key by key.

    Attributes:
        source: Its name in error messages, such as a file or a flag.
        values: Nested like the settings themselves.
    """

    source: str
    values: Mapping[str, object]


def settings_of(layers: Sequence[Layer]) -> TrainingSettings:
    """Return the settings that the merged layers make.

    A ramp may have `run_share: 0.5` or `updates: 10` instead of `env_steps`: it then ends after that share of the run,
    or after so many updates. What the world needs of its trainer is filled in where no layer sets it.

    Raises:
        ConfigError: With the source and the path of every wrong value, and what would be right.
    """
    merged: dict[str, object] = {}
    sources: dict[KeyPath, str] = {}
    for layer in layers:
        merged = deep_merge(merged, layer.values)
        sources.update((path, layer.source) for path in _leaves(layer.values))
    copies = merged.get("copies", TrainingSettings.model_fields["copies"].default)
    needed = needed_values(needs_of(merged.get("world"), merged.get("config", {})), copies)
    merged = deep_merge(needed, merged)
    steps = merged.get("steps", TrainingSettings.model_fields["steps"].default)
    run = _RunLength(steps=steps, update_steps=_update_steps(merged, copies))
    if _resolve_ramps(merged, run, sources, ()):
        merged["schedule_steps"] = steps
    try:
        return TrainingSettings.model_validate(merged)
    except ValidationError as error:
        problems: dict[KeyPath, str] = {}
        for item in error.errors(include_url=False, include_context=False):
            path = _path(item, sources)
            problems.setdefault(path, _problem(item, path, sources))  # a value of several kinds fails as each of them
        first = error.errors(include_url=False)[0]
        raise ConfigError(
            "; ".join(problems.values()),
            code=first["type"],
            paths=tuple(".".join(path) for path in problems),
            **first.get("ctx", {}),
        ) from None


def _leaves(values: Mapping[str, object], above: KeyPath = ()) -> Iterator[KeyPath]:
    for key, value in values.items():
        yield (*above, str(key))
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, str(key)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunLength:
    """Env steps of the run and of an update, as given and not validated yet."""

    steps: object
    update_steps: int | None


def _update_steps(merged: Mapping[str, object], copies: object) -> int | None:
    ppo = merged.get("ppo", {})
    given = ppo.get("rollout_steps") if isinstance(ppo, Mapping) else None
    rollout_steps = PpoSettings.model_fields["rollout_steps"].default if given is None else given
    return copies * rollout_steps if isinstance(copies, int) and isinstance(rollout_steps, int) else None


def _resolve_ramps(values: dict[str, object], run: _RunLength, sources: Mapping[KeyPath, str], above: KeyPath) -> bool:
    has_share = False
    for key, value in values.items():
        if isinstance(value, dict):
            has_share |= _resolve_ramps(value, run, sources, (*above, str(key)))
    if UPDATES in values and "start" in values and run.update_steps is not None:
        updates = values.pop(UPDATES)
        if isinstance(updates, bool) or not isinstance(updates, int) or updates < 1:
            path = (*above, UPDATES)
            raise ConfigError(
                f"{_location(path, sources)}: {updates!r} is wrong; use a whole number of updates, 1 or more",
                code="ramp_updates_invalid",
                paths=(".".join(path),),
            )
        values[ENV_STEPS] = updates * run.update_steps
    if RUN_SHARE in values and isinstance(run.steps, int):
        share = values.pop(RUN_SHARE)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 < share <= 1.0:
            path = (*above, RUN_SHARE)
            raise ConfigError(
                f"{_location(path, sources)}: {share!r} is wrong; use a share of the run above 0, at most 1",
                code="ramp_share_invalid",
                paths=(".".join(path),),
            )
        values[ENV_STEPS] = max(1, round(share * run.steps))
        has_share = True
    return has_share


def _path(item: Mapping[str, object], sources: Mapping[KeyPath, str]) -> KeyPath:
    location = item["loc"]
    path = tuple(str(part) for part in location) if isinstance(location, tuple) else ()
    while path and path not in sources and item["type"] != "missing":
        path = path[:-1]
    return path


def _problem(item: Mapping[str, object], path: KeyPath, sources: Mapping[KeyPath, str]) -> str:
    if item["type"] == "extra_forbidden":
        suggestion = hint(".".join(path), _setting_names(TrainingSettings))
        return f"{_location(path, sources)}: there is no such setting{suggestion}; docs/reference/config.md lists them"
    if item["type"] == "missing":
        return f"{_location(path, sources)}: is missing"
    # The input of a rule over several settings is all of them, which would hide the message.
    shown = "" if isinstance(item["input"], Mapping) else f"{_short(item['input'])} is wrong; "
    return f"{_location(path, sources)}: {shown}{problem_words(item)}"


def _setting_names(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{above}{name}"
        kinds = (field.annotation, *get_args(field.annotation))
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from _setting_names(kind, f"{above}{name}.")


def _location(path: KeyPath, sources: Mapping[KeyPath, str]) -> str:
    source = next((sources[path[:size]] for size in range(len(path), 0, -1) if path[:size] in sources), _OWN_DEFAULT)
    return f"{source}: {'.'.join(path)}" if path else "settings"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


DEFAULT: Final = "default"
NONE: Final = "none"
EXTENDS: Final = "extends"  # in a preset: another preset of the world, whose settings it overrides
_SUFFIX: Final = ".yaml"


def preset_names(world_id: str) -> list[str]:
    """Return the names of a world's presets, sorted.

    Raises:
        UnknownName: There is no such world.
    """
    return sorted(_presets(world_id))


def load_preset(world_id: str, name: str) -> Layer:
    """Read a preset.

    Args:
        world_id: Whose preset.
        name: Of one of the world's presets, `none` for no settings at all, or the path of a file ending in `.yaml`;
            `default` is no settings at all for a world without presets.

    Raises:
        UnknownName: There is no such world or preset.
        ConfigError: The file is no mapping of settings; with the line where that shows.
    """
    known = _presets(world_id)
    if name.endswith(_SUFFIX):
        return _extended(_read(Path(name), name), known, world_id, ())
    if name == NONE or (name == DEFAULT and not known):
        return Layer(source="no preset", values={})
    if name not in known:
        names = (*sorted(known), NONE, "or the path of a .yaml file")
        raise UnknownName.among(f"preset of {world_id!r}", name, names, code="unknown_preset")
    return _extended(_shipped(known, name), known, world_id, (name,))


def _extended(own: Layer, known: Mapping[str, Traversable], world_id: str, above: tuple[str, ...]) -> Layer:
    values = dict(own.values)
    base = values.pop(EXTENDS, None)
    if base is None:
        return own
    if not isinstance(base, str) or base not in known or base in above:
        raise ConfigError(
            f"{own.source}: {EXTENDS} is {base!r}; name another preset of {world_id!r}",
            code="preset_base_invalid",
            source=own.source,
            base=base,
        )
    below = _extended(_shipped(known, base), known, world_id, (*above, base))
    return Layer(source=own.source, values=deep_merge(below.values, values))


def _shipped(known: Mapping[str, Traversable], name: str) -> Layer:
    return _read(known[name], f"preset {name}")


def _presets(world_id: str) -> dict[str, Traversable]:
    """The files in the folder beside the module that registers the world; one outside of any package has none."""
    load_world(world_id)
    package = import_module(world_module(world_id)).__package__
    folder = resources.files(package) / "presets" if package else None
    found = folder.iterdir() if folder is not None and folder.is_dir() else ()
    return {entry.name.removesuffix(_SUFFIX): entry for entry in found if entry.name.endswith(_SUFFIX)}


def _read(file: Traversable, source: str) -> Layer:
    values = read_yaml(file, source)
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ConfigError(
            f"{source}: holds a {type(values).__name__}; it must be a mapping of settings",
            code="preset_not_a_mapping",
            source=source,
        )
    return Layer(source=source, values=values)
