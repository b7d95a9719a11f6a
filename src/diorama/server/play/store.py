"""`SessionStore`: the sessions that exist, how many there may be, and which have been forgotten."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic

from diorama.runs.clock import Clock
from diorama.server.play.errors import SessionLimit, SessionUnknown
from diorama.server.play.limits import PlayLimits
from diorama.server.play.room_entry import EntryT


class SessionStore(Generic[EntryT]):
    """All sessions of this process; used from the event loop alone."""

    def __init__(self, limits: PlayLimits, clock: Clock) -> None:
        """Begin with none."""
        self._limits = limits
        self._clock = clock
        self._entries: dict[str, EntryT] = {}
        self._opening = 0

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self._entries)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Hold a place while a session is being opened.

        Raises:
            SessionLimit: All places are taken.
        """
        if len(self._entries) + self._opening >= self._limits.sessions:
            raise SessionLimit(
                f"{self._limits.sessions} play sessions are open, as many as there may be; try again later"
            )
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    def add(self, entry: EntryT) -> None:
        """Put a session on the list."""
        self._entries[entry.session_id] = entry

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
