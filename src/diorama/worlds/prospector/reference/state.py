"""What a belt consists of at one moment; a snapshot holds exactly this."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import MAX_ASTEROIDS, N_COMMODITIES
from diorama.worlds.prospector.reference.constants import (
    DECOYS_AT_START,
    FUEL_MAX,
    HULL_MAX,
    REPAIR_KITS_AT_START,
    STABILIZERS_AT_START,
    STATION,
    TOOL_MAX,
)

NO_SELECTION: Final = -1


@dataclass(slots=True)
class Edge:
    """A way out of a node. The way back is an edge of its own; only the estimates of the two may differ."""

    neighbor: int
    travel_ticks: int
    fuel: float  # for an empty ship
    threat: float  # hidden
    threat_estimate: float


@dataclass(slots=True)
class Asteroid:
    """A rock: what it is (hidden), what the pilot believes, and how much of it is gone."""

    true_comp: list[float]  # share of each commodity
    richness: float  # never observed
    stability: float
    noise: float  # how much scans of it err
    comp_est: list[float]
    stability_est: float
    scan_conf: float
    depletion: float = 0.0


@dataclass(slots=True)
class Node:
    """A place in the belt. Slots of neighbors and asteroids are list positions."""

    kind: int  # place in the contract's `NODE_TYPES`
    hazard: float  # hidden, as is `pirate`
    pirate: float
    hops: int = 0  # to the station
    edges: list[Edge] = field(default_factory=list)
    asteroids: list[Asteroid] = field(default_factory=list)


@dataclass(slots=True)
class Ship:
    """The pilot's ship, as it leaves the dock at the start of an episode."""

    node: int = STATION
    selection: int = NO_SELECTION  # asteroid slot of the current node
    fuel: float = FUEL_MAX
    hull: float = HULL_MAX
    heat: float = 0.0
    tool: float = TOOL_MAX
    alert: float = 0.0
    credits: float = 0.0
    cargo: list[float] = field(default_factory=lambda: [0.0] * N_COMMODITIES)
    repair_kits: int = REPAIR_KITS_AT_START
    stabilizers: int = STABILIZERS_AT_START
    decoys: int = DECOYS_AT_START
    escape_ticks: int = 0
    stabilize_ticks: list[int] = field(default_factory=lambda: [0] * MAX_ASTEROIDS)  # per slot of the current node

    @property
    def is_docked(self) -> bool:
        """Whether the ship is at the station."""
        return self.node == STATION

    @property
    def context(self) -> str:
        """Either `station` or `field`."""
        return "station" if self.is_docked else "field"

    @property
    def has_selection(self) -> bool:
        """Whether an asteroid is selected."""
        return self.selection != NO_SELECTION

    def cargo_total(self) -> float:
        """Units in the hold."""
        total = 0.0
        for units in self.cargo:
            total += units
        return total


@dataclass(slots=True)
class Market:
    """The station's market; every list has one entry per commodity."""

    price: list[float]
    prev_price: list[float]  # one step ago
    inventory: list[float]
    phase: list[float]  # radians
    period: list[float]  # ticks
    amp: list[float]  # credits
    recent_sales: list[float]  # units, fading


@dataclass(slots=True)
class Counters:
    """What has happened since the episode began."""

    total_spend: float = 0.0
    gross_revenue: float = 0.0
    overheat_ticks: int = 0
    pirate_encounters: int = 0
    value_lost_to_pirates: float = 0.0
    scan_count: int = 0
    mining_ticks: int = 0
    fuel_used: float = 0.0
    hull_damage: float = 0.0
    tool_wear: float = 0.0
    utilization_sum: float = 0.0  # load share times ticks
    utilization_ticks: int = 0


@dataclass(slots=True)
class State:
    """A whole belt with its ship, its market and its random stream."""

    rng: Pcg32
    seed: int
    time_remaining: float
    nodes: list[Node]
    market: Market
    ship: Ship = field(default_factory=Ship)
    counters: Counters = field(default_factory=Counters)
    ticks: int = 0
    is_over: bool = False

    @property
    def here(self) -> Node:
        """The node the ship is at."""
        return self.nodes[self.ship.node]

    @property
    def selected(self) -> Asteroid:
        """The selected asteroid; ask `ship.has_selection` first."""
        return self.here.asteroids[self.ship.selection]

    def cargo_value(self, prices: Sequence[float]) -> float:
        """Worth of the hold at these prices, in credits."""
        value = 0.0
        for units, price in zip(self.ship.cargo, prices, strict=True):
            value += units * price
        return value
