"""A scenario: the opening position of a campaign as a document."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from diorama.worlds.tidebreak.campaign.content.tables import Amounts
from diorama.worlds.tidebreak.campaign.kinds import (
    Chain,
    GovernmentKind,
    HubKind,
    MapStyle,
    NodeKind,
    RouteKind,
    TreatyKind,
    Vocation,
)
from diorama.worlds.tidebreak.content.table import Amount, Table

_Share = Annotated[float, Field(ge=0.0, le=1.0)]
_Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
_Pair = tuple[_Id, _Id]
Facilities = dict[Chain, Amount]


class ScenarioNode(Table):
    """A place."""

    id: _Id
    name: str
    kind: NodeKind
    x_km: float
    y_km: float
    style: MapStyle
    is_chokepoint: bool = False


class ScenarioLane(Table):
    """A way between two places."""

    between: _Pair
    days: float = Field(ge=1.0, le=5.0)


class ScenarioCreed(Table):
    """Philosophy of a faction."""

    militarism: _Share
    commercialism: _Share
    isolationism: _Share
    expansionism: _Share
    traditionalism: _Share


class ScenarioFaction(Table):
    """A power; the defeat of a major one ends the campaign."""

    id: _Id
    name: str
    philosophy: ScenarioCreed
    tech_tags: tuple[str, ...] = ()
    capital: _Id
    is_major: bool = True


class ScenarioRelation(Table):
    """How two factions begin."""

    between: _Pair
    disposition: float = Field(ge=-1.0, le=1.0)
    is_at_war: bool = False
    treaties: tuple[TreatyKind, ...] = ()


class ScenarioStart(Table):
    """What every hub begins with."""

    supply_days: Amount
    materials: Amount
    satisfaction: _Share
    radicalization: _Share
    security_share: _Share
    workforce: dict[Vocation, _Share]


class ScenarioHub(Table):
    """A place where people live; `supply_days` differ from those of all hubs."""

    node: _Id
    kind: HubKind
    owner: _Id
    population: Amount
    government: GovernmentKind
    yard_level: Literal[0, 1, 2, 3]
    facilities: Facilities
    reserve: Amount = 0.0
    supply_days: Amounts = Field(default_factory=dict)
    blocs: tuple[_Share, _Share, _Share, _Share, _Share]


class ScenarioSite(Table):
    """An outlying plant."""

    node: _Id
    hub: _Id
    platform: str
    facilities: Facilities


class ScenarioFleet(Table):
    """Ships by class."""

    owner: _Id
    name: str
    node: _Id
    ships: dict[str, Annotated[int, Field(ge=1, le=64)]]


class ScenarioRoute(Table):
    """A shipment that runs from the first day on."""

    name: str
    kind: RouteKind
    origin: _Id
    destination: _Id
    path: tuple[_Id, ...] = Field(min_length=2)
    capacity: Amount
    goods: Amounts = Field(default_factory=dict)
    goods_back: Amounts = Field(default_factory=dict)


class Scenario(Table):
    """An opening position."""

    name: str
    summary: str
    last_day: Annotated[int, Field(ge=1, le=10_000)]
    nodes: tuple[ScenarioNode, ...] = Field(min_length=2, max_length=64)
    lanes: tuple[ScenarioLane, ...]
    factions: tuple[ScenarioFaction, ...] = Field(min_length=2, max_length=8)
    relations: tuple[ScenarioRelation, ...] = ()
    start: ScenarioStart
    hubs: tuple[ScenarioHub, ...] = Field(min_length=1)
    sites: tuple[ScenarioSite, ...] = ()
    fleets: tuple[ScenarioFleet, ...] = ()
    routes: tuple[ScenarioRoute, ...] = ()

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        nodes = {node.id for node in self.nodes}
        hubs = {hub.node for hub in self.hubs}
        factions = {faction.id for faction in self.factions}
        lanes = {frozenset(lane.between) for lane in self.lanes}
        wrong = [
            *(f"lane to {end!r}: no such node" for lane in self.lanes for end in lane.between if end not in nodes),
            *(f"hub at {hub.node!r}: no such node" for hub in self.hubs if hub.node not in nodes),
            *(f"owner {hub.owner!r}: no such faction" for hub in self.hubs if hub.owner not in factions),
            *(f"capital {faction.capital!r}: no such hub" for faction in self.factions if faction.capital not in hubs),
            *(f"site {site.node!r} serves {site.hub!r}: no such hub" for site in self.sites if site.hub not in hubs),
            *(f"site at {site.node!r}: no such node" for site in self.sites if site.node not in nodes),
            *(
                f"fleet {fleet.name!r} at {fleet.node!r}: no such node"
                for fleet in self.fleets
                if fleet.node not in nodes
            ),
            *(
                f"fleet {fleet.name!r}: no faction {fleet.owner!r}"
                for fleet in self.fleets
                if fleet.owner not in factions
            ),
            *(
                f"relation: no faction {end!r}"
                for pair in self.relations
                for end in pair.between
                if end not in factions
            ),
            *(f"route {route.name!r}: its ends are no hubs" for route in self.routes if not _ends_are(route, hubs)),
            *(
                f"route {route.name!r}: a lane of its path is missing"
                for route in self.routes
                if not _runs(route, lanes)
            ),
        ]
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


def _ends_are(route: ScenarioRoute, hubs: set[str]) -> bool:
    ends = (route.origin, route.destination)
    return ends == (route.path[0], route.path[-1]) and hubs.issuperset(ends)


def _runs(route: ScenarioRoute, lanes: set[frozenset[str]]) -> bool:
    return all(frozenset(pair) in lanes for pair in zip(route.path, route.path[1:], strict=False))
