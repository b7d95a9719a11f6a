"""`replay_index.json`: the list of a run's replays, their tags, and how it is searched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import Document, RawObject, read_document, replace_document
from diorama.runs.layout import RunLayout, check_id
from diorama.runs.locks import waiting_turn
from diorama.runs.replays.entry import ReplayEntry

SCHEMA_VERSION: Final = 1

Tagging = Callable[[ReplayEntry, Sequence[ReplayEntry]], Sequence[str]]  # of an entry, given those before it


class _StoredIndex(Document, frozen=True, kw_only=True):
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    updated_at: str
    entries: list[RawObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayIndex:
    """All replays of a run, in the order in which they were added; `updated_at` is None before the first."""

    run_id: str
    updated_at: str | None
    entries: tuple[ReplayEntry, ...]

    def entry(self, replay_id: str) -> ReplayEntry:
        """Return one entry.

        Raises:
            ConfigError: The id is not allowed.
            UnknownName: There is no such replay.
        """
        check_id("replay", replay_id)
        for entry in self.entries:
            if entry.replay_id == replay_id:
                return entry
        newest = ", ".join(entry.replay_id for entry in self.find(ReplayFilter(limit=5))) or "none yet"
        raise UnknownName(f"run {self.run_id!r} has no replay {replay_id!r}; the newest are: {newest}")

    def find(self, wanted: "ReplayFilter") -> list[ReplayEntry]:
        """Return the entries that pass a filter, newest first."""
        passing = [entry for entry in self.entries if wanted.passes(entry)]
        return sorted(passing, key=lambda entry: entry.order, reverse=True)[: wanted.limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFilter:
    """Which replays are wanted; everything that is given must hold.

    Attributes:
        tag: The entry has exactly this tag.
        tags_any: It has at least one of these.
        tags_all: It has every one of these.
        window_id: It belongs to this window.
        limit: At most so many, newest first; None for all.
    """

    tag: str | None = None
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    window_id: int | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        """Refuse a limit that lets nothing through."""
        if self.limit is not None and self.limit < 1:
            raise ConfigError(f"limit is {self.limit}; use 1 or more")

    def passes(self, entry: ReplayEntry) -> bool:
        """Whether an entry is wanted."""
        return (
            (self.tag is None or self.tag in entry.tags)
            and (not self.tags_any or any(tag in entry.tags for tag in self.tags_any))
            and all(tag in entry.tags for tag in self.tags_all)
            and (self.window_id is None or self.window_id == entry.window_id)
        )


def read_index(layout: RunLayout) -> ReplayIndex:
    """Read the index of a run; empty if there is none yet.

    Raises:
        DocumentError: It is broken.
    """
    path = layout.replay_index
    try:
        stored = read_document(path, _StoredIndex, within=layout.directory)
    except UnknownName:
        return ReplayIndex(run_id=layout.run_id, updated_at=None, entries=())
    entries = [ReplayEntry.from_json(entry, where=f"{path} entry {at}") for at, entry in enumerate(stored.entries)]
    return ReplayIndex(run_id=stored.run_id, updated_at=stored.updated_at, entries=tuple(entries))


def add_to_index(layout: RunLayout, entry: ReplayEntry, tagging: Tagging, clock: Clock) -> ReplayEntry:
    """Add an entry, or replace the one of the same id, and return it with its tags.

    Args:
        layout: Of the run.
        entry: Without tags.
        tagging: Finds the tags.
        clock: Dates the index.

    Raises:
        StorageError: The disk refuses; the index is as it was.
    """
    # The trainer and an operator who forks may both be adding.
    with waiting_turn(layout.replays):
        earlier = [other for other in read_index(layout).entries if other.replay_id != entry.replay_id]
        tagged = msgspec.structs.replace(entry, tags=tuple(tagging(entry, earlier)))
        stored = _StoredIndex(
            run_id=layout.run_id,
            updated_at=timestamp(clock.now()),
            entries=[other.to_json() for other in (*earlier, tagged)],
        )
        replace_document(layout.replay_index, stored)
    return tagged
