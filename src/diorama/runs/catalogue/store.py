"""The SQLite file: opened, and made anew whenever it is missing, broken, of another version or out of reach."""

import sqlite3
from pathlib import Path
from typing import Final

NAME: Final = ".catalogue.sqlite"  # begins with a dot, so it can be no run
_VERSION: Final = 2
_BUSY_SECONDS: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    metadata_stamp TEXT NOT NULL,
    index_stamp TEXT NOT NULL,
    world TEXT,
    status TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    document BLOB,
    problem TEXT,
    replay_count INTEGER NOT NULL,
    tags TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (updated_at DESC, run_id DESC);
CREATE TABLE replays (
    run_id TEXT NOT NULL,
    replay_id TEXT NOT NULL,
    window_id INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (run_id, replay_id)
) WITHOUT ROWID;
CREATE INDEX replays_by_age ON replays (window_id DESC, created_at DESC, replay_id DESC);
"""


def open_store(runs_root: Path) -> sqlite3.Connection:
    """Return the cache of a root, made anew if need be; in memory where it cannot be kept on the disk."""
    path = runs_root / NAME
    try:
        return _prepared(path)
    except sqlite3.OperationalError:
        # No root, a read-only one, or somebody who does not let go: the cache is only as good as this process.
        return open_memory_store()
    except sqlite3.DatabaseError:
        delete_store(runs_root)
        return _prepared(path)


def open_memory_store() -> sqlite3.Connection:
    """Return an empty cache that is kept nowhere."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    with connection:
        _create_tables(connection)
    return connection


def delete_store(runs_root: Path) -> None:
    """Remove the cache; the next `open_store` makes another."""
    for suffix in ("", "-wal", "-shm"):
        (runs_root / f"{NAME}{suffix}").unlink(missing_ok=True)


def _prepared(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        with connection:
            # Taken before the version is read, so that two processes do not both create the tables.
            connection.execute("BEGIN IMMEDIATE")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                _create_tables(connection)
            elif version != _VERSION:
                raise sqlite3.DatabaseError(f"version {version}")
    except BaseException:
        connection.close()
        raise
    return connection


def _create_tables(connection: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version={_VERSION}")
