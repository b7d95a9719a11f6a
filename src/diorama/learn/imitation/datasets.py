"""Datasets of demonstrations: written once, then read and audited."""

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
    MAX_FILE_BYTES,
    Layout,
    Manifest,
    SampleDetails,
    SampleEntry,
    add_version,
    as_json,
    read_json,
    sha256_of,
    version_of,
    write_json,
)
from diorama.learn.imitation.episodes import Episode, episode_from_npz
from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import UNFINISHED, replace_file, storage_errors, sync_directory

MAX_OPTION_SHARE: Final = 0.8  # a clone of an expert that nearly always waits has learned nothing
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEpisode:
    """An episode with the agent, scenario, configuration and seed it was recorded from."""

    episode: Episode
    agent: str
    scenario: str
    config_id: str
    seed: int
    tags: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPlan:
    """Name, demonstrator, discount and layout of a dataset to be written."""

    name: str
    teacher: str
    gamma: float
    layout: Layout


def write_dataset(
    root: Path, plan: DatasetPlan, episodes: Iterable[RecordedEpisode], *, replaces: str | None = None
) -> Manifest:
    """Write a dataset into a new folder of `root`, add it to the index there and return its manifest.

    Args:
        root: Folder of the datasets.
        plan: Name and layout of the dataset.
        episodes: Read and written one by one.
        replaces: Dataset of the same folder that this one deprecates.

    Raises:
        RunConflict: A dataset of this name exists.
        ConfigError: The name is not allowed, there are no episodes, or one option dominates them.
        UnknownName: The dataset to replace does not exist.
        StorageError: A file cannot be written.
    """
    if _NAME.fullmatch(plan.name) is None:
        raise ConfigError(
            f"a dataset cannot be called {plan.name!r}; use letters, digits, '.', '_' and '-'",
            code="dataset_name_invalid",
            name=plan.name,
        )
    folder = root / plan.name
    if folder.exists():
        raise RunConflict(
            f"{folder} exists already; give the dataset another name", code="dataset_exists", path=str(folder)
        )
    unfinished = root / f".{plan.name}{UNFINISHED}{os.getpid()}"
    with storage_errors(folder):
        # A killed process that had the same id may have left this folder.
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            manifest = _write_samples(unfinished, plan, episodes)
            check_action_balance(manifest.action_counts, where=plan.name)
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


def check_action_balance(action_counts: Mapping[str, int], *, where: str) -> None:
    """Check that no option makes up more than `MAX_OPTION_SHARE` of the decisions.

    Raises:
        ConfigError: Names the option and its share.
    """
    total = sum(action_counts.values())
    if not total:
        raise ConfigError(
            f"dataset {where}: no decision in it left a choice; capture other scenes",
            code="dataset_without_choices",
            dataset=where,
        )
    option, count = max(action_counts.items(), key=lambda entry: entry[1])
    if count > MAX_OPTION_SHARE * total:
        raise ConfigError(
            f"dataset {where}: {option} makes up {count / total:.0%} of its {total:,} decisions; "
            f"at most {MAX_OPTION_SHARE:.0%} may be one option, capture more varied scenes",
            code="dataset_dominated_by_option",
            dataset=where,
            option=option,
            decisions=count,
            total=total,
        )


def _write_samples(folder: Path, plan: DatasetPlan, episodes: Iterable[RecordedEpisode]) -> Manifest:
    entries: list[SampleEntry] = []
    counts: Counter[str] = Counter(dict.fromkeys(plan.layout.action_layout, 0))
    config_ids: dict[str, None] = {}
    for index, recorded in enumerate(episodes):
        name = f"{index:04d}-{recorded.scenario}-{recorded.agent}"
        entries.append(_write_sample(folder, name, plan.layout, recorded))
        counts.update(_count_options(recorded.episode, plan.layout))
        config_ids[recorded.config_id] = None
    if not entries:
        raise ConfigError(
            f"dataset {plan.name}: there are no episodes to write", code="dataset_without_episodes", dataset=plan.name
        )
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


def _write_sample(folder: Path, name: str, layout: Layout, recorded: RecordedEpisode) -> SampleEntry:
    packed = recorded.episode.to_npz()
    details = SampleDetails(
        agent=recorded.agent,
        scenario=recorded.scenario,
        config_id=recorded.config_id,
        seed=recorded.seed,
        tags=recorded.tags,
        metrics=dict(recorded.metrics),
        feature_names=layout.feature_names,
        action_layout=layout.action_layout,
        frames=len(recorded.episode),
        decisions=int(recorded.episode.has_choice.sum()),
        sha256=sha256_of(packed),
    )
    text = as_json(details)
    replace_file(folder / f"{name}.npz", packed)
    replace_file(folder / f"{name}.json", text)
    return SampleEntry(
        name=name,
        scenario=recorded.scenario,
        frames=details.frames,
        decisions=details.decisions,
        sha256=details.sha256,
        details_sha256=sha256_of(text),
    )


