"""`RunWriter`: the one process that writes a run."""

import os
import shutil
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from diorama.contracts.errors import DocumentError, RunConflict
from diorama.contracts.values import JsonObject
from diorama.runs.checkpoints.headers import CheckpointHeader
from diorama.runs.checkpoints.resume import (
    ResumePoint,
    TrainingState,
    latest_checkpoint,
    newest_resume_point,
    save_training,
)
from diorama.runs.clock import Clock
from diorama.runs.documents import RawObject, encode, read_document, replace_document
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.lines import read_lines
from diorama.runs.locks import DirectoryLock
from diorama.runs.metadata import LatestCheckpoint, RunMetadata
from diorama.runs.metadata_keeper import MetadataKeeper
from diorama.runs.quota import check_quota
from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from diorama.runs.windows.row import Totals, WindowRow
from diorama.storage.atomic_files import UNFINISHED, remove_unfinished, storage_errors, sync_directory
from diorama.storage.line_files import LineFile


class RunWriter:
    """Writes windows, checkpoints and metadata of one run; while it is open no other process can.

    Attributes:
        layout: Where things lie.
        keeper: The metadata.
    """

    def __init__(self, layout: RunLayout, lock: DirectoryLock, metadata: RunMetadata, clock: Clock) -> None:
        """Take over a locked run; use `create_run` or `continue_run`."""
        self.layout = layout
        self.keeper = MetadataKeeper(layout, metadata, clock)
        self._lock = lock
        self._log = LineFile(layout.windows)

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the run."""
        self.close()

    def write_windows(self, rows: Sequence[WindowRow], totals: Totals) -> None:
        """Add rows in the order in which their windows closed.

        Raises:
            StorageError: The disk refuses; none of the rows was added.
        """
        if rows:
            self._log.append(*(encode(row) for row in rows))
            self.keeper.windows_closed(rows, totals)

    def write_checkpoint(
        self, header: CheckpointHeader, training: TrainingState, *, services: Mapping[str, JsonObject]
    ) -> LatestCheckpoint:
        """Write a checkpoint together with everything a resume from it needs.

        Args:
            header: What the checkpoint says about itself.
            training: The state of the trainer.
            services: States of whatever else must continue exactly, by name; above all the windows.

        Raises:
            StorageError: The disk refuses; the checkpoint before is still there to continue from.
        """
        # A power cut must not take away windows that the checkpoint counts as written.
        self._log.sync()
        written = save_training(
            self.layout, header, training, config_hash=self.keeper.current.config_hash, services=services
        )
        self.keeper.checkpoint_written(written)
        return written

    def continue_from(self, point: ResumePoint, totals: Totals, *, target_env_steps: int) -> None:
        """Forget what was written after the checkpoint: it will be written again, and come out the same.

        Args:
            point: What the run continues from.
            totals: Counters of the run at that point.
            target_env_steps: Env steps of the whole run.

        Raises:
            DocumentError: Windows that the checkpoint counts are missing.
            StorageError: The disk refuses.
        """
        rows = list(islice(read_lines(self.layout.windows, RawObject, within=self.layout.directory), totals.windows))
        if len(rows) < totals.windows:
            raise DocumentError(
                f"{self.layout.windows} has {len(rows)} lines; {totals.windows} are needed to continue from here"
            )
        # The metadata first: it must never count windows that are not there.
        self.keeper.resumed(
            totals,
            latest_row=rows[-1] if rows else None,
            checkpoint=latest_checkpoint(point.header),
            checkpoints_written=self._checkpoints_until(point),
            replays_written=len([entry for entry in read_index(self.layout).entries if entry.forked_from is None]),
            target_env_steps=target_env_steps,
        )
        self._log.keep(totals.windows)

    def _checkpoints_until(self, point: ResumePoint) -> int:
        """Count what was written up to a checkpoint, whether its files have been removed since or not."""
        known = self.keeper.current
        # Whoever was killed right after writing it did not get to count it.
        return known.checkpoints_written + (known.latest_checkpoint != latest_checkpoint(point.header))

    def close(self) -> None:
        """Let go of the run, with everything on the disk.

        Raises:
            StorageError: The disk refuses.
        """
        try:
            self.keeper.close()
        finally:
            self._log.close()
            self._lock.release()


def create_run(runs_root: Path, metadata: RunMetadata, config: JsonObject, clock: Clock) -> RunWriter:
    """Start a run; its directory appears with configuration and metadata in it.

    Raises:
        ConfigError: The run id is not allowed.
        RunConflict: There is a run of that id.
        QuotaReached: The directory of runs has taken what it may.
        StorageError: The disk refuses.
    """
    layout = run_layout(runs_root, metadata.run_id)
    if layout.directory.exists():
        raise RunConflict(f"{layout.directory} exists already; choose another run id, or resume that run")
    check_quota(runs_root)
    unfinished = RunLayout(runs_root / f".{metadata.run_id}{UNFINISHED}{os.getpid()}")
    with storage_errors(layout.directory):
        # What a killed process of the same number may have left.
        shutil.rmtree(unfinished.directory, ignore_errors=True)
        unfinished.directory.mkdir(parents=True)
        try:
            replace_document(unfinished.config, config)
            replace_document(unfinished.metadata, metadata)
            unfinished.directory.rename(layout.directory)
        except BaseException:
            shutil.rmtree(unfinished.directory)
            raise
        sync_directory(runs_root)
    return RunWriter(layout, DirectoryLock(layout.directory), metadata, clock)


def continue_run(runs_root: Path, run_id: str, clock: Clock) -> tuple[RunWriter, ResumePoint]:
    """Take over a run that ended or was killed, with what it continues from.

    Raises:
        UnknownName: There is no such run, or it has no checkpoint yet.
        RunConflict: Another process is writing it.
        DocumentError: A file of it is broken.
    """
    layout = open_run(runs_root, run_id).layout
    lock = DirectoryLock(layout.directory)
    try:
        for inside in layout.directory.iterdir():
            if inside.is_dir():
                layout.resolve(inside.name)  # a link would lead what is written out of the run
        for directory in (layout.directory, layout.windows.parent, layout.checkpoints, layout.replays):
            remove_unfinished(directory)
        point = newest_resume_point(layout)
        return RunWriter(
            layout, lock, read_document(layout.metadata, RunMetadata, within=layout.directory), clock
        ), point
    except BaseException:
        lock.release()
        raise
