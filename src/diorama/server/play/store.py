"""`SessionStore`: the sessions that exist, how many there may be, and which have been forgotten."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic

from diorama.runs.clock import Clock
from diorama.server.play.errors import SessionLimit, SessionUnknown
from diorama.server.play.limits import PlayLimits
from diorama.server.play.room_entry import EntryT
from diorama.server.shares import VISITOR, Shares


class SessionStore(Generic[EntryT]):
    """All sessions of this process; used from the event loop alone."""

    def __init__(self, limits: PlayLimits, clock: Clock, shares: Shares) -> None:
        """Begin with none."""
        self._limits = limits
        self._shares = shares
        self._clock = clock
        self._entries: dict[str, EntryT] = {}
        self._opening: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self._entries)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Hold a place while a session is being opened.

        Raises:
            SessionLimit: All places are taken, or all of the visitor's share.
        """
        visitor, limit = VISITOR.get(), self._limits.sessions
        if len(self._entries) + self._opening.total() >= limit:
            raise SessionLimit(f"{limit} play sessions are open, as many as there may be; try again later")
        own = sum(entry.visitor == visitor for entry in self._entries.values()) + self._opening[visitor]
        if own >= self._shares.of(limit):
            raise SessionLimit(
                f"your address has {own} of the {limit} play sessions, its share of them; end one of them first",
                code="session_share_used",
            )
        self._opening[visitor] += 1
        try:
            yield
        finally:
            self._opening[visitor] -= 1

    def add(self, entry: EntryT) -> None:
        """Put a session on the list.

        Raises:
            SessionLimit: There is no memory for it.
        """
        limit = self._limits.memory_bytes
        own = sum(one.memory_bytes for one in self._entries.values() if one.visitor == entry.visitor)
        held = sum(one.memory_bytes for one in self._entries.values())
        if held + entry.memory_bytes > limit or own + entry.memory_bytes > self._shares.of(limit):
            raise SessionLimit(
                f"the session needs {entry.memory_bytes >> 20} MiB, which the {limit >> 20} MiB of all play sessions "
                "do not leave for your address; end one first, or ask for less",
                code="session_memory_used",
            )
        self._entries[entry.session_id] = entry

    def discard(self, entry: EntryT) -> None:
        """Take a session off the list that cannot go on, if it is still there."""
        entry.gone.set()
        self._entries.pop(entry.session_id, None)

    def get(self, session_id: str) -> EntryT:
        """Return a session and take note that it was asked for.

        Raises:
            SessionUnknown: There is none, or it has expired.
        """
        entry = self._entries.get(session_id)
        if entry is None or self._has_expired(entry):
            raise SessionUnknown.of(session_id)
        entry.touch(self._clock)
        return entry

    def remove(self, session_id: str) -> EntryT:
        """Take a session off the list; whoever waits for it finds it gone.

        Raises:
            SessionUnknown: There is none, or it has expired.
        """
        entry = self.get(session_id)
        entry.gone.set()
        return self._entries.pop(session_id)

    def take_expired(self) -> list[EntryT]:
        """Take all sessions off the list that have been idle for too long."""
        expired = [entry for entry in self._entries.values() if self._has_expired(entry)]
        return [self._take(entry) for entry in expired]

    def take_all(self) -> list[EntryT]:
        """Take every session off the list."""
        return [self._take(entry) for entry in list(self._entries.values())]

    def _take(self, entry: EntryT) -> EntryT:
        entry.gone.set()
        return self._entries.pop(entry.session_id)

    def _has_expired(self, entry: EntryT) -> bool:
        # Somebody who waits for a long simulation is not idle.
        is_idle = not entry.lock.locked()
        limit = entry.idle_limit(self._limits.idle_seconds)
        return is_idle and self._clock.seconds() - entry.touched_seconds > limit
