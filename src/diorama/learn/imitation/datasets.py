"""Datasets of demonstrations: written once, read and audited."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError, RunConflict, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.learn.imitation.dataset_files import (
    MANIFEST_FILE,
    Layout,
    Manifest,
    SampleDetails,
    SampleEntry,
    add_version,
    as_json,
    read_bytes,
    read_json,
    sha256_of,
    version_of,
    write_json,
)
from diorama.learn.imitation.episodes import Episode, unpacked
from diorama.storage.atomic_files import UNFINISHED, replace_file, storage_errors, sync_directory

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


def open_dataset(folder: Path, spec: WorldSpec) -> Manifest:
    """Return the manifest of a dataset that a policy of this world can learn from.

    Raises:
        UnknownName: There is no such dataset, or its index does not know it.
        DocumentError: It is broken, was changed, is deprecated, or belongs to another world or layout.
        ConfigError: One option makes up too much of it.
    """
    manifest = read_manifest(folder)
    entry = version_of(folder.parent, folder.name)
    if entry.status == "deprecated":
        raise DocumentError(f"{folder}: the dataset is deprecated; learn from a newer one of {folder.parent}")
    manifest.layout.refuse_other(spec, where=str(folder))
    refuse_monotony(manifest.action_counts, where=str(folder))
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Return a manifest whose checksum is that of the index.

    Raises:
        UnknownName: There is no such dataset, or its index does not know it.
        DocumentError: It is broken, or was changed.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file():
        raise UnknownName(
            f"{folder} is no dataset: it has no {MANIFEST_FILE}; name a folder that a capture has written"
        )
    data = read_bytes(path)
    if sha256_of(data) != version_of(folder.parent, folder.name).manifest_sha256:
        raise DocumentError(f"{path}: its checksum is not the one in the index; the dataset was changed")
    manifest = read_json(data, Manifest, where=str(path))
    if manifest.name != folder.name:
        raise DocumentError(f"{path}: is the manifest of {manifest.name!r}; the folder is called {folder.name!r}")
    return manifest


def read_episodes(folder: Path, manifest: Manifest) -> Iterator[Episode]:
    """Yield the episodes in the order of the manifest.

    Raises:
        UnknownName: A file is missing.
        DocumentError: A file is broken, was changed, or is not of the manifest's layout.
    """
    for entry in manifest.samples:
        yield read_episode(folder, manifest, entry)


def read_episode(folder: Path, manifest: Manifest, entry: SampleEntry) -> Episode:
    """Return one episode; see `read_episodes`."""
    path, details_path = folder / f"{entry.name}.npz", folder / f"{entry.name}.json"
    text, data = read_bytes(details_path), read_bytes(path)
    for file, found, wanted in ((details_path, text, entry.details_sha256), (path, data, entry.sha256)):
        if sha256_of(found) != wanted:
            raise DocumentError(f"{file}: its checksum is not the one in the manifest; the file was changed")
    details = read_json(text, SampleDetails, where=str(details_path))
    if (details.feature_names, details.action_layout) != (manifest.layout.feature_names, manifest.layout.action_layout):
        raise DocumentError(f"{details_path}: its features or actions are not those of the manifest")
    episode = unpacked(data, tuple(part.name for part in manifest.layout.observation), where=str(path))
    _check_arrays(episode, manifest, where=str(path))
    return episode


def audit(folder: Path) -> list[str]:
    """Recompute every checksum of a dataset and return one line for everything that is wrong."""
    try:
        manifest = read_manifest(folder)
    except DioramaError as error:
        return [str(error)]
    problems = []
    for entry in manifest.samples:
        try:
            read_episode(folder, manifest, entry)
        except DioramaError as error:
            problems.append(str(error))
    known = {MANIFEST_FILE, *(f"{entry.name}{end}" for entry in manifest.samples for end in (".npz", ".json"))}
    found = {path.name for path in folder.iterdir()}
    return problems + [f"{folder / name}: is not in the manifest" for name in sorted(found - known)]


def _check_arrays(episode: Episode, manifest: Manifest, *, where: str) -> None:
    for part in manifest.layout.observation:
        if episode.observation[part.name].shape[1:] != part.shape:
            found = episode.observation[part.name].shape[1:]
            raise DocumentError(f"{where}: {part.name} has shape {found}; the manifest says {part.shape}")
    options = len(manifest.layout.action_layout)
    if episode.masks.shape[1:] != (options,):
        raise DocumentError(f"{where}: masks have shape {episode.masks.shape[1:]}; there are {options} options")
    if episode.actions.min() < 0 or episode.actions.max() >= options:
        raise DocumentError(f"{where}: an action is outside 0..{options - 1}")
    numbers = (episode.rows, episode.rewards, episode.values)
    if not all(np.isfinite(array).all() for array in numbers):
        raise DocumentError(f"{where}: holds a number that is not finite")
