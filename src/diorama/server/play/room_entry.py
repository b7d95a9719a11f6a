"""`RoomEntry`: whatever is entered by one caller at a time and forgotten when nobody asks for it."""

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TypeVar

from diorama.runs.clock import Clock
from diorama.server.play.errors import SessionConflict, SessionUnknown
from diorama.server.shares import HERE


@dataclass(slots=True, kw_only=True, eq=False)
class RoomEntry(ABC):
    """What surrounds a session; everything here belongs to the event loop.

    Attributes:
        touched_seconds: When it was last asked for, on the clock that never goes back.
        lock: Held by whoever touches the session itself.
        gone: Set once it is deleted or has expired; somebody may be waiting for the lock then.
        visitor: Whose share it takes its place from.
        memory_bytes: What it holds, by what its world declares.
        displaced: Tells the socket that steps it in real time that another one does; None if none does.
    """

    session_id: str
    touched_seconds: float
    visitor: str = HERE
    memory_bytes: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    displaced: asyncio.Event | None = None

    def touch(self, clock: Clock) -> None:
        """Take note that somebody asked for it."""
        self.touched_seconds = clock.seconds()

    def idle_limit(self, idle_seconds: float) -> float:
        """Return after how long without a call it is forgotten, where `idle_seconds` is the rule."""
        return idle_seconds

    def stop_looking(self) -> None:  # noqa: B027  # most entries keep nothing of the kind
        """Free what was used to look at it, and may be half done after a call that was ended."""

    @abstractmethod
    def close(self) -> None:
        """Free everything."""


EntryT = TypeVar("EntryT", bound=RoomEntry)


def check_present(entry: RoomEntry, displaced: asyncio.Event) -> None:
    """Refuse to go on with a session over a socket.

    Raises:
        SessionUnknown: The session was deleted or has expired.
        SessionConflict: It is played over another socket now.
    """
    if entry.gone.is_set():
        raise SessionUnknown.of(entry.session_id)
    if displaced.is_set():
        raise SessionConflict("the session is played over another socket now")
