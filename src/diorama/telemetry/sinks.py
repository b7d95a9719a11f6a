"""What a sink is."""

from typing import Protocol

from diorama.telemetry.events import Event


class Sink(Protocol):
    """Takes events in the order in which they happen and brings them somewhere.

    Making one only checks that it could work; `RunStarted` opens what it writes to. A sink raises when it cannot,
    and the hub is the one who catches. It picks the events it has a use for and ignores the rest.
    """

    @property
    def name(self) -> str:
        """What people call it."""

    def receive(self, event: Event) -> None:
        """Take one event."""

    def close(self) -> None:
        """Write what is left and let go of everything; nothing is received afterwards."""
