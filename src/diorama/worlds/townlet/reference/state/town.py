"""`Town`: everything there is in one town at one moment."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NOBODY, Utility
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.reference.state.chronicle import Chronicle
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import EmploymentLedger
from diorama.worlds.townlet.reference.state.kpis import KpiWindow, TickReport
from diorama.worlds.townlet.reference.state.ledgers import (
    EconomyState,
    EmbeddingPool,
    LifecycleLedger,
    LiveRules,
    QueueMetrics,
    SocialLedger,
)
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import PerturbationState
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.situations import Visits
from diorama.worlds.townlet.tables.town_tables import TownTables


@dataclass(slots=True)
class CustomName:
    """Id and shown name of a citizen who was given one."""

    agent_id: str
    display_name: str


@dataclass(slots=True)
class Town:
    """A town; systems are functions that take it and change it.

    Attributes:
        tables: What never changes; replaced as a whole by a reload.
        config: The configuration; hot fields are replaced as a whole by a reload.
        tick: Index of the tick that is being or will next be executed.
        seats: Citizens by seat, None for a free one.
        occupancy: Citizens on every tile; follows from their positions.
        events: What happened since the events were last taken.
        custom_names: By citizen number, where ids were given rather than generated.
        report: What the last tick paid and ended.
        chronicle: What watchers of a live town are told of the past.
        intrinsic: By seat, how new the citizen's situation is, for the curiosity reward; 0 outside of training.
        visits: By situation, how often citizens have been in it; a batch carries it on to the next episode.
    """

    tables: TownTables
    config: SimulationConfig
    seed: int
    streams: Streams
    tick: int
    next_number: int
    seats: list[Citizen | None]
    objects: list[ObjectState]
    economy: EconomyState
    rules: LiveRules
    employment: EmploymentLedger
    lifecycle: LifecycleLedger
    embedding: EmbeddingPool
    perturbations: PerturbationState
    queues: QueueMetrics
    social: SocialLedger
    kpis: KpiWindow
    occupancy: list[int]
    events: list[Event] = field(default_factory=list)
    custom_names: dict[int, CustomName] = field(default_factory=dict)
    report: TickReport = field(default_factory=TickReport)
    chronicle: Chronicle = field(default_factory=Chronicle)
    intrinsic: dict[int, float] = field(default_factory=dict)
    visits: Visits = field(default_factory=dict)

    @property
    def ticks_per_day(self) -> int:
        """Length of a day."""
        return self.config.world.ticks_per_day

    @property
    def tod(self) -> int:
        """Time of day, in ticks since midnight."""
        return self.tick % self.config.world.ticks_per_day

    @property
    def day(self) -> int:
        """Days since the start."""
        return self.tick // self.config.world.ticks_per_day

    @property
    def has_power(self) -> bool:
        """Whether the power is on."""
        return self.economy.outages[Utility.POWER] == 0

    @property
    def has_water(self) -> bool:
        """Whether the water is on."""
        return self.economy.outages[Utility.WATER] == 0

    def living(self) -> list[Citizen]:
        """Citizens by ascending seat."""
        return [citizen for citizen in self.seats if citizen is not None]

    def in_turn(self) -> Iterator[Citizen]:
        """Citizens in rotating seat order: who acts first changes every tick."""
        count = len(self.seats)
        first = self.tick % count
        for place in range(count):
            citizen = self.seats[(first + place) % count]
            if citizen is not None:
                yield citizen

    def citizen(self, seat: int) -> Citizen:
        """The citizen on a seat.

        Raises:
            KeyError: The seat is free.
        """
        found = self.seats[seat] if seat != NOBODY else None
        if found is None:
            raise KeyError(f"nobody has seat {seat}")
        return found

    def record(self, kind: EventKind, *values: float) -> None:
        """Note an event of this tick; the values are the fields of its kind, in order."""
        self.events.append(Event(kind, self.tick, values))

    def pair(self, seat: int, other: int) -> int:
        """Place of two citizens in a table of pairs."""
        low, high = (seat, other) if seat < other else (other, seat)
        return low * len(self.seats) + high
