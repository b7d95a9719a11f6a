"""What a transport is."""

from collections.abc import Sequence
from typing import Protocol

from diorama.contracts.errors import DioramaError


class TransportError(DioramaError):
    """The other side answered, and refused."""


class Transport(Protocol):
    """Brings messages somewhere; used by one thread, which may be kept waiting.

    Making one only checks that it could work; the first `send` opens what it needs, and after a failure the next
    `send` opens it again.
    """

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def begins_anew(self) -> bool:
        """Whether the receiver of the next `send` after a failure may know nothing of what was sent before."""

    def send(self, messages: Sequence[bytes]) -> None:
        """Bring messages there, in order.

        Raises:
            OSError: It cannot be reached, or not in time.
            StorageError: The disk refuses.
            TransportError: It was reached and refuses.
        """

    def close(self) -> None:
        """Let go of everything; called after failures too."""
