"""Reads datasets and refuses those that are not what they were when they were written."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from diorama.contracts.errors import DioramaError, DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.learn.cloning.datasets.documents import (
    MANIFEST_FILE,
    Manifest,
    SampleDetails,
    SampleEntry,
    read_bytes,
    read_json,
    sha256_of,
)
from diorama.learn.cloning.datasets.episode import Episode, unpacked
from diorama.learn.cloning.datasets.versions import version_of
from diorama.learn.cloning.datasets.writing import refuse_monotony


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
