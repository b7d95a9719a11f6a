"""Files of a dataset of demonstrations: manifest, versions, hashes."""

import hashlib
import json
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, ValidationError

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.validation import first_problem
from diorama.storage.atomic_files import replace_file

MANIFEST_FILE: Final = "manifest.json"
INDEX_FILE: Final = "index.json"
FORMAT_VERSION: Final = 1
_SHA256: Final = r"^[0-9a-f]{64}$"
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"

DocumentT = TypeVar("DocumentT", bound=BaseModel)


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObservationPart(_Document):
    """A run of entries of the observation row that is stored as an array of its own."""

    name: str = Field(min_length=1)
    shape: tuple[PositiveInt, ...] = Field(min_length=1)


class Layout(_Document):
    """What the numbers of a dataset mean; a policy of another layout cannot learn from it."""

    world: str
    interface_version: str
    observation: tuple[ObservationPart, ...] = Field(min_length=1)
    feature_names: tuple[str, ...]
    action_layout: tuple[str, ...] = Field(min_length=1)

    def refuse_other(self, spec: WorldSpec, *, where: str) -> None:
        """Refuse a world, interface, observation or action table that is not the dataset's.

        Raises:
            DocumentError: With the first thing that differs.
        """
        width = sum(_size(part.shape) for part in self.observation)
        stored = (self.world, self.interface_version, width, self.action_layout)
        wanted = (spec.world, spec.interface_version, spec.obs_width, spec.option_names)
        names = ("world", "interface version", "observation width", "options")
        for name, found, asked in zip(names, stored, wanted, strict=True):
            if found != asked:
                raise DocumentError(f"{where}: its {name} is {found!r}; this needs {asked!r}")


class SampleDetails(_Document):
    """What is known about one stored episode; lies beside it."""

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
    """One line of a manifest."""

    name: str = Field(pattern=_NAME)
    scenario: str
    frames: PositiveInt
    decisions: NonNegativeInt
    sha256: str = Field(pattern=_SHA256, description="of the NPZ file")
    details_sha256: str = Field(pattern=_SHA256, description="of the JSON file")


class Manifest(_Document):
    """Everything a dataset consists of.

    Attributes:
        teacher: Who played.
        gamma: Discount of the stored values.
        action_counts: How often every option was chosen where there was a choice.
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
    """A dataset of a folder of datasets; a deprecated one is kept and no longer learned from."""

    name: str = Field(pattern=_NAME)
    status: Literal["active", "deprecated"]
    manifest_sha256: str = Field(pattern=_SHA256)


class VersionIndex(_Document):
    """All datasets of a folder, in the order in which they came."""

    format_version: Literal[1] = FORMAT_VERSION
    datasets: tuple[VersionEntry, ...] = ()


def as_json(document: BaseModel) -> bytes:
    """Return the text that is stored; equal documents give equal bytes."""
    return (json.dumps(document.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode()


def write_json(path: Path, document: BaseModel) -> str:
    """Store a document whole or not at all, and return its SHA-256."""
    data = as_json(document)
    replace_file(path, data)
    return sha256_of(data)


def read_json(data: bytes, kind: type[DocumentT], *, where: str) -> DocumentT:
    """Read a document.

    Raises:
        DocumentError: It is broken or of another form.
    """
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        raise DocumentError(f"{where}: {first_problem(error)}") from None


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise UnknownName(f"{path} does not exist") from None
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from None


def sha256_of(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for side in shape:
        size *= side
    return size


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
