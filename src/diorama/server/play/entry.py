"""`SessionEntry`: a session on the list, with its lock and its age."""

import asyncio
from dataclasses import dataclass, field

from diorama.runs.clock import Clock, timestamp
from diorama.server.play.advice import Advisor
from diorama.server.play.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """What the list knows about a session."""

    session_id: str
    created_at: str
    updated_at: str


@dataclass(slots=True, kw_only=True, eq=False)
class SessionEntry:
    """A session and what surrounds it; everything but the session itself belongs to the event loop.

    Attributes:
        session: Touched only by whoever holds the lock.
        touched_seconds: When it was last asked for, on the clock that never goes back.
        gone: Set once it is deleted or has expired; somebody may be waiting for the lock then.
        displaced: Tells the socket that steps it at the world's pace that another one does; None if none does.
        advisor: The policy that was last asked for a hint.
    """

    session_id: str
    session: Session
    created_at: str
    updated_at: str
    touched_seconds: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    displaced: asyncio.Event | None = None
    advisor: Advisor | None = None

    @property
    def facts(self) -> SessionFacts:
        """What the list knows about it now."""
        return SessionFacts(session_id=self.session_id, created_at=self.created_at, updated_at=self.updated_at)

    def touch(self, clock: Clock) -> None:
        """Take note that somebody asked for it."""
        self.touched_seconds = clock.seconds()

    def change(self, clock: Clock) -> None:
        """Take note that it is not as it was."""
        self.updated_at = timestamp(clock.now())

    def close(self) -> None:
        """Free everything."""
        self.session.close()
        if self.advisor is not None:
            self.advisor.close()
