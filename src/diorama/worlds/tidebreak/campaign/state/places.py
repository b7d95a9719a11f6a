"""Places: nodes, lanes, hubs and sites."""

from dataclasses import dataclass, field
from typing import TypeAlias

from diorama.worlds.tidebreak.campaign.kinds import (
    Bloc,
    Chain,
    ConquestState,
    CrisisKind,
    Flow,
    HubKind,
    MapStyle,
    NodeKind,
    Resource,
    Supply,
    Vocation,
)
from diorama.worlds.tidebreak.campaign.state.politics import Government, InternalFaction

Stock: TypeAlias = dict[Resource, float]


def empty_stock() -> Stock:
    """Nothing of anything."""
    return dict.fromkeys(Resource, 0.0)


@dataclass(slots=True, kw_only=True)
class Sky:
    """Weather of a node, as battles there meet it."""

    sea_state: float
    visibility_km: float
    precipitation: str
    wind_speed: float
    wind_direction: float
    lightning: float
    is_foggy: bool


@dataclass(slots=True, kw_only=True)
class Node:
    """A place of the strategic map; `owner` is a faction id."""

    id: str
    number: int
    name: str
    kind: NodeKind
    x_km: float
    y_km: float
    style: MapStyle
    owner: str | None
    is_chokepoint: bool
    sky: Sky


@dataclass(slots=True, kw_only=True)
class Lane:
    """A way between two nodes, `a` before `b` by number."""

    a: str
    b: str
    days: float
    is_chokepoint: bool


@dataclass(slots=True, kw_only=True)
class Build:
    """A hull on the slip; materials are paid when work begins."""

    class_id: str
    days_left: float
    is_begun: bool
    cause: int | None


@dataclass(slots=True, kw_only=True)
class Investment:
    """A chain that grows when `ready_day` comes."""

    chain: Chain
    ready_day: int


@dataclass(slots=True, kw_only=True)
class Effect:
    """Something that weighs on a hub until a day, that day included."""

    kind: str
    amount: float
    until_day: int


@dataclass(slots=True, kw_only=True)
class Crisis:
    """A crisis and the day it fails unless a matching decision is taken before."""

    kind: CrisisKind
    vocation: Vocation | None
    started_day: int
    deadline_day: int
    news: int


@dataclass(slots=True, kw_only=True)
class Conquest:
    """How a conquered hub is held.

    Attributes:
        former_owner: Faction it was taken from.
        state: How firmly.
        since_day: When that state began.
        resistance: 0 to 1.
        control: Share of the districts the conqueror holds.
        control_then: The same when the state began.
        low_days: Days in a row with little resistance.
        high_days: Days in a row with much.
    """

    former_owner: str
    state: ConquestState
    since_day: int
    resistance: float
    control: float
    control_then: float
    low_days: int
    high_days: int


@dataclass(slots=True, kw_only=True)
class Hub:
    """Where people live; its id is that of its node.

    Attributes:
        population: People, a fraction of one included.
        reserve: Fuel left in its wells.
        hull: Ship id of an arcology.
        days: Days of supply by need, as of the last count.
        status: The same in words.
        told: The worst that was in the news about a need and still holds.
        opening: Its stock when the day began.
        flows: What changed its stock today, by cause; what is not in here was carried in or out.
        security: Armed people who keep order.
        lost_battles: Days on which its faction lost battles.
    """

    id: str
    number: int
    name: str
    kind: HubKind
    owner: str
    population: float
    stock: Stock
    facilities: dict[Chain, float]
    reserve: float
    government: Government
    blocs: list[InternalFaction]
    workforce: dict[Vocation, float]
    yard_level: int
    security: float
    info_integrity: float
    hull: str | None
    governor: int | None
    prosperity: float = 0.0
    is_rationing: bool = False
    days: dict[Resource, float] = field(default_factory=dict)
    status: dict[Resource, Supply] = field(default_factory=dict)
    told: dict[Resource, Supply] = field(default_factory=dict)
    opening: Stock = field(default_factory=empty_stock)
    flows: dict[Flow, Stock] = field(default_factory=dict)
    builds: list[Build] = field(default_factory=list)
    investments: list[Investment] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    crises: list[Crisis] = field(default_factory=list)
    conquest: Conquest | None = None
    lost_battles: list[int] = field(default_factory=list)

    def bloc(self, kind: Bloc) -> InternalFaction:
        """Return one of its currents of opinion."""
        return next(bloc for bloc in self.blocs if bloc.kind is kind)

    def worst(self, *resources: Resource) -> Supply:
        """Return the worst supply among some resources."""
        order = list(Supply)
        return order[max(order.index(self.status[resource]) for resource in resources)]


@dataclass(slots=True, kw_only=True)
class Site:
    """An outlying plant; its id is that of its node.

    Attributes:
        hub: Hub it serves.
        platform: Ship id of what it stands on.
        store: What it keeps: inputs for the days it is cut off, outputs that could not leave.
        is_cut_off: No path to its hub was open today.
        sabotaged_until: Last day of a sabotage.
    """

    id: str
    number: int
    name: str
    hub: str
    owner: str
    facilities: dict[Chain, float]
    platform: str | None
    store: Stock
    is_cut_off: bool = False
    sabotaged_until: int = -1
