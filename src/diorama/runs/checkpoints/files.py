"""Checkpoint files: where they lie, how they are written and read."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from diorama.contracts.errors import CheckpointMismatch, UnknownName
from diorama.runs.checkpoints.headers import CheckpointHeader, PolicyCheckpoint, RandomCheckpoint, Shape
from diorama.runs.checkpoints.tensor_files import TensorFile, open_tensors, read_header, write_tensors
from diorama.runs.documents import encode, read_document
from diorama.runs.layout import RunLayout
from diorama.storage.atomic_files import replace_file

if TYPE_CHECKING:
    from torch import Tensor

MODEL_PREFIX: Final = "model_state_dict."
_NAME: Final = re.compile(r"ckpt_(?P<window>\d{6,})\.(?:safetensors|json)")
_JSON_SUFFIX: Final = ".json"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPolicy:
    """What is known of a policy that lies on the disk; `sha256` is that of its file."""

    header: PolicyCheckpoint
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """An open file of a policy whose tensors have not been read; names are those of the module's own state."""

    stored: StoredPolicy
    shapes: Mapping[str, Shape]
    _file: TensorFile[PolicyCheckpoint]

    def tensors(self) -> "dict[str, Tensor]":
        """Read the tensors; they are valid while the file is open.

        Raises:
            DocumentError: The file is cut short.
        """
        return _without_prefix(self._file.tensors())


def checkpoint_path(layout: RunLayout, header: CheckpointHeader) -> Path:
    """Return where the checkpoint of a window lies."""
    suffix = _JSON_SUFFIX if isinstance(header, RandomCheckpoint) else ".safetensors"
    return layout.checkpoints / f"ckpt_{header.window_id:06d}{suffix}"


def checkpoint_paths(layout: RunLayout) -> list[Path]:
    """Return all checkpoints of a run, oldest window first.

    Raises:
        DocumentError: Their folder is a link.
    """
    layout.resolve(layout.relative(layout.checkpoints))
    found = [(_NAME.fullmatch(path.name), path) for path in layout.checkpoints.glob("ckpt_*")]
    numbered = [(int(match["window"]), path) for match, path in found if match is not None]
    return [path for _, path in sorted(numbered)]


def newest_checkpoint(layout: RunLayout) -> Path:
    """Return the checkpoint of the newest window.

    Raises:
        UnknownName: The run has none.
    """
    paths = checkpoint_paths(layout)
    if not paths:
        raise UnknownName(f"run {layout.run_id!r} has no checkpoint yet")
    return paths[-1]


def clone_path(layout: RunLayout) -> Path:
    """Return where the policy lies that a run had after imitating and before PPO, if the run keeps it."""
    return layout.checkpoints / "clone.safetensors"


def write_clone(layout: RunLayout, header: PolicyCheckpoint, tensors: "Mapping[str, Tensor]") -> None:
    """Write the policy that PPO begins from; it is no checkpoint of a window, and no run continues from it.

    Raises:
        StorageError: The disk refuses.
    """
    write_tensors(clone_path(layout), header, _model(tensors))


def _model(tensors: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    return {name: tensor for name, tensor in tensors.items() if name.startswith(MODEL_PREFIX)}


def write_checkpoint(layout: RunLayout, header: CheckpointHeader, tensors: "Mapping[str, Tensor]") -> str:
    """Write a checkpoint and return its SHA-256; of the tensors only those of the model are taken.

    Raises:
        StorageError: The disk refuses.
    """
    path = checkpoint_path(layout, header)
    if isinstance(header, PolicyCheckpoint):
        return write_tensors(path, header, _model(tensors))
    data = encode(header) + b"\n"
    replace_file(path, data)
    return hashlib.sha256(data).hexdigest()


def read_checkpoint_header(path: Path, *, within: Path | None = None) -> CheckpointHeader:
    """Read what a checkpoint says about itself, and none of its tensors.

    Args:
        path: Of the checkpoint.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is broken, or no ordinary file of the folder.
    """
    if path.suffix == _JSON_SUFFIX:
        return read_document(path, RandomCheckpoint, within=within)
    return read_header(path, PolicyCheckpoint, within=within)


@contextmanager
def open_policy(path: Path, *, sha256: str | None = None, within: Path | None = None) -> Iterator[PolicyFile]:
    """Open a trained policy, of which nothing but plain values and shapes is read yet.

    Args:
        path: A `ppo_torch_v1` file.
        sha256: What its bytes must hash to, if that is known.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is no such file.
        CheckpointMismatch: It holds no policy, or is not the one that was meant.
        DocumentError: It is broken, or no ordinary file of the folder.
    """
    if path.suffix == _JSON_SUFFIX:
        raise CheckpointMismatch(f"{path} is of a run with random actions; there is no policy in it")
    with open_tensors(path, PolicyCheckpoint, within=within) as file:
        found = file.sha256()
        if sha256 is not None and found != sha256:
            raise CheckpointMismatch(f"{path} has SHA-256 {found}; {sha256} is on record")
        yield PolicyFile(
            stored=StoredPolicy(header=file.document, sha256=found), shapes=_without_prefix(file.shapes), _file=file
        )


def _without_prefix(named: Mapping[str, T]) -> dict[str, T]:
    return {name.removeprefix(MODEL_PREFIX): value for name, value in named.items()}
