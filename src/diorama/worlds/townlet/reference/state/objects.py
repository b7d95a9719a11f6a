"""An object in use: who holds it, who waits, what runs, and what is in stock."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NOBODY, NOTHING
from diorama.worlds.townlet.reference.state.marks import DERIVED
from diorama.worlds.townlet.tables.affordances import AffordanceRow


@dataclass(slots=True)
class QueueEntry:
    """A citizen who waits, by seat, and since when."""

    seat: int
    joined_tick: int


@dataclass(slots=True)
class ObjectState:
    """What changes about an object.

    Attributes:
        holder: Seat of who has it reserved, -1 for nobody.
        stall: Blocked ticks of the holder in a row.
        granted_tick: When the holder got it.
        running: Affordance that the holder is doing, -1 for none.
        remaining: Ticks until it is done.
        paid: Coins the holder paid for it, given back in an outage.
        owner: Seat of who owns it, -1 for nobody; only beds are owned.
        stock: By item.
        cooldowns: By seat, first tick at which that citizen may ask for it again.
        spec: Row of what is running: a reload may change the tables, but not what has begun.
    """

    holder: int = NOBODY
    stall: int = 0
    granted_tick: int = 0
    running: int = NOTHING
    remaining: int = 0
    paid: float = 0.0
    owner: int = NOBODY
    stock: list[int] = field(default_factory=list)
    cooldowns: list[int] = field(default_factory=list)
    queue: list[QueueEntry] = field(default_factory=list)
    spec: AffordanceRow | None = field(default=None, metadata=DERIVED)

    def place_of(self, seat: int) -> int:
        """Place in the queue from 0, -1 for a citizen who does not wait here."""
        return next((place for place, entry in enumerate(self.queue) if entry.seat == seat), -1)
