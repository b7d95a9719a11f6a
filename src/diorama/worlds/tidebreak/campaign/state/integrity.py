"""Checks a campaign that was read from a save: ids are in their tables, tables are complete, numbers finite."""

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Final

from diorama.worlds.tidebreak.campaign.kinds import Bloc, Chain, DecisionKind, GovernmentKind, Resource, Vocation
from diorama.worlds.tidebreak.campaign.state.campaign_state import CampaignState
from diorama.worlds.tidebreak.campaign.state.chronicle import Encounter, Force
from diorama.worlds.tidebreak.campaign.state.forces import Fleet, Ship
from diorama.worlds.tidebreak.campaign.state.places import Hub, Site
from diorama.worlds.tidebreak.codes import Precipitation

_LARGEST: Final = 2**64
_MOST_PARTS: Final = 1 << 20


class Tables:
    """The ids of a campaign by kind; `hull classes` are those of the rules."""

    def __init__(self, state: CampaignState, hull_classes: Collection[str]) -> None:
        """Collect them.

        Raises:
            ValueError: Something stands twice, or under another id than its own.
        """
        self.nodes = _unique("nodes", (node.id for node in state.nodes))
        self.hubs = _unique("hubs", (hub.id for hub in state.hubs))
        self.factions = _unique("factions", (faction.id for faction in state.factions))
        self.fleets = _unique("fleets", (fleet.id for fleet in state.fleets))
        self.routes = _unique("routes", (route.id for route in state.routes))
        self.sites = _unique("sites", (site.id for site in state.sites))
        self.ships = frozenset(state.ships)
        self.hull_classes = frozenset(hull_classes)
        for ship_id, ship in state.ships.items():
            if ship.id != ship_id:
                raise ValueError(f"ships.{ship_id}: is the ship {ship.id!r}")


def check_integrity(state: CampaignState, hull_classes: Collection[str]) -> None:
    """Refuse a campaign in which something names what is not there.

    Things that may be gone by now, such as the fleet of a mission or the captain of a ship, are looked for when they
    are needed and may be missing.

    Raises:
        ValueError: With the place and the id, or the number.
    """
    _check_numbers(state)
    tables = Tables(state, hull_classes)
    for where, ids, table, what in _references(state, tables):
        for one in ids:
            if one is not None and one not in table:
                raise ValueError(f"{where}: there is no {what} {one!r:.80}")
    _check_completeness(state, tables)


_Reference = tuple[str, Iterable[str | None], Collection[str], str]


