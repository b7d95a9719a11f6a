"""`Caller`: who gives a command, and what they may ask for."""

from dataclasses import dataclass
from typing import Final, Self

from diorama.contracts.live.commands import Role

ANONYMOUS: Final = "anonymous"
_RANK: Final = {"viewer": 0, "admin": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody who speaks to the console; role and issuer come from a token, never from what they say.

    Attributes:
        issuer: Label of the token.
        address: Where they called from.
        limit_key: Whose commands are counted together; None for the process itself, which is not limited.
    """

    issuer: str
    role: Role
    address: str
    limit_key: str | None

    @classmethod
    def anonymous(cls, address: str) -> Self:
        """Somebody without a token."""
        return cls(issuer=ANONYMOUS, role="viewer", address=address, limit_key=f"address {address}")

    @classmethod
    def local(cls, issuer: str) -> Self:
        """A part of the process itself, such as a rehearsal."""
        return cls(issuer=issuer, role="admin", address="local", limit_key=None)

    def may(self, role: Role) -> bool:
        """Whether they may give commands of a role."""
        return _RANK[self.role] >= _RANK[role]
