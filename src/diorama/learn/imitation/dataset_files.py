"""Documents of a dataset of demonstrations: manifest, sample details, version index, checksums."""

import hashlib
import json
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, ValidationError

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.validation import first_problem
from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import check_count

MANIFEST_FILE: Final = "manifest.json"
INDEX_FILE: Final = "index.json"
FORMAT_VERSION: Final = 1
MAX_FILE_BYTES: Final = 1 << 30  # of an episode or a document, packed
_SHA256: Final = r"^[0-9a-f]{64}$"
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"

DocumentT = TypeVar("DocumentT", bound=BaseModel)


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObservationPart(_Document):
    """Consecutive entries of the observation row that are stored as one array."""

    name: str = Field(min_length=1)
    shape: tuple[PositiveInt, ...] = Field(min_length=1)


class Layout(_Document):
    """World, observation and action layout of a dataset; a policy needs the same layout to learn from it."""

    world: str
    interface_version: str
    observation: tuple[ObservationPart, ...] = Field(min_length=1)
    feature_names: tuple[str, ...]
    action_layout: tuple[str, ...] = Field(min_length=1)

    def check_matches(self, spec: WorldSpec, *, where: str) -> None:
        """Check that a world has the dataset's interface, observation width and options.

        Raises:
            DocumentError: Names the first difference.
        """
        width = sum(_size(part.shape) for part in self.observation)
        stored = (self.world, self.interface_version, width, self.action_layout)
        wanted = (spec.world, spec.interface_version, spec.obs_width, spec.option_names)
        names = ("world", "interface version", "observation width", "options")
        for name, found, asked in zip(names, stored, wanted, strict=True):
            if found != asked:
                raise DocumentError(
                    f"{where}: the dataset's {name} is {found!r}; the world's is {asked!r}",
                    code="dataset_layout_mismatch",
                    path=where,
                    part=name,
                    found=found,
                    expected=asked,
                )


class SampleDetails(_Document):
    """Metadata of one stored episode, in a JSON file beside its NPZ file."""

    agent: str
    scenario: str
    config_id: str
    seed: int
    tags: tuple[str, ...] = ()
    metrics: dict[str, float] = Field(default_factory=dict)
    feature_names: tuple[str, ...]
    action_layout: tuple[str, ...]
    frames: PositiveInt
    decisions: NonNegativeInt
    sha256: str = Field(pattern=_SHA256, description="of the NPZ file")


class SampleEntry(_Document):
    """Manifest entry of one stored episode."""

    name: str = Field(pattern=_NAME)
    scenario: str
    frames: PositiveInt
    decisions: NonNegativeInt
    sha256: str = Field(pattern=_SHA256, description="of the NPZ file")
    details_sha256: str = Field(pattern=_SHA256, description="of the JSON file")


class Manifest(_Document):
    """Contents of a dataset.

    Attributes:
        teacher: Name of the demonstrator.
        gamma: Discount of the stored values.
        action_counts: How often each option was chosen, counted over decisions that left a choice.
    """

    format_version: Literal[1] = FORMAT_VERSION
    name: str = Field(pattern=_NAME)
    teacher: str
    gamma: float = Field(ge=0.0, le=1.0)
    layout: Layout
    config_ids: tuple[str, ...]
    frames: PositiveInt
    decisions: NonNegativeInt
    action_counts: dict[str, NonNegativeInt]
    samples: tuple[SampleEntry, ...] = Field(min_length=1)


class VersionEntry(_Document):
    """Index entry of one dataset; a deprecated dataset stays on disk and can no longer be opened."""

    name: str = Field(pattern=_NAME)
    status: Literal["active", "deprecated"]
    manifest_sha256: str = Field(pattern=_SHA256)


class VersionIndex(_Document):
    """All datasets of a folder, in the order they were added."""

    format_version: Literal[1] = FORMAT_VERSION
    datasets: tuple[VersionEntry, ...] = ()


def as_json(document: BaseModel) -> bytes:
    """Return a document as it is stored; equal documents give equal bytes."""
    return (json.dumps(document.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode()


def write_json(path: Path, document: BaseModel) -> str:
    """Write a document atomically and return its SHA-256."""
    data = as_json(document)
    replace_file(path, data)
    return sha256_of(data)


def read_json(data: bytes, kind: type[DocumentT], *, where: str) -> DocumentT:
    """Return a parsed document.

    Raises:
        DocumentError: It is not JSON, or has other fields.
    """
    check_count(data, where)
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        problem = first_problem(error)
        raise DocumentError(
            f"{where}: {problem}", code="dataset_document_invalid", path=where, reason=problem
        ) from None


def sha256_of(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for side in shape:
        size *= side
    return size


def read_versions(root: Path) -> VersionIndex:
    """Return the index of a folder of datasets; an empty one if there is no index.

    Raises:
        DocumentError: The index is broken.
    """
    path = root / INDEX_FILE
    try:
        data = read_artifact(path, most_bytes=MAX_FILE_BYTES)
    except UnknownName:
        return VersionIndex()
    return read_json(data, VersionIndex, where=str(path))


def version_of(root: Path, name: str) -> VersionEntry:
    """Return the index entry of a dataset.

    Raises:
        UnknownName: The index has no such dataset.
        DocumentError: The index is broken.
    """
    index = read_versions(root)
    for entry in index.datasets:
        if entry.name == name:
            return entry
    known = [entry.name for entry in index.datasets] or ["none"]
    raise UnknownName.among(f"dataset of {root}", name, known, code="unknown_dataset")


def add_version(root: Path, name: str, manifest_sha256: str, *, replaces: str | None = None) -> None:
    """Add a dataset to the index as active, and mark the one it replaces as deprecated.

    Raises:
        UnknownName: The index has no dataset of the name to replace.
        StorageError: The index cannot be written; it stays as it was.
    """
    if replaces is not None:
        version_of(root, replaces)
    kept = [entry for entry in read_versions(root).datasets if entry.name != name]
    marked = [entry.model_copy(update={"status": "deprecated"}) if entry.name == replaces else entry for entry in kept]
    added = VersionEntry(name=name, status="active", manifest_sha256=manifest_sha256)
    write_json(root / INDEX_FILE, VersionIndex(datasets=(*marked, added)))