def _references(state: CampaignState, tables: Tables) -> Iterator[_Reference]:
    nodes, hubs, factions, fleets = tables.nodes, tables.hubs, tables.factions, tables.fleets
    yield "player", (state.player,), factions, "faction"
    yield "nodes.owner", (node.owner for node in state.nodes), factions, "faction"
    yield "nodes.sky", (node.sky.precipitation for node in state.nodes), Precipitation.__members__, "precipitation"
    yield "lanes", (end for lane in state.lanes for end in (lane.a, lane.b)), nodes, "place"
    for hub in state.hubs:
        yield from _of_hub(hub, tables)
    for site in state.sites:
        yield from _of_site(site, tables)
    for faction in state.factions:
        where = f"factions.{faction.id}"
        yield f"{where}.capital", (faction.capital,), hubs, "hub"
        yield f"{where}.goals", (goal.target for goal in faction.goals), factions, "faction"
        yield f"{where}.vengeance", faction.vengeance, factions, "faction"
    yield "relations", (side for one in state.relations for side in (one.a, one.b)), factions, "faction"
    yield "treaties", (side for one in state.treaties for side in (one.a, one.b)), factions, "faction"
    yield "embargoes", (side for one in state.embargoes for side in (one.by, one.against)), factions, "faction"
    yield "offers", (side for one in state.offers for side in (one.by, one.to)), factions, "faction"
    for ship in state.ships.values():
        yield from _of_ship(f"ships.{ship.id}", ship, tables)
    for fleet in state.fleets:
        yield from _of_fleet(fleet, tables)
    for route in state.routes:
        yield f"routes.{route.id}", (route.origin, route.destination), hubs, "hub"
        yield f"routes.{route.id}.path", route.path, nodes, "place"
    yield "missions.issuer", (mission.issuer for mission in state.missions), factions, "faction"
    yield "missions.node", (place for one in state.missions for place in (one.node, one.rendezvous)), nodes, "place"
    yield "sieges.hub", (siege.hub for siege in state.sieges), hubs, "hub"
    yield "sieges", (side for one in state.sieges for side in (one.attacker, one.defender)), factions, "faction"
    yield "people.faction", (person.faction for person in state.people), factions, "faction"
    yield "people.grudges", (other for person in state.people for other in person.grudges), factions, "faction"
    for encounter in state.encounters:
        yield from _of_encounter(encounter, tables)
    yield "battles.node", (battle.node for battle in state.battles), nodes, "place"
    yield "battles.factions", (side for battle in state.battles for side in battle.factions), factions, "faction"
    yield "battles.winner", (battle.winner for battle in state.battles), factions, "faction"
    yield "news.node", (news.node for news in state.news), nodes, "place"
    yield "news.factions", (side for news in state.news for side in news.factions), factions, "faction"
    if state.ending is not None:
        yield "ending.winner", (state.ending.winner,), factions, "faction"
    if state.is_waiting and not state.encounters:
        yield "encounters", ("the first",), fleets, "encounter that waits:"


def _of_hub(hub: Hub, tables: Tables) -> Iterator[_Reference]:
    where = f"hubs.{hub.id}"
    yield where, (hub.id,), tables.nodes, "place"
    yield f"{where}.owner", (hub.owner,), tables.factions, "faction"
    yield f"{where}.builds", (build.class_id for build in hub.builds), tables.hull_classes, "hull class"
    if hub.conquest is not None:
        yield f"{where}.conquest", (hub.conquest.former_owner,), tables.factions, "faction"
    queue = hub.government.queue
    yield f"{where}.government", (decision.proposer for decision in queue), tables.factions, "faction"
    targets: dict[DecisionKind, tuple[Collection[str], str]] = {
        DecisionKind.WELFARE: ([one.value for one in Vocation], "vocation"),
        DecisionKind.OPEN_TRADE: (tables.hubs, "hub"),
        DecisionKind.EMBARGO: (tables.factions, "faction"),
        DecisionKind.DECLARE_WAR: (tables.factions, "faction"),
        DecisionKind.OFFER_PEACE: (tables.factions, "faction"),
        DecisionKind.BUILD: (tables.hull_classes, "hull class"),
        DecisionKind.INVEST: ([one.value for one in Chain], "chain"),
        DecisionKind.REFORM: ([one.value for one in GovernmentKind], "form of government"),
    }
    for decision in queue:
        if decision.kind in targets:
            table, what = targets[decision.kind]
            needs_one = decision.kind is not DecisionKind.WELFARE
            given = str(decision.target) if needs_one else decision.target
            yield f"{where}.government.queue", (given,), table, what


def _of_site(site: Site, tables: Tables) -> Iterator[_Reference]:
    where = f"sites.{site.id}"
    yield where, (site.id,), tables.nodes, "place"
    yield f"{where}.hub", (site.hub,), tables.hubs, "hub"
    yield f"{where}.owner", (site.owner,), tables.factions, "faction"


def _of_ship(where: str, ship: Ship, tables: Tables) -> Iterator[_Reference]:
    yield f"{where}.class_id", (ship.class_id,), tables.hull_classes, "hull class"
    yield f"{where}.owner", (ship.owner,), tables.factions, "faction"
    yield f"{where}.home", (ship.home,), tables.hubs, "hub"


