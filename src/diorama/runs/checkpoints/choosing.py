"""Which checkpoint of a run is used: the best by its validation, the newest, one of a window, or the clone."""

from pathlib import Path
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.runs.checkpoints.files import checkpoint_paths, clone_path, newest_checkpoint, read_checkpoint_header
from diorama.runs.documents import read_document
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import RunMetadata

NEWEST: Final = "newest"
BEST: Final = "best"
CLONE: Final = "clone"


def choose_checkpoint(layout: RunLayout, choice: str | None = None) -> Path:
    """Return a checkpoint of a run.

    Args:
        layout: Of the run.
        choice: `newest`, `best`, `clone` or the number of a window; by default the best where the run has marked one,
            else the newest.

    Raises:
        UnknownName: The run has no such checkpoint.
        DocumentError: The metadata of the run are broken.
    """
    if choice is None:
        return best_checkpoint(layout) or newest_checkpoint(layout)
    if choice == NEWEST:
        return newest_checkpoint(layout)
    if choice == BEST:
        return _present(layout, choice, best_checkpoint(layout))
    if choice == CLONE:
        path = clone_path(layout)
        return _present(layout, choice, path if path.exists() else None)
    folder = layout.directory
    by_window = {str(read_checkpoint_header(path, within=folder).window_id): path for path in checkpoint_paths(layout)}
    if choice not in by_window:
        raise UnknownName.among(
            f"checkpoint of run {layout.run_id!r}", choice, (NEWEST, BEST, CLONE, *by_window), code="unknown_checkpoint"
        )
    return by_window[choice]


def best_checkpoint(layout: RunLayout) -> Path | None:
    """Return the checkpoint that the metadata mark as the best; None where they mark none that is still there."""
    try:
        best = read_document(layout.metadata, RunMetadata, within=layout.directory).best_checkpoint
        if best is None:
            return None
        path = layout.resolve(best.path)
        header = read_checkpoint_header(path, within=layout.directory)
    except UnknownName:
        return None
    # A run that was continued from an earlier checkpoint may have put another one in its place.
    return path if header.env_steps_total == best.env_steps_total else None


def _present(layout: RunLayout, choice: str, path: Path | None) -> Path:
    if path is not None:
        return path
    reason = {
        BEST: "it chose none; evaluation.validation_episodes makes a run choose one",
        CLONE: "it kept none; checkpoints.keep_clone makes a run that imitates keep one",
    }[choice]
    raise UnknownName(
        f"run {layout.run_id!r} has no checkpoint {choice!r}: {reason}",
        code=f"no_{choice}_checkpoint",
        run_id=layout.run_id,
    )
