"""Which checkpoints of a run stay: the newest, the best, and what a replay is still to be recorded from."""

from collections.abc import Mapping, Sequence, Set
from statistics import fmean
from typing import Final

from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.lines import read_lines

ROLLING_WINDOWS: Final = 10
"""Windows whose mean decides which checkpoint is the best: a single one swings too much."""


def retire_checkpoints(layout: RunLayout, *, newest: int, metric: str, owed: Set[int]) -> list[int]:
    """Remove every checkpoint but the newest few and the best, and return the windows of those that are gone.

    Args:
        layout: Of the run.
        newest: How many of the last ones stay.
        metric: Of the windows; the checkpoint is the best whose last windows have the highest mean of it.
        owed: Windows whose replays are still to be recorded from their checkpoints, which stay until then.
    """
    found = {read_checkpoint_header(path).window_id: path for path in checkpoint_paths(layout)}
    kept = set(sorted(found)[-newest:])
    best = best_window(read_lines(layout.windows, RawObject), sorted(found), metric)
    if best is not None:
        kept.add(best)
    gone = sorted(found.keys() - kept - owed)
    for window_id in gone:
        found[window_id].unlink(missing_ok=True)
    return gone


def best_window(rows: Sequence[Mapping[str, object]], windows: Sequence[int], metric: str) -> int | None:
    """Return the window, of those with a checkpoint, up to which the metric was highest; the later one of equals."""
    column = f"{metric}_mean"
    values = {row["window_id"]: row[column] for row in rows if isinstance(row.get(column), int | float)}
    known = sorted((int(str(place)), float(str(value))) for place, value in values.items())
    scores = []
    for window_id in windows:
        recent = [value for place, value in known if place <= window_id][-ROLLING_WINDOWS:]
        if recent:
            scores.append((fmean(recent), window_id))
    return max(scores)[1] if scores else None