def _of_fleet(fleet: Fleet, tables: Tables) -> Iterator[_Reference]:
    where = f"fleets.{fleet.id}"
    yield f"{where}.owner", (fleet.owner,), tables.factions, "faction"
    yield f"{where}.ships", fleet.ships, tables.ships, "ship"
    yield f"{where}.node", (fleet.node, fleet.came_from, *fleet.path), tables.nodes, "place"
    if fleet.passage is not None:
        yield f"{where}.passage", (fleet.passage.origin, fleet.passage.target), tables.nodes, "place"


def _of_encounter(encounter: Encounter, tables: Tables) -> Iterator[_Reference]:
    where = f"encounters.{encounter.battle_id}"
    yield f"{where}.node", (encounter.node,), tables.nodes, "place"
    yield f"{where}.receiver", (encounter.receiver,), tables.hubs, "hub"
    yield f"{where}.sender", (encounter.sender,), tables.factions, "faction"
    for force in (encounter.attacker, encounter.defender):
        yield from _of_force(where, force, tables)


def _of_force(where: str, force: Force, tables: Tables) -> Iterator[_Reference]:
    yield f"{where}.faction", (force.faction,), tables.factions, "faction"
    yield f"{where}.fleets", force.fleets, tables.fleets, "fleet"
    yield f"{where}.fixtures", force.fixtures, tables.ships, "ship"
    yield f"{where}.origin", (force.origin,), tables.nodes, "place"
    for merchant in force.merchants:
        yield f"{where}.merchants", (merchant.class_id,), tables.hull_classes, "hull class"
        yield f"{where}.merchants", (merchant.owner,), tables.factions, "faction"


def _check_completeness(state: CampaignState, tables: Tables) -> None:
    """Refuse tables that lack a row: whoever reads them takes it for granted."""
    pairs = {frozenset((relation.a, relation.b)) for relation in state.relations}
    for first in tables.factions:
        for second in tables.factions:
            if first != second and frozenset((first, second)) not in pairs:
                raise ValueError(f"relations: {first!r} and {second!r} have none")
    for hub in state.hubs:
        _check_rows(f"hubs.{hub.id}.stock", hub.stock, Resource)
        _check_rows(f"hubs.{hub.id}.opening", hub.opening, Resource)
        _check_rows(f"hubs.{hub.id}.workforce", hub.workforce, Vocation)
        _check_rows(f"hubs.{hub.id}.blocs", {bloc.kind for bloc in hub.blocs}, Bloc)
    for fleet in state.fleets:
        if (fleet.node is None) != (fleet.passage is not None):
            raise ValueError(f"fleets.{fleet.id}: lies at a place or is on a lane, one of both")


def _check_rows(where: str, table: Collection[Enum], kinds: Iterable[Enum]) -> None:
    for kind in kinds:
        if kind not in table:
            raise ValueError(f"{where}: has no {kind.value}")


def _check_numbers(state: CampaignState) -> None:
    waiting: list[tuple[str, object]] = [("state", state)]
    parts = 0
    while waiting:
        where, value = waiting.pop()
        parts += 1
        if isinstance(value, float | int) and not (math.isfinite(value) and abs(value) <= _LARGEST):
            raise ValueError(f"{where}: {value!r:.40} is no number of a campaign")
        if is_dataclass(value):
            waiting.extend((f"{where}.{one.name}", getattr(value, one.name)) for one in fields(value))
        elif isinstance(value, dict):
            waiting.extend((where, item) for item in value.values())
        elif isinstance(value, list | tuple):
            waiting.extend((where, item) for item in value)
        if parts + len(waiting) > _MOST_PARTS:
            raise ValueError(f"{where}: holds more than {_MOST_PARTS} values")


def _unique(name: str, ids: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for one in ids:
        if one in found:
            raise ValueError(f"{name}: {one!r:.80} stands twice")
        found.add(one)
    return frozenset(found)
