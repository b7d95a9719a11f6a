"""Presets beside the sweeps they name: whether a preset has the best settings of its sweep."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from diorama.contracts.validation import first_problem
from diorama.scale.sweeps.spec import SweepSpec

_SWEEP: Final = re.compile(r"^# sweep: (?P<path>\S+)$", re.MULTILINE)
_DIFFERS: Final = re.compile(r"^# differs: (?P<names>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReference:
    """What a preset says about its sweep."""

    path: Path
    differs: frozenset[str]


def sweep_reference(preset: Path) -> SweepReference | None:
    """Return the sweep that a preset names; None where it names none."""
    text = preset.read_text(encoding="utf-8")
    named, differs = _SWEEP.search(text), _DIFFERS.search(text)
    if named is None:
        return None
    names = [] if differs is None else [name.strip() for name in differs["names"].split(",")]
    return SweepReference(path=Path(named["path"]), differs=frozenset(names))


def disagreements(preset: Path, world: str, root: Path) -> list[str]:
    """Return one line for everything in which a preset contradicts the sweep it names; nothing where it names none."""
    reference = sweep_reference(preset)
    if reference is None:
        return []
    report = root / reference.path
    if not report.is_file():
        return [f"{preset.name} names {reference.path}, which does not exist"]
    document = json.loads(report.read_text(encoding="utf-8"))
    try:
        spec = SweepSpec.model_validate(document["spec"])
    except ValidationError as error:
        return [f"{reference.path}: {first_problem(error)}"]
    if spec.world != world:
        return [f"{reference.path} is a sweep of {spec.world}, not of {world}"]
    if not document["best"]:
        return [f"{reference.path}: no trial ran to its end"]
    settings = yaml.safe_load(preset.read_text(encoding="utf-8"))
    best: Mapping[str, object] = document["best_settings"]
    lines = [
        f"{name} is {_value(settings, name)!r}; the best trial of {reference.path} has {value!r}"
        for name, value in best.items()
        if name not in reference.differs and _value(settings, name) != value
    ]
    lines += [f"{name} is said to differ and does not" for name in reference.differs if _agrees(settings, best, name)]
    return lines


def _agrees(settings: Mapping[str, Any], best: Mapping[str, object], name: str) -> bool:
    return name not in best or _value(settings, name) == best[name]


def _value(settings: Mapping[str, Any], name: str) -> object:
    value: Any = settings
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
