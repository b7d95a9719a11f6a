"""`validation.json`: how checkpoints of a run did on validation seeds, by which the best one is chosen."""

from collections.abc import Collection, Sequence
from typing import Final, Literal

from diorama.contracts.errors import UnknownName
from diorama.runs.documents import Document, read_document, replace_document
from diorama.runs.layout import RunLayout

SCHEMA_VERSION: Final = 1


class ValidatedCheckpoint(Document, frozen=True, kw_only=True):
    """A checkpoint and its score on validation seeds.

    Attributes:
        metric: What the score is the mean of; higher is better.
        episodes: Validation seeds that were played.
        standard_error: Of the score, over the seeds.
    """

    window_id: int
    env_steps_total: int
    path: str
    sha256: str
    created_at: str
    metric: str
    episodes: int
    score: float
    standard_error: float


class _Scores(Document, frozen=True, kw_only=True):
    schema_version: Literal[1] = SCHEMA_VERSION
    checkpoints: tuple[ValidatedCheckpoint, ...] = ()


def read_validation(layout: RunLayout) -> tuple[ValidatedCheckpoint, ...]:
    """Return the validated checkpoints of a run, oldest first; none where the run has no such file.

    Raises:
        DocumentError: The file is broken.
    """
    try:
        return read_document(layout.validation, _Scores, within=layout.directory).checkpoints
    except UnknownName:
        return ()


def write_validation(layout: RunLayout, checkpoints: Sequence[ValidatedCheckpoint]) -> None:
    """Replace the validated checkpoints of a run.

    Raises:
        StorageError: The disk refuses; the previous file is untouched.
    """
    in_order = sorted(checkpoints, key=lambda checkpoint: checkpoint.window_id)
    replace_document(layout.validation, _Scores(checkpoints=tuple(in_order)))


def best_validated(
    checkpoints: Sequence[ValidatedCheckpoint], *, kept: Collection[str] | None = None
) -> ValidatedCheckpoint | None:
    """Return the newest checkpoint whose score lies within a standard error of the highest; None of none.

    The highest of several noisy scores is mostly the luckiest. Where they cannot be told apart, the checkpoint that has
    learned for longest is the better guess.

    Args:
        checkpoints: Everything that was judged.
        kept: Paths of those whose files are still there; all unless given. Deleted ones still say what is high.
    """
    present = [row for row in checkpoints if kept is None or row.path in kept]
    if not present:
        return None
    highest = max(checkpoints, key=lambda row: row.score)
    equals = [row for row in present if row.score >= highest.score - highest.standard_error]
    return max(equals, key=lambda row: row.window_id) if equals else max(present, key=lambda row: row.score)
