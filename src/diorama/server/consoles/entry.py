"""`ConsoleEntry`: a console on the list of sessions."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.consoles import Console, Consoles
from diorama.server.play.room_entry import RoomEntry

ABANDONED_SECONDS: Final = 120.0  # long enough to load a page again


@dataclass(slots=True, kw_only=True, eq=False)
class ConsoleEntry(RoomEntry):
    """A console and what surrounds it.

    Attributes:
        world: Whose console it is.
        offer: What the world says about its consoles.
        program: Id of the program in it.
        console: Touched only by whoever holds the lock.
        changed: Set when it was changed by another way than its socket, which then shows the new picture.
    """

    world: str
    offer: Consoles
    program: str
    console: Console
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def idle_limit(self, idle_seconds: float) -> float:
        """Forget it sooner when nobody is connected: there are few places."""
        return idle_seconds if self.displaced is not None else min(idle_seconds, ABANDONED_SECONDS)

    def close(self) -> None:
        """Nothing outlives the object."""
