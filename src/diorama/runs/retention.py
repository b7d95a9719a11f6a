"""Which runs of a directory go, oldest first, and which never do."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Final

from diorama.contracts.errors import DioramaError, RunConflict, UnknownName
from diorama.runs.champions import champion_worlds, open_champion
from diorama.runs.layout import RunLayout
from diorama.runs.locks import DirectoryLock
from diorama.runs.metadata import RunMetadata
from diorama.runs.quota import bytes_below
from diorama.runs.run import open_run, run_ids
from diorama.storage.atomic_files import UNFINISHED, storage_errors

_SCORE: Final = "return_mean"
_LAST_WINDOWS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is kept: a run goes as soon as one of these is exceeded; None sets no bound.

    Attributes:
        age: Runs that were not written for longer go.
        count: So many of the newest runs stay.
        size_bytes: The newest runs stay that take no more than this together.
    """

    age: timedelta | None = None
    count: int | None = None
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run as retention sees it; `shield` says why it never goes, `reason` why it does."""

    run_id: str
    updated_at: datetime
    size_bytes: int
    shield: str | None = None
    reason: str | None = None


def plan_removal(runs_root: Path, retention: Retention, now: datetime, keep: Iterable[str] = ()) -> list[KeptRun]:
    """Return every run, newest first, with what becomes of it; nothing is removed.

    Runs that never go count all the same: they take up the count and the bytes that are allowed.

    Args:
        runs_root: Directory of the runs.
        retention: What is kept.
        now: From when ages count.
        keep: Ids of runs that must stay.

    Raises:
        UnknownName: A run that must stay does not exist.
    """
    known = run_ids(runs_root)
    shields = {}
    for run_id in keep:
        if run_id not in known:
            raise UnknownName.among("run", run_id, known, code="unknown_run")
        shields[run_id] = "named by --keep"
    found = {run_id: _metadata(runs_root, run_id) for run_id in known}
    shields = {**_best(runs_root, found), **_origins(), **shields}
    runs = [_seen(RunLayout(runs_root / run_id), metadata, shields.get(run_id)) for run_id, metadata in found.items()]
    planned: list[KeptRun] = []
    total = 0
    for place, run in enumerate(sorted(runs, key=lambda run: (run.updated_at, run.run_id), reverse=True), start=1):
        total += run.size_bytes
        reason = None if run.shield is not None else _reason(run, retention, now, place, total)
        if reason is not None:
            total -= run.size_bytes
        planned.append(
            KeptRun(
                run_id=run.run_id,
                updated_at=run.updated_at,
                size_bytes=run.size_bytes,
                shield=run.shield,
                reason=reason,
            )
        )
    return planned


def remove_run(runs_root: Path, run_id: str) -> bool:
    """Remove a run, which vanishes at once under its name; False where a process writes it by now.

    Raises:
        StorageError: The disk refuses.
    """
    directory = runs_root / run_id
    gone = runs_root / f".{run_id}{UNFINISHED}removed"
    try:
        lock = DirectoryLock(directory)
    except RunConflict:
        return False
    try:
        with storage_errors(directory):
            directory.rename(gone)
            shutil.rmtree(gone)
    finally:
        lock.release()
    return True


def _metadata(runs_root: Path, run_id: str) -> RunMetadata | None:
    try:
        return open_run(runs_root, run_id).metadata()
    except DioramaError:
        return None


def _seen(layout: RunLayout, metadata: RunMetadata | None, shield: str | None) -> KeptRun:
    if metadata is None:
        shield = "its metadata cannot be read"
        touched = datetime.fromtimestamp(layout.directory.stat().st_mtime).astimezone()
    else:
        touched = datetime.fromisoformat(metadata.updated_at)
    return KeptRun(
        run_id=layout.run_id,
        updated_at=touched,
        size_bytes=bytes_below(layout.directory),
        shield="it is being written" if _is_locked(layout.directory) else shield,
    )


def _is_locked(directory: Path) -> bool:
    try:
        DirectoryLock(directory).release()
    except RunConflict:
        return True
    return False


def _reason(run: KeptRun, retention: Retention, now: datetime, place: int, total: int) -> str | None:
    if retention.age is not None and now - run.updated_at > retention.age:
        return f"older than {retention.age.total_seconds() / 86400:g} days"
    if retention.count is not None and place > retention.count:
        return f"beyond the newest {retention.count}"
    if retention.size_bytes is not None and total > retention.size_bytes:
        return f"beyond {retention.size_bytes} bytes"
    return None


def _origins() -> Mapping[str, str]:
    """Return the runs that champions were taken from."""
    return {
        open_champion(world).card().origin_run_id: f"the champion of {world} was taken from it"
        for world in champion_worlds()
    }


def _best(runs_root: Path, found: Mapping[str, RunMetadata | None]) -> Mapping[str, str]:
    """Return the best run of every world in every configuration: on validation seeds, and by its last windows."""
    best: dict[tuple[str, str, str], tuple[float, str]] = {}
    for run_id, metadata in found.items():
        if metadata is None:
            continue
        for metric, score in _scores(runs_root, metadata, run_id):
            key = metadata.world, metadata.config_hash, metric
            best[key] = max(best.get(key, (score, run_id)), (score, run_id))
    return {run_id: f"the best of {world} by {metric}" for (world, _, metric), (_, run_id) in best.items()}


def _scores(runs_root: Path, metadata: RunMetadata, run_id: str) -> Iterator[tuple[str, float]]:
    if (checkpoint := metadata.best_checkpoint) is not None:
        yield f"{checkpoint.metric} on validation seeds", checkpoint.score
    try:
        rows = open_run(runs_root, run_id).windows()[-_LAST_WINDOWS:]
    except DioramaError:
        return
    values = [value for row in rows if isinstance(value := row.get(_SCORE), int | float)]
    if values:
        yield _SCORE, fmean(values)
