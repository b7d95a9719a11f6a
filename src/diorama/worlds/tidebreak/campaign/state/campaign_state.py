"""The whole campaign as one value; lists are in the order of their numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from diorama.contracts.errors import UnknownName
from diorama.worlds.tidebreak.campaign.kinds import Flow, TreatyKind
from diorama.worlds.tidebreak.campaign.state.chronicle import BattleRecord, Encounter, Ending, News
from diorama.worlds.tidebreak.campaign.state.forces import Fleet, Ship
from diorama.worlds.tidebreak.campaign.state.nations import (
    Embargo,
    Faction,
    Mission,
    Offer,
    Person,
    Relation,
    Route,
    Siege,
    Treaty,
)
from diorama.worlds.tidebreak.campaign.state.places import Hub, Lane, Node, Site, Stock


@dataclass(slots=True, kw_only=True)
class CampaignState:
    """Everything that is saved.

    Attributes:
        campaign_id: Part of battle ids.
        player: Faction of the person who plays, None if bots play all.
        day: The day that is being or was last played, 0 before the first.
        phase: Where in the day order it stopped; 0 between two days.
        counters: Next number of each kind of thing.
        ledger: Why stocks changed, over the whole campaign.
        ships: By id; nothing may depend on their order.
        encounters: Battles of today that are still to be fought; the first waits for the player if `is_waiting`.
        battles: Battles that were fought.
        fleet_orders: Given today by the player.
        policy_orders: The same for proposals.
    """

    scenario: str
    campaign_id: str
    seed: int
    player: str | None
    last_day: int
    nodes: list[Node]
    lanes: list[Lane]
    hubs: list[Hub]
    sites: list[Site]
    factions: list[Faction]
    relations: list[Relation]
    day: int = 0
    phase: int = 0
    is_autopilot: bool = False
    is_waiting: bool = False
    fleet_orders: int = 0
    policy_orders: int = 0
    ships: dict[str, Ship] = field(default_factory=dict)
    fleets: list[Fleet] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    treaties: list[Treaty] = field(default_factory=list)
    embargoes: list[Embargo] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    missions: list[Mission] = field(default_factory=list)
    sieges: list[Siege] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    encounters: list[Encounter] = field(default_factory=list)
    battles: list[BattleRecord] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    ledger: dict[Flow, Stock] = field(default_factory=dict)
    ending: Ending | None = None

    def next_number(self, kind: str) -> int:
        """Count a new thing of a kind, from 1."""
        number = self.counters.get(kind, 0) + 1
        self.counters[kind] = number
        return number

    def node(self, node_id: str) -> Node:
        """Return the node of that id."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise UnknownName.among("place", node_id, (node.id for node in self.nodes))

    def find_hub(self, node_id: str | None) -> Hub | None:
        """Return the hub at a node, None if there is none."""
        return next((hub for hub in self.hubs if hub.id == node_id), None)

    def hub(self, hub_id: str) -> Hub:
        """Return the hub of that id."""
        hub = self.find_hub(hub_id)
        if hub is None:
            raise UnknownName.among("hub", hub_id, (hub.id for hub in self.hubs))
        return hub

    def find_site(self, node_id: str | None) -> Site | None:
        """Return the site at a node, None if there is none."""
        return next((site for site in self.sites if site.id == node_id), None)

    def faction(self, faction_id: str) -> Faction:
        """Return the faction of that id."""
        for faction in self.factions:
            if faction.id == faction_id:
                return faction
        raise UnknownName.among("faction", faction_id, (faction.id for faction in self.factions))

    def ship(self, ship_id: str) -> Ship:
        """Return the ship of that id."""
        ship = self.ships.get(ship_id)
        if ship is None:
            raise UnknownName(f"no ship is called {ship_id!r}")
        return ship

    def find_ship(self, ship_id: str | None) -> Ship | None:
        """Return the ship of that id, None if it is gone."""
        return None if ship_id is None else self.ships.get(ship_id)

    def fleet(self, fleet_id: str) -> Fleet:
        """Return the fleet of that id."""
        fleet = self.find_fleet(fleet_id)
        if fleet is None:
            raise UnknownName.among("fleet", fleet_id, (fleet.id for fleet in self.fleets))
        return fleet

    def find_fleet(self, fleet_id: str | None) -> Fleet | None:
        """Return the fleet of that id, None if it is gone."""
        return next((fleet for fleet in self.fleets if fleet.id == fleet_id), None)

    def route(self, route_id: str) -> Route:
        """Return the route of that id."""
        for route in self.routes:
            if route.id == route_id:
                return route
        raise UnknownName.among("route", route_id, (route.id for route in self.routes))

    def find_mission(self, number: int | None) -> Mission | None:
        """Return the mission of that number, None if there is none."""
        return next((mission for mission in self.missions if mission.number == number), None)

    def find_person(self, number: int | None) -> Person | None:
        """Return the person of that number, None if dead or never born."""
        return next((person for person in self.people if person.number == number), None)

    def relation(self, first: str, second: str) -> Relation:
        """Return what two different factions are to each other."""
        for relation in self.relations:
            if {relation.a, relation.b} == {first, second}:
                return relation
        raise UnknownName(f"{first!r} and {second!r} are no two factions of this campaign")

    def are_at_war(self, first: str, second: str) -> bool:
        """Whether two factions are at war; a faction never is with itself."""
        return first != second and self.relation(first, second).is_at_war

    def has_treaty(self, first: str, second: str, *kinds: TreatyKind) -> bool:
        """Whether one of some kinds of treaty binds two factions."""
        return any(treaty.kind in kinds and {treaty.a, treaty.b} == {first, second} for treaty in self.treaties)

    def hubs_of(self, faction_id: str) -> list[Hub]:
        """Return the hubs of a faction."""
        return [hub for hub in self.hubs if hub.owner == faction_id]

    def fleets_of(self, faction_id: str) -> list[Fleet]:
        """Return the fleets of a faction."""
        return [fleet for fleet in self.fleets if fleet.owner == faction_id]

    def fleets_at(self, node_id: str) -> list[Fleet]:
        """Return the fleets that lie at a node."""
        return [fleet for fleet in self.fleets if fleet.node == node_id]

    def ships_of(self, fleet: Fleet) -> list[Ship]:
        """Return the ships of a fleet."""
        return [self.ship(ship_id) for ship_id in fleet.ships]

    def others(self, faction_id: str) -> Iterator[Faction]:
        """Give the other factions that still exist."""
        return (f for f in self.factions if f.id != faction_id and f.defeated_day is None)

    def is_run_by_bot(self, faction_id: str) -> bool:
        """Whether nobody else decides for a faction."""
        return faction_id != self.player or self.is_autopilot

    @property
    def standing(self) -> list[Faction]:
        """Factions that exist."""
        return [faction for faction in self.factions if faction.defeated_day is None]
