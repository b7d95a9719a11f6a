"""`SessionEntry`: a session on the list, with its lock and its age."""

from dataclasses import dataclass, field

from diorama.runs.clock import Clock, timestamp
from diorama.server.play.advice import Advisor
from diorama.server.play.hindsight import Hindsight
from diorama.server.play.room_entry import RoomEntry
from diorama.server.play.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """What the list knows about a session."""

    session_id: str
    created_at: str
    updated_at: str


@dataclass(slots=True, kw_only=True, eq=False)
class SessionEntry(RoomEntry):
    """A session and what surrounds it.

    Attributes:
        session: Touched only by whoever holds the lock.
        advisor: The policy that was last asked for a hint.
        hindsight: Shows what seats saw before earlier decisions.
    """

    session: Session
    created_at: str
    updated_at: str
    advisor: Advisor | None = None
    hindsight: Hindsight = field(default_factory=Hindsight)

    @property
    def facts(self) -> SessionFacts:
        """What the list knows about it now."""
        return SessionFacts(session_id=self.session_id, created_at=self.created_at, updated_at=self.updated_at)

    def change(self, clock: Clock) -> None:
        """Take note that it is not as it was."""
        self.updated_at = timestamp(clock.now())

    def stop_looking(self) -> None:
        """Begin anew with what advisors and hindsight have seen."""
        self.hindsight.close()
        if self.advisor is not None:
            self.advisor.close()
            self.advisor = None

    def close(self) -> None:
        """Free everything."""
        self.session.close()
        self.stop_looking()
