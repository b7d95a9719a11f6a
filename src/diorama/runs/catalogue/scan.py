"""Looks at a root and brings the cache up to date; only what has changed is read."""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.clock import timestamp
from diorama.runs.documents import MAX_DOCUMENT_BYTES, decode, encode, read_bounded
from diorama.runs.layout import RunLayout, is_run_id
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index

UNREADABLE: Final = "unreadable"
_ABSENT: Final = "absent"


@dataclass(frozen=True, slots=True)
class _Seen:
    layout: RunLayout
    metadata_stamp: str
    index_stamp: str


def refresh(connection: sqlite3.Connection, runs_root: Path) -> None:
    """Bring the cache up to date with the disk."""
    seen = {item.layout.run_id: item for item in _look(runs_root)}
    known: dict[str, tuple[str, str]] = {
        run_id: (metadata_stamp, index_stamp)
        for run_id, metadata_stamp, index_stamp in connection.execute(
            "SELECT run_id, metadata_stamp, index_stamp FROM runs"
        )
    }
    gone = known.keys() - seen.keys()
    changed = [item for run_id, item in seen.items() if known.get(run_id) != (item.metadata_stamp, item.index_stamp)]
    if not gone and not changed:
        return
    with connection:
        for run_id in gone:
            connection.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))
            connection.execute("DELETE FROM replays WHERE run_id = ?", (run_id,))
        for item in changed:
            _store(connection, item)


def _look(runs_root: Path) -> Iterator[_Seen]:
    if not runs_root.is_dir():
        return
    with os.scandir(runs_root) as entries:
        for entry in entries:
            if is_run_id(entry.name) and entry.is_dir(follow_symlinks=False):
                layout = RunLayout(runs_root / entry.name)
                yield _Seen(layout, _stamp(layout.metadata), _stamp(layout.replay_index))


def _stamp(path: Path) -> str:
    """Return what changes whenever the file is replaced."""
    try:
        found = path.stat()
    except OSError:
        return _ABSENT
    return f"{found.st_mtime_ns}-{found.st_size}-{found.st_ino}"


def _store(connection: sqlite3.Connection, item: _Seen) -> None:
    layout = item.layout
    entries, index_problem = _entries(layout)
    document, metadata, problem = _metadata(layout)
    connection.execute(
        "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            layout.run_id,
            item.metadata_stamp,
            item.index_stamp,
            None if metadata is None else metadata.world,
            UNREADABLE if metadata is None else metadata.status.value,
            _last_touched(layout) if metadata is None else metadata.updated_at,
            document,
            problem or index_problem,
            len(entries),
        ),
    )
    connection.execute("DELETE FROM replays WHERE run_id = ?", (layout.run_id,))
    connection.executemany(
        "INSERT OR REPLACE INTO replays VALUES (?, ?, ?, ?, ?)",
        [
            (layout.run_id, entry.replay_id, entry.window_id, entry.created_at, encode(entry.to_json()))
            for entry in entries
        ],
    )


def _metadata(layout: RunLayout) -> tuple[bytes | None, RunMetadata | None, str | None]:
    try:
        document = read_bounded(layout.metadata, MAX_DOCUMENT_BYTES)
        return document, decode(document, RunMetadata, where=str(layout.metadata)), None
    except (DocumentError, UnknownName) as error:
        return None, None, str(error)


def _entries(layout: RunLayout) -> tuple[tuple[ReplayEntry, ...], str | None]:
    try:
        return read_index(layout).entries, None
    except (DocumentError, UnknownName) as error:
        return (), str(error)


def _last_touched(layout: RunLayout) -> str:
    return timestamp(datetime.fromtimestamp(layout.directory.stat().st_mtime, UTC))
