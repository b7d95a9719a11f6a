"""`Catalogue`: lists thousands of runs at once, from the cache."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from diorama.runs.catalogue.scan import refresh
from diorama.runs.catalogue.store import delete_store, open_store
from diorama.runs.documents import RawObject, decode
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import ReplayFilter

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run in a listing.

    Attributes:
        status: As the metadata says, or `unreadable`.
        metadata: None if it is unreadable.
        replay_count: Entries of the replay index.
        problem: What is wrong with the metadata or the index; None if nothing is.
    """

    run_id: str
    status: str
    updated_at: str
    metadata: RunMetadata | None
    replay_count: int
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunListing:
    """The newest runs, and how many there are in all."""

    rows: tuple[RunRow, ...]
    total: int


class Catalogue:
    """All runs below a root; every listing first looks what has changed. May be used by several threads."""

    def __init__(self, runs_root: Path) -> None:
        """Open the cache of a root, which need not exist."""
        self._root = runs_root
        self._lock = Lock()
        self._store = open_store(runs_root)

    def runs(self, *, limit: int | None = None, world: str | None = None) -> RunListing:
        """List runs, the one that was updated last first."""
        return self._ask(lambda store: _list_runs(store, limit, world))

    def replays(
        self, wanted: ReplayFilter, *, run_id: str | None = None, world: str | None = None
    ) -> list[ReplayEntry]:
        """List replays of one run, of one world or of all, newest first."""
        return self._ask(lambda store: _list_replays(store, wanted, run_id, world))

    def close(self) -> None:
        """Close the cache."""
        self._store.close()

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                refresh(self._store, self._root)
                return question(self._store)
            except sqlite3.DatabaseError:
                # It is only a cache: a broken one is made anew from the disk.
                self._store.close()
                delete_store(self._root)
                self._store = open_store(self._root)
                refresh(self._store, self._root)
                return question(self._store)


def _list_runs(store: sqlite3.Connection, limit: int | None, world: str | None) -> RunListing:
    (total,) = store.execute("SELECT count(*) FROM runs WHERE ?1 IS NULL OR world = ?1", (world,)).fetchone()
    found = store.execute(
        "SELECT run_id, status, updated_at, document, problem, replay_count FROM runs WHERE ?1 IS NULL OR world = ?1 "
        "ORDER BY updated_at DESC, run_id DESC LIMIT ?2",
        (world, -1 if limit is None else limit),
    )
    rows = [
        RunRow(
            run_id=run_id,
            status=status,
            updated_at=updated_at,
            metadata=None if document is None else decode(document, RunMetadata, where=run_id),
            replay_count=replay_count,
            problem=problem,
        )
        for run_id, status, updated_at, document, problem, replay_count in found
    ]
    return RunListing(rows=tuple(rows), total=total)


def _list_replays(
    store: sqlite3.Connection, wanted: ReplayFilter, run_id: str | None, world: str | None
) -> list[ReplayEntry]:
    found = store.execute(
        "SELECT run_id, entry FROM replays WHERE ?1 IS NULL OR run_id = ?1 "
        "ORDER BY window_id DESC, created_at DESC, replay_id DESC",
        (run_id,),
    )
    passing: list[ReplayEntry] = []
    for owner, stored in found:
        entry = ReplayEntry.from_json(decode(stored, RawObject, where=owner), where=owner)
        if wanted.passes(entry) and (world is None or entry.world == world):
            passing.append(entry)
            if len(passing) == wanted.limit:
                break
    return passing
