"""Lays settings from several sources over one another and remembers where each came from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.near_names import hint
from diorama.contracts.validation import problem_words
from diorama.learn.settings import PpoSettings
from diorama.operate.training.needs import needed_values, needs_of
from diorama.operate.training.settings import TrainingSettings

Path: TypeAlias = tuple[str, ...]

RUN_SHARE: Final = "run_share"  # in place of a ramp's env_steps: its length as a share of the whole run
UPDATES: Final = "updates"  # likewise: its length in updates
_ENV_STEPS: Final = "env_steps"
_OWN_DEFAULT: Final = "built-in default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings from one source; later layers win, key by key.

    Attributes:
        source: What a message calls it, such as a file or a flag.
        values: Nested like the settings themselves.
    """

    source: str
    values: Mapping[str, object]


def settings_of(layers: Sequence[Layer]) -> TrainingSettings:
    """Return the settings that the layers make together.

    A ramp may say `run_share: 0.5` or `updates: 10` where it would say `env_steps`: it then ends after that share of
    the run, or after so many updates. What the world asks for is taken where no layer says anything.

    Raises:
        ConfigError: With the source and the path of every wrong value, and what would be right.
    """
    merged: dict[str, object] = {}
    sources: dict[Path, str] = {}
    for layer in layers:
        _lay(merged, layer.values)
        sources.update((path, layer.source) for path in _leaves(layer.values))
    copies = merged.get("copies", TrainingSettings.model_fields["copies"].default)
    needed = needed_values(needs_of(merged.get("world"), merged.get("config", {})), copies)
    merged = laid_over(needed, merged)
    steps = merged.get("steps", TrainingSettings.model_fields["steps"].default)
    run = _RunLength(steps=steps, update_steps=_update_steps(merged, copies))
    if _stretch(merged, run, sources, ()):
        merged["schedule_steps"] = steps
    try:
        return TrainingSettings.model_validate(merged)
    except ValidationError as error:
        problems: dict[Path, str] = {}
        for item in error.errors(include_url=False, include_context=False):
            path = _path(item, sources)
            problems.setdefault(path, _problem(item, path, sources))  # a value of several kinds fails as each of them
        raise ConfigError("; ".join(problems.values())) from None


def laid_over(lower: Mapping[str, object], upper: Mapping[str, object]) -> dict[str, object]:
    """Return a nested mapping with another laid over it, key by key; neither is changed."""
    merged: dict[str, object] = {}
    _lay(merged, lower)
    _lay(merged, upper)
    return merged


def _lay(lower: dict[str, object], upper: Mapping[str, object]) -> None:
    for key, value in upper.items():
        below = lower.get(key)
        if isinstance(value, Mapping) and isinstance(below, dict) and not _is_ramp(value):
            _lay(below, value)
        elif isinstance(value, Mapping):
            fresh: dict[str, object] = {}
            _lay(fresh, value)
            lower[key] = fresh
        else:
            lower[key] = value


def _is_ramp(value: Mapping[str, object]) -> bool:
    # A whole schedule takes the place of another: their keys exclude one another.
    return RUN_SHARE in value or ("start" in value and (UPDATES in value or _ENV_STEPS in value))


def _leaves(values: Mapping[str, object], above: Path = ()) -> Iterator[Path]:
    for key, value in values.items():
        yield (*above, str(key))
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, str(key)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunLength:
    """Env steps of the run and of an update, as they were given: they may be anything yet."""

    steps: object
    update_steps: int | None


def _update_steps(merged: Mapping[str, object], copies: object) -> int | None:
    ppo = merged.get("ppo", {})
    given = ppo.get("rollout_steps") if isinstance(ppo, Mapping) else None
    rollout_steps = PpoSettings.model_fields["rollout_steps"].default if given is None else given
    return copies * rollout_steps if isinstance(copies, int) and isinstance(rollout_steps, int) else None


def _stretch(values: dict[str, object], run: _RunLength, sources: Mapping[Path, str], above: Path) -> bool:
    has_share = False
    for key, value in values.items():
        if isinstance(value, dict):
            has_share |= _stretch(value, run, sources, (*above, str(key)))
    if UPDATES in values and "start" in values and run.update_steps is not None:
        updates = values.pop(UPDATES)
        if isinstance(updates, bool) or not isinstance(updates, int) or updates < 1:
            path = (*above, UPDATES)
            raise ConfigError(f"{_place(path, sources)}: {updates!r} is wrong; use a whole number of updates from 1 on")
        values[_ENV_STEPS] = updates * run.update_steps
    if RUN_SHARE in values and isinstance(run.steps, int):
        share = values.pop(RUN_SHARE)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 < share <= 1.0:
            path = (*above, RUN_SHARE)
            raise ConfigError(f"{_place(path, sources)}: {share!r} is wrong; use a share of the run above 0, at most 1")
        values[_ENV_STEPS] = max(1, round(share * run.steps))
        has_share = True
    return has_share


def _path(item: Mapping[str, object], sources: Mapping[Path, str]) -> Path:
    location = item["loc"]
    path = tuple(str(part) for part in location) if isinstance(location, tuple) else ()
    while path and path not in sources and item["type"] != "missing":
        path = path[:-1]
    return path


def _problem(item: Mapping[str, object], path: Path, sources: Mapping[Path, str]) -> str:
    if item["type"] == "extra_forbidden":
        meant = hint(".".join(path), _setting_names(TrainingSettings))
        return f"{_place(path, sources)}: there is no such setting{meant}; docs/reference/config.md lists them"
    if item["type"] == "missing":
        return f"{_place(path, sources)}: is missing"
    # A rule over several settings is told with all of them as its input, which would hide what it says.
    shown = "" if isinstance(item["input"], Mapping) else f"{_short(item['input'])} is wrong; "
    return f"{_place(path, sources)}: {shown}{problem_words(item)}"


def _setting_names(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{above}{name}"
        kinds = (field.annotation, *get_args(field.annotation))
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from _setting_names(kind, f"{above}{name}.")


def _place(path: Path, sources: Mapping[Path, str]) -> str:
    source = next((sources[path[:size]] for size in range(len(path), 0, -1) if path[:size] in sources), _OWN_DEFAULT)
    return f"{source}: {'.'.join(path)}" if path else "settings"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
