"""What only a resume needs: optimizer, random numbers, copies, open windows; kept for the newest checkpoint."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.runs.checkpoints.files import MODEL_PREFIX, checkpoint_path, write_checkpoint
from diorama.runs.checkpoints.headers import CheckpointHeader, Shape
from diorama.runs.checkpoints.tensor_files import open_tensors, write_arrays, write_tensors
from diorama.runs.documents import Document, RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import LatestCheckpoint

if TYPE_CHECKING:
    from torch import Tensor

_NAME: Final = re.compile(r"resume_(?P<window>\d{6,})\.safetensors")
_SNAPSHOTS: Final = "environments.snapshots"  # one after another, as bytes
_MAX_VALUES: Final = 1 << 24  # of all callbacks and of the open window
_OFFSETS: Final = "environments.offsets"  # where each begins, and the end of the last


class TrainingState(Protocol):
    """A trainer at the moment of a checkpoint, as its own state says it."""

    @property
    def tensors(self) -> "Mapping[str, Tensor]":
        """Tensors under dotted names; those of the policy begin with `model_state_dict.`."""

    @property
    def values(self) -> JsonObject:
        """Counters, positions, states of random generators."""

    @property
    def snapshots(self) -> Sequence[bytes]:
        """One per copy, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTraining:
    """A `TrainingState` read back."""

    tensors: "dict[str, Tensor]"
    values: RawObject
    snapshots: list[bytes]


class ResumeHeader(Document, frozen=True, kw_only=True):
    """What a resume file holds beside its tensors.

    Attributes:
        checkpoint_path: The checkpoint written with it, relative to the run.
        has_tensors: Whether the trainer has tensors, the policy's among them.
        config_hash: Of the world's configuration.
        trainer_state: Values of the trainer.
        services: States of whatever else must continue exactly, by name.
    """

    resume_format: Literal["resume_v1"] = "resume_v1"
    run_id: str
    window_id: int
    env_steps_total: int
    checkpoint_path: str
    checkpoint_sha256: str
    config_hash: str
    created_at: str
    has_tensors: bool
    trainer_state: RawObject
    services: RawObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumePoint:
    """Everything a run continues from."""

    header: ResumeHeader
    training: StoredTraining

    def service(self, name: str) -> RawObject:
        """Return the state of a service.

        Raises:
            DocumentError: There is none.
        """
        state = self.header.services.get(name)
        if not isinstance(state, dict):
            raise DocumentError(f"there is no state of {name!r} to continue from in window {self.header.window_id}")
        return state


def save_training(
    layout: RunLayout,
    header: CheckpointHeader,
    training: TrainingState,
    *,
    config_hash: str,
    services: Mapping[str, JsonObject],
) -> LatestCheckpoint:
    """Write a checkpoint and, beside it, what a resume needs; then forget what an older resume would have needed.

    A resume file stands alone, the policy's tensors included: whenever this is interrupted, the newest one is whole,
    even if the checkpoint of the same window was already replaced.

    Raises:
        StorageError: The disk refuses.
    """
    sha256 = write_checkpoint(layout, header, training.tensors)
    resume_header = ResumeHeader(
        run_id=header.run_id,
        window_id=header.window_id,
        env_steps_total=header.env_steps_total,
        checkpoint_path=layout.relative(checkpoint_path(layout, header)),
        checkpoint_sha256=sha256,
        config_hash=config_hash,
        created_at=header.created_at,
        has_tensors=bool(training.tensors),
        trainer_state=dict(training.values),
        services=dict(services),
    )
    path = layout.checkpoints / f"resume_{header.window_id:06d}.safetensors"
    _write(path, resume_header, training)
    _remove_older(path)
    return latest_checkpoint(resume_header)


def latest_checkpoint(header: ResumeHeader) -> LatestCheckpoint:
    """Return the checkpoint a resume file belongs to, as the metadata of a run names it."""
    return LatestCheckpoint(
        window_id=header.window_id,
        env_steps_total=header.env_steps_total,
        path=header.checkpoint_path,
        sha256=header.checkpoint_sha256,
        created_at=header.created_at,
    )


def newest_resume_point(layout: RunLayout) -> ResumePoint:
    """Read what the run continues from.

    Raises:
        UnknownName: The run has no checkpoint to continue from.
        DocumentError: The file is broken.
    """
    found = _resume_paths(layout.checkpoints)
    if not found:
        raise UnknownName(f"run {layout.run_id!r} has nothing to continue from; it ended before its first checkpoint")
    path = found[-1]
    with open_tensors(path, ResumeHeader, within=layout.directory, most_values=_MAX_VALUES) as file:
        header = file.document
        data, offsets = file.arrays((_SNAPSHOTS, _OFFSETS))
        snapshots = [data[start:stop].tobytes() for start, stop in pairwise(_bounds(path, data, offsets))]
        tensors = {name: tensor.clone() for name, tensor in file.tensors().items()} if header.has_tensors else {}
    for name in (_SNAPSHOTS, _OFFSETS):
        tensors.pop(name, None)
    training = StoredTraining(tensors=tensors, values=header.trainer_state, snapshots=snapshots)
    return ResumePoint(header=header, training=training)


def newest_model_shapes(layout: RunLayout) -> dict[str, Shape] | None:
    """Return the shapes of the policy's tensors that the run continues from, of which none is read.

    Returns:
        Shapes under the names of the module's own state; None where there is nothing to continue from, or no policy.

    Raises:
        DocumentError: The file is broken.
    """
    found = _resume_paths(layout.checkpoints)
    if not found:
        return None
    with open_tensors(found[-1], ResumeHeader, within=layout.directory, most_values=_MAX_VALUES) as file:
        model = {name: shape for name, shape in file.shapes.items() if name.startswith(MODEL_PREFIX)}
    return {name.removeprefix(MODEL_PREFIX): shape for name, shape in model.items()} or None


def _bounds(path: Path, data: NDArray[np.generic], offsets: NDArray[np.generic]) -> list[int]:
    if data.dtype == np.uint8 and offsets.dtype == np.int64 and data.ndim == offsets.ndim == 1:
        bounds: list[int] = offsets.tolist()
        if bounds and (bounds[0], bounds[-1]) == (0, len(data)) and bounds == sorted(bounds):
            return bounds
    raise DocumentError(f"{path}: {_OFFSETS} must be growing places in {_SNAPSHOTS}, from its beginning to its end")


def _write(path: Path, header: ResumeHeader, training: TrainingState) -> None:
    arrays: dict[str, NDArray[np.generic]] = {
        _SNAPSHOTS: np.frombuffer(bytearray().join(training.snapshots), np.uint8),
        _OFFSETS: np.cumsum([0, *(len(snapshot) for snapshot in training.snapshots)], dtype=np.int64),
    }
    if not header.has_tensors:
        write_arrays(path, header, arrays)
        return
    from torch import from_numpy

    snapshots = {name: from_numpy(array) for name, array in arrays.items()}
    write_tensors(path, header, {**training.tensors, **snapshots})


def _resume_paths(directory: Path) -> list[Path]:
    found = [(_NAME.fullmatch(path.name), path) for path in directory.glob("resume_*")]
    return [path for _, path in sorted((int(match["window"]), path) for match, path in found if match is not None)]


def _remove_older(path: Path) -> None:
    paths = _resume_paths(path.parent)
    for older in paths[: paths.index(path)]:
        older.unlink()
