"""What belongs to a backup, in which order it is copied, and whether the copy is one that could go on."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.operate.backups.manifest import Kind, LiveFacts
from diorama.operate.live.journal.entries import TickLine
from diorama.operate.live.journal.segments import segments
from diorama.operate.live.request import journal_folder, latest_run
from diorama.operate.snapshots.loading import open_snapshot
from diorama.operate.snapshots.migrations import installed_migrations
from diorama.runs.documents import read_document
from diorama.runs.layout import RunLayout, check_id, is_run_id
from diorama.runs.metadata import RunMetadata
from diorama.runs.run import run_ids
from diorama.storage.atomic_files import UNFINISHED
from diorama.storage.line_files import whole_lines

_LOGS: Final = (".jsonl", ".ndjson")
_JOURNALS: Final = "journals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is backed up: the folder, what it is, and which runs of it."""

    root: Path
    kind: Kind
    runs: tuple[str, ...] = ()

    def paths(self) -> list[str]:
        """Return every file, relative to the folder, in the order in which a copy must be made.

        Documents come first: they never count what is not there yet. Files that are written once follow, and logs, to
        which lines are only added, come last: what a log begins at is then in the copy.
        """
        tops = [self.root / run_id for run_id in self.runs] if self.kind == "runs" else [self.root]
        found = [path.relative_to(self.root).as_posix() for top in tops for path in _files(top)]
        return sorted(found, key=lambda path: (_turn(path), path))


def is_log(path: str) -> bool:
    """Whether lines are added to a file; one that was put aside gets none any more."""
    return path.endswith(_LOGS)


def find_source(folder: Path, runs: Sequence[str] = ()) -> Source:
    """Find out what a folder holds: a live world, one run, or runs.

    Args:
        folder: Which.
        runs: Ids of the runs that are wanted; all of them unless given.

    Raises:
        UnknownName: There is no such folder or run.
        ConfigError: It holds neither, or runs are named and it is no directory of runs.
    """
    if not folder.is_dir():
        raise UnknownName(f"{folder} does not exist; name the folder of a live world, a run or a directory of runs")
    folder = folder.resolve()
    if (folder / _JOURNALS).is_dir():
        if runs:
            raise ConfigError(
                f"{folder} is the folder of a live world, of which runs cannot be chosen", code="backup_chooses_runs"
            )
        return Source(root=folder, kind="live")
    if RunLayout(folder).metadata.is_file() and is_run_id(folder.name) and not runs:
        return Source(root=folder.parent, kind="runs", runs=(folder.name,))
    known = [run_id for run_id in run_ids(folder) if RunLayout(folder / run_id).metadata.is_file()]
    if not known:
        raise ConfigError(
            f"{folder} holds no live world and no run; name the folder of one, such as live/townlet or runs",
            code="backup_source_empty",
            path=folder,
        )
    for run_id in runs:
        if check_id("run", run_id) not in known:
            raise UnknownName.among("run", run_id, known, code="unknown_run")
    return Source(root=folder, kind="runs", runs=tuple(sorted(set(runs))) or tuple(known))


def check_live(copy: Path) -> LiveFacts | None:
    """Return where the copy of a live world goes on; None for one that keeps no log.

    Raises:
        DocumentError: The log is broken, or the snapshot that it begins at is not there.
        SnapshotError: The snapshot is broken.
    """
    try:
        run_id = latest_run(copy)
    except UnknownName:
        return None
    known = segments(journal_folder(copy, run_id))
    if not known:
        return None
    newest, base = known[-1], known[-1].header.base
    ticks = [line.tick for line in newest.lines() if isinstance(line, TickLine)]
    found = sorted(path for path in copy.rglob(Path(base.path).name) if path.as_posix().endswith(f"/{base.path}"))
    if not found:
        raise DocumentError(
            f"the log of run {run_id!r} begins at {base.path}, which is not in the folder of the live world; back up "
            "the folder in which snapshot.root lies, too",
            code="backup_lacks_snapshot",
            snapshot=base.path,
        )
    document = open_snapshot(found[0], installed_migrations()).document
    if document.state_hash != base.state_hash:
        raise DocumentError(
            f"{base.path} holds state {document.state_hash}; the log begins at {base.state_hash}",
            code="backup_lacks_snapshot",
            snapshot=base.path,
        )
    tick = ticks[-1] if ticks else base.tick
    return LiveFacts(world=newest.header.world, run_id=run_id, tick=tick, state_hash=base.state_hash)


def check_run(copy: Path, listed: Sequence[str]) -> None:
    """Check that a copied run could be read and continued.

    Args:
        copy: Its folder.
        listed: The files that the run had when the copy was begun, relative to the same folder.

    Raises:
        DocumentError: A file of it is broken or missing.
    """
    layout = RunLayout(copy)
    metadata = read_document(layout.metadata, RunMetadata)
    lines = sum(1 for _ in whole_lines(layout.windows)) if layout.windows.is_file() else 0
    if lines < metadata.windows_emitted:
        raise DocumentError(
            f"run {copy.name!r} has {lines} windows; its metadata count {metadata.windows_emitted}",
            code="backup_incomplete",
            run_id=copy.name,
        )
    pattern = "resume_*.safetensors"
    if any(Path(path).match(f"checkpoints/{pattern}") for path in listed) and not any(layout.checkpoints.glob(pattern)):
        raise DocumentError(
            f"run {copy.name!r} has nothing to continue from in this copy", code="backup_incomplete", run_id=copy.name
        )


def _turn(path: str) -> int:
    if is_log(path):
        return 2
    return 0 if path.endswith(".json") else 1


def _files(top: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(top, followlinks=False):
        names.sort()
        for name in sorted(files):
            path = Path(folder, name)
            if UNFINISHED in name:
                continue
            try:
                is_plain = stat.S_ISREG(path.lstat().st_mode)
            except FileNotFoundError:
                continue
            if is_plain:
                yield path
