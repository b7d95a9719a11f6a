"""`Catalogue`: lists thousands of runs at once, from the cache."""

import math
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from diorama.contracts.spec import Better
from diorama.runs.catalogue.scan import refresh
from diorama.runs.catalogue.store import delete_store, open_memory_store, open_store
from diorama.runs.documents import RawObject
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import ReplayFilter
from diorama.storage.json_text import decode_json

MANY_RUNS: Final = 1000
_HOLDS_SECONDS: Final = 1.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run in a listing.

    Attributes:
        status: As the metadata says, or `unreadable`.
        metadata: None if it is unreadable.
        replay_count: Entries of the replay index.
        tags: All tags of its replays, sorted.
        problem: What is wrong with the metadata or the index; None if nothing is.
    """

    run_id: str
    status: str
    updated_at: str
    metadata: RunMetadata | None
    replay_count: int
    tags: tuple[str, ...]
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunListing:
    """The newest runs, and how many there are in all."""

    rows: tuple[RunRow, ...]
    total: int


class Catalogue:
    """All runs below a root; a listing first looks what has changed. May be used by several threads.

    Where there are thousands of runs a look takes a while, and what it saw holds for a second.
    """

    def __init__(self, runs_root: Path) -> None:
        """Open the cache of a root, which need not exist."""
        self._root = runs_root
        self._lock = Lock()
        self._store = open_store(runs_root)
        self._holds_until = -math.inf

    def runs(
        self, *, limit: int | None = None, world: str | None = None, search: str | None = None, offset: int = 0
    ) -> RunListing:
        """List runs, the one that was updated last first.

        Args:
            limit: At most so many; None for all.
            world: Only of this world.
            search: Only with this text in their id, world, status or tags, in capitals or not.
            offset: Leave out so many of the newest.
        """
        wanted = _Wanted(limit=limit, world=world, search=search or None, offset=offset)
        return self._ask(lambda store: _list_runs(store, wanted))

    def replays(
        self, wanted: ReplayFilter, *, run_id: str | None = None, world: str | None = None
    ) -> list[ReplayEntry]:
        """List replays of one run, of one world or of all, newest first."""
        return self._ask(lambda store: _list_replays(store, wanted, run_id, world))

    def best_replay(self, world: str, metric: str, better: Better) -> tuple[str, ReplayEntry] | None:
        """Return the run and the entry of the best replay of a world by a metric, the newest of equals.

        Args:
            world: Only of this world.
            metric: Key of the metric.
            better: Which way it improves; the higher value is taken unless the lower is better.
        """
        return self._ask(lambda store: _best_replay(store, world, metric, better))

    def close(self) -> None:
        """Close the cache."""
        self._store.close()

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        asked_at = time.monotonic()
        with self._lock:
            try:
                # Those who waited for the same look share it.
                if self._holds_until < asked_at:
                    self._look()
                return question(self._store)
            except sqlite3.DatabaseError:
                return self._asked_anew(question)

    def _asked_anew(self, question: Callable[[sqlite3.Connection], T]) -> T:
        # It is only a cache: a broken one is made anew from the disk, in memory where the disk is full.
        self._store.close()
        delete_store(self._root)
        self._store = open_store(self._root)
        try:
            self._look()
            return question(self._store)
        except sqlite3.OperationalError:
            self._store.close()
            self._store = open_memory_store()
            self._look()
            return question(self._store)

    def _look(self) -> None:
        began = time.monotonic()
        count = refresh(self._store, self._root)
        self._holds_until = began + (_HOLDS_SECONDS if count >= MANY_RUNS else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    limit: int | None
    world: str | None
    search: str | None
    offset: int


_MATCHING: Final = (
    "FROM runs WHERE (?1 IS NULL OR world = ?1) AND (?2 IS NULL "
    "OR instr(lower(run_id || ' ' || coalesce(world, '') || ' ' || status || ' ' || tags), ?2))"
)


def _list_runs(store: sqlite3.Connection, wanted: _Wanted) -> RunListing:
    matching = (wanted.world, None if wanted.search is None else wanted.search.lower())
    (total,) = store.execute(f"SELECT count(*) {_MATCHING}", matching).fetchone()
    found = store.execute(
        f"SELECT run_id, status, updated_at, document, problem, replay_count, tags {_MATCHING} "
        "ORDER BY updated_at DESC, run_id DESC LIMIT ?3 OFFSET ?4",
        (*matching, -1 if wanted.limit is None else wanted.limit, wanted.offset),
    )
    rows = [
        RunRow(
            run_id=run_id,
            status=status,
            updated_at=updated_at,
            metadata=None if document is None else decode_json(document, RunMetadata, where=run_id),
            replay_count=replay_count,
            tags=tuple(tags.splitlines()),
            problem=problem,
        )
        for run_id, status, updated_at, document, problem, replay_count, tags in found
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
        entry = ReplayEntry.from_json(decode_json(stored, RawObject, where=owner), where=owner)
        if wanted.passes(entry) and (world is None or entry.world == world):
            passing.append(entry)
            if len(passing) == wanted.limit:
                break
    return passing


def _best_replay(store: sqlite3.Connection, world: str, metric: str, better: Better) -> tuple[str, ReplayEntry] | None:
    sign = -1.0 if better is Better.LOWER else 1.0
    # SQLite reads the one number it sorts by; thousands of entries would take long to decode.
    found = store.execute(
        "SELECT run_id, entry FROM (SELECT *, CAST(entry AS TEXT) AS document FROM replays) "
        "WHERE json_extract(document, '$.world') = ?1 "
        "ORDER BY ?3 * json_extract(document, ?2) DESC NULLS LAST, created_at DESC, replay_id DESC LIMIT 1",
        (world, f'$.metrics."{metric}"', sign),
    ).fetchone()
    if found is None:
        return None
    run_id, stored = found
    return run_id, ReplayEntry.from_json(decode_json(stored, RawObject, where=run_id), where=run_id)
