"""The index of a folder of datasets: which are learned from, and which are only kept."""

from pathlib import Path

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.learn.cloning.datasets.documents import INDEX_FILE, VersionEntry, VersionIndex, read_json, write_json


def read_versions(root: Path) -> VersionIndex:
    """Read the index of a folder; an empty one where there is none yet.

    Raises:
        DocumentError: It is broken.
    """
    path = root / INDEX_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return VersionIndex()
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from None
    return read_json(data, VersionIndex, where=str(path))


def version_of(root: Path, name: str) -> VersionEntry:
    """Return what the index says about a dataset.

    Raises:
        UnknownName: It does not know the dataset.
        DocumentError: It is broken.
    """
    index = read_versions(root)
    for entry in index.datasets:
        if entry.name == name:
            return entry
    raise UnknownName.among(f"dataset of {root}", name, [entry.name for entry in index.datasets] or ["none"])


def add_version(root: Path, name: str, manifest_sha256: str, *, replaces: str | None = None) -> None:
    """Enter a new dataset as active; the one it replaces becomes deprecated.

    Raises:
        UnknownName: There is nothing of that name to be replaced.
        StorageError: The disk refuses; the index is as before.
    """
    if replaces is not None:
        version_of(root, replaces)
    kept = [entry for entry in read_versions(root).datasets if entry.name != name]
    marked = [entry.model_copy(update={"status": "deprecated"}) if entry.name == replaces else entry for entry in kept]
    added = VersionEntry(name=name, status="active", manifest_sha256=manifest_sha256)
    write_json(root / INDEX_FILE, VersionIndex(datasets=(*marked, added)))
