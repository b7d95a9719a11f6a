"""Looks at a root and brings the cache up to date; only what has changed is read."""

import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.clock import timestamp
from diorama.runs.documents import MAX_DOCUMENT_BYTES, encode
from diorama.runs.layout import RunLayout, run_entries
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index
from diorama.storage.artifact_files import read_artifact
from diorama.storage.json_text import decode_json

UNREADABLE: Final = "unreadable"
_ABSENT: Final = "absent"
_ANY: Final = RunLayout(Path())


@dataclass(frozen=True, slots=True)
class _Seen:
    layout: RunLayout
    metadata_stamp: str
    index_stamp: str


def refresh(connection: sqlite3.Connection, runs_root: Path) -> int:
    """Bring the cache up to date with the disk and return how many runs there are."""
    seen = _look(runs_root)
    known: dict[str, tuple[str, str]] = {
        run_id: (metadata_stamp, index_stamp)
        for run_id, metadata_stamp, index_stamp in connection.execute(
            "SELECT run_id, metadata_stamp, index_stamp FROM runs"
        )
    }
    if seen == known:
        return len(seen)
    with connection:
        for run_id in known.keys() - seen.keys():
            connection.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))
            connection.execute("DELETE FROM replays WHERE run_id = ?", (run_id,))
        for run_id, stamps in seen.items():
            if known.get(run_id) != stamps:
                _store(connection, _Seen(RunLayout(runs_root / run_id), *stamps))
    return len(seen)


def _look(runs_root: Path) -> dict[str, tuple[str, str]]:
    """Return every run with the stamps of its metadata and its index; plain texts, for there may be thousands."""
    metadata, index = (f"{os.sep}{path.name}" for path in (_ANY.metadata, _ANY.replay_index))
    return {entry.name: (_stamp(entry.path + metadata), _stamp(entry.path + index)) for entry in run_entries(runs_root)}


def _stamp(path: str) -> str:
    """Return what changes whenever the file is replaced or edited."""
    try:
        found = os.stat(path)  # noqa: PTH116  (a path object would cost more than the question)
    except OSError:
        return _ABSENT
    return f"{found.st_mtime_ns}-{found.st_size}-{found.st_ino}"


def _store(connection: sqlite3.Connection, item: _Seen) -> None:
    layout = item.layout
    entries, index_problem = _entries(layout)
    document, metadata, problem = _metadata(layout)
    connection.execute(
        "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            "\n".join(sorted({tag for entry in entries for tag in entry.tags})),
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
        document = read_artifact(layout.metadata, within=layout.directory, most_bytes=MAX_DOCUMENT_BYTES)
        return document, decode_json(document, RunMetadata, where=str(layout.metadata)), None
    except (DocumentError, UnknownName) as error:
        return None, None, str(error)


def _entries(layout: RunLayout) -> tuple[tuple[ReplayEntry, ...], str | None]:
    try:
        return read_index(layout).entries, None
    except DocumentError as error:
        return (), str(error)


def _last_touched(layout: RunLayout) -> str:
    try:
        seconds = layout.directory.stat().st_mtime
    except OSError:
        seconds = 0.0  # it was deleted since it was seen, and the next look leaves it out
    return timestamp(datetime.fromtimestamp(seconds, UTC))
