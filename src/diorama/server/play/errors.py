"""What can go wrong at play.

UnknownName
└── SessionUnknown     no session of that id: never opened, deleted or expired
ContractError
└── ActionRefused      an action of a wrong form or outside of its range
StateConflict
└── SessionConflict    the session stands where this cannot be done
LimitReached
└── SessionLimit       there are as many sessions as there may be
"""

from diorama.contracts.errors import ContractError, UnknownName
from diorama.server.errors import LimitReached, StateConflict


class SessionUnknown(UnknownName):
    """There is no such session."""

    @classmethod
    def of(cls, session_id: str) -> "SessionUnknown":
        """Say which one, and why it may be gone."""
        return cls(f"there is no play session {session_id[:64]!r}; it was deleted, has expired or never was")


class ActionRefused(ContractError):
    """The action is no decision of this world."""


class SessionConflict(StateConflict):
    """The session stands where this cannot be done."""


class SessionLimit(LimitReached):
    """No further session can be opened now."""