def _count_options(episode: Episode, layout: Layout) -> dict[str, int]:
    """Count the options of the first head over the decisions that left a choice."""
    counts = np.bincount(episode.actions[episode.has_choice, 0], minlength=len(layout.action_layout))
    return dict(zip(layout.action_layout, counts.tolist(), strict=True))


def open_dataset(folder: Path, spec: WorldSpec) -> Manifest:
    """Return the manifest of a dataset, after checking that a policy of this world can learn from it.

    Raises:
        UnknownName: The dataset does not exist, or is not in its folder's index.
        DocumentError: It is broken, was changed, is deprecated, or has the layout of another world.
        ConfigError: One option dominates it.
    """
    manifest = read_manifest(folder)
    entry = version_of(folder.parent, folder.name)
    if entry.status == "deprecated":
        raise DocumentError(
            f"{folder}: the dataset is deprecated; use a newer one of {folder.parent}",
            code="dataset_deprecated",
            path=str(folder),
        )
    manifest.layout.check_matches(spec, where=str(folder))
    check_action_balance(manifest.action_counts, where=str(folder))
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a dataset, after checking it against the index.

    Raises:
        UnknownName: The dataset does not exist, or is not in its folder's index.
        DocumentError: The manifest is broken or was changed.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file():
        raise UnknownName(
            f"{folder} is not a dataset: it has no {MANIFEST_FILE}; name a folder that a capture has written",
            code="not_a_dataset",
            path=str(folder),
        )
    data = read_artifact(path, most_bytes=MAX_FILE_BYTES)
    if sha256_of(data) != version_of(folder.parent, folder.name).manifest_sha256:
        raise DocumentError(
            f"{path}: its checksum is not the one in the index; the dataset was changed",
            code="dataset_changed",
            path=str(path),
        )
    manifest = read_json(data, Manifest, where=str(path))
    if manifest.name != folder.name:
        raise DocumentError(
            f"{path}: is the manifest of {manifest.name!r}; the folder is called {folder.name!r}",
            code="dataset_renamed",
            path=str(path),
            name=manifest.name,
            folder=folder.name,
        )
    return manifest


def read_episodes(folder: Path, manifest: Manifest) -> Iterator[Episode]:
    """Yield the episodes in the order of the manifest.

    Raises:
        UnknownName: A file is missing.
        DocumentError: A file is broken, was changed, or has another layout than the manifest.
    """
    for entry in manifest.samples:
        yield read_episode(folder, manifest, entry)


def read_episode(folder: Path, manifest: Manifest, entry: SampleEntry) -> Episode:
    """Return one episode; see `read_episodes`."""
    path, details_path = folder / f"{entry.name}.npz", folder / f"{entry.name}.json"
    text, data = (read_artifact(file, most_bytes=MAX_FILE_BYTES) for file in (details_path, path))
    for file, found, wanted in ((details_path, text, entry.details_sha256), (path, data, entry.sha256)):
        if sha256_of(found) != wanted:
            raise DocumentError(
                f"{file}: its checksum is not the one in the manifest; the file was changed",
                code="dataset_file_changed",
                path=str(file),
            )
    details = read_json(text, SampleDetails, where=str(details_path))
    if (details.feature_names, details.action_layout) != (manifest.layout.feature_names, manifest.layout.action_layout):
        raise DocumentError(
            f"{details_path}: its features or actions are not those of the manifest",
            code="sample_layout_mismatch",
            path=str(details_path),
        )
    episode = episode_from_npz(data, tuple(part.name for part in manifest.layout.observation), where=str(path))
    _check_arrays(episode, manifest, where=str(path))
    return episode


def audit(folder: Path) -> list[str]:
    """Recompute every checksum of a dataset and return one line per problem."""
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
            raise _malformed(
                f"{where}: {part.name} has shape {found}; the manifest says {part.shape}", where, part.name
            )
    options = len(manifest.layout.action_layout)
    if episode.masks.shape[1:] != (options,):
        found = episode.masks.shape[1:]
        raise _malformed(f"{where}: masks have shape {found}; there are {options} options", where, "masks")
    if episode.actions.min() < 0 or episode.actions.max() >= options:
        raise _malformed(f"{where}: an action is outside 0..{options - 1}", where, "actions")
    numbers = {"observation": episode.observation_rows, "rewards": episode.rewards, "values": episode.values}
    for name, array in numbers.items():
        if not np.isfinite(array).all():
            raise _malformed(f"{where}: {name} holds a number that is not finite", where, name)


def _malformed(message: str, where: str, array: str) -> DocumentError:
    return DocumentError(message, code="episode_arrays_invalid", path=where, array=array)
