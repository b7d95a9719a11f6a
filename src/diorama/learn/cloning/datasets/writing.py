"""Writes a dataset so that it is there whole or not at all."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError, RunConflict
from diorama.contracts.whole_files import UNFINISHED, replace_file, storage_errors, sync_directory
from diorama.learn.cloning.datasets.documents import (
    MANIFEST_FILE,
    Layout,
    Manifest,
    SampleDetails,
    SampleEntry,
    as_json,
    sha256_of,
    write_json,
)
from diorama.learn.cloning.datasets.episode import Episode
from diorama.learn.cloning.datasets.versions import add_version

MOST_OF_ONE_OPTION: Final = 0.8  # a clone of "do nothing" proves nothing
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrated:
    """An episode and who played it where."""

    episode: Episode
    agent: str
    scenario: str
    config_id: str
    seed: int
    tags: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPlan:
    """What a dataset is called and what its numbers mean."""

    name: str
    teacher: str
    gamma: float
    layout: Layout


def write_dataset(
    root: Path, plan: DatasetPlan, demonstrated: Iterable[Demonstrated], *, replaces: str | None = None
) -> Manifest:
    """Write a dataset into a new folder of `root` and enter it into the index there.

    Args:
        root: Folder of the datasets.
        plan: What it is.
        demonstrated: Its episodes; they are written one by one.
        replaces: Dataset of the same folder that is deprecated by this one.

    Raises:
        RunConflict: There is such a dataset already.
        ConfigError: Its name is not allowed, there are no episodes, or one option makes up too much of it.
        UnknownName: There is no dataset to be replaced.
        StorageError: The disk refuses.
    """
    if _NAME.fullmatch(plan.name) is None:
        raise ConfigError(f"a dataset cannot be called {plan.name!r}; use letters, digits, '.', '_' and '-'")
    folder = root / plan.name
    if folder.exists():
        raise RunConflict(f"{folder} exists already; give the dataset another name")
    unfinished = root / f".{plan.name}{UNFINISHED}{os.getpid()}"
    with storage_errors(folder):
        # What a killed process of the same number may have left.
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            manifest = _write_samples(unfinished, plan, demonstrated)
            refuse_monotony(manifest.action_counts, where=plan.name)
            checksum = write_json(unfinished / MANIFEST_FILE, manifest)
            unfinished.rename(folder)
            try:
                sync_directory(root)
                add_version(root, plan.name, checksum, replaces=replaces)
            except BaseException:
                shutil.rmtree(folder)
                raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return manifest


def refuse_monotony(action_counts: Mapping[str, int], *, where: str) -> None:
    """Refuse demonstrations that show hardly more than one option.

    Raises:
        ConfigError: With the option and its share.
    """
    total = sum(action_counts.values())
    if not total:
        raise ConfigError(f"dataset {where}: there is no decision in it that left a choice")
    option, count = max(action_counts.items(), key=lambda entry: entry[1])
    if count > MOST_OF_ONE_OPTION * total:
        raise ConfigError(
            f"dataset {where}: {option} makes up {count / total:.0%} of its {total:,} decisions; "
            f"at most {MOST_OF_ONE_OPTION:.0%} may be one option, capture more varied scenes"
        )


def _write_samples(folder: Path, plan: DatasetPlan, demonstrated: Iterable[Demonstrated]) -> Manifest:
    entries: list[SampleEntry] = []
    counts: Counter[str] = Counter(dict.fromkeys(plan.layout.action_layout, 0))
    config_ids: dict[str, None] = {}
    for place, shown in enumerate(demonstrated):
        entries.append(_write_sample(folder, f"{place:04d}-{shown.scenario}-{shown.agent}", plan.layout, shown))
        counts.update(_chosen(shown.episode, plan.layout))
        config_ids[shown.config_id] = None
    if not entries:
        raise ConfigError(f"dataset {plan.name}: there are no episodes to write")
    return Manifest(
        name=plan.name,
        teacher=plan.teacher,
        gamma=plan.gamma,
        layout=plan.layout,
        config_ids=tuple(config_ids),
        frames=sum(entry.frames for entry in entries),
        decisions=sum(entry.decisions for entry in entries),
        action_counts=dict(counts),
        samples=tuple(entries),
    )


def _write_sample(folder: Path, name: str, layout: Layout, shown: Demonstrated) -> SampleEntry:
    packed = shown.episode.packed()
    details = SampleDetails(
        agent=shown.agent,
        scenario=shown.scenario,
        config_id=shown.config_id,
        seed=shown.seed,
        tags=shown.tags,
        metrics=dict(shown.metrics),
        feature_names=layout.feature_names,
        action_layout=layout.action_layout,
        frames=len(shown.episode),
        decisions=int(shown.episode.has_choice.sum()),
        sha256=sha256_of(packed),
    )
    text = as_json(details)
    replace_file(folder / f"{name}.npz", packed)
    replace_file(folder / f"{name}.json", text)
    return SampleEntry(
        name=name,
        scenario=shown.scenario,
        frames=details.frames,
        decisions=details.decisions,
        sha256=details.sha256,
        details_sha256=sha256_of(text),
    )


def _chosen(episode: Episode, layout: Layout) -> dict[str, int]:
    """Count the options of the first head where there was a choice."""
    chosen = np.bincount(episode.actions[episode.has_choice, 0], minlength=len(layout.action_layout))
    return dict(zip(layout.action_layout, chosen.tolist(), strict=True))
