"""Day 0: a scenario becomes a campaign."""

from itertools import combinations
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import settle_morale
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need, take_stock
from diorama.worlds.tidebreak.campaign.economy.production import first_site_store
from diorama.worlds.tidebreak.campaign.economy.stocks import gain
from diorama.worlds.tidebreak.campaign.fleets.muster import new_fleet, new_ship
from diorama.worlds.tidebreak.campaign.fleets.upkeep import capacity
from diorama.worlds.tidebreak.campaign.kinds import (
    FLEET_NEEDS,
    NEEDS,
    Bloc,
    Flow,
    HubKind,
    NodeKind,
    Resource,
    Role,
)
from diorama.worlds.tidebreak.campaign.map.weather import FIRST_SEA_STATE, sky_of
from diorama.worlds.tidebreak.campaign.people import DEFAULT_SKILL, fill_posts, new_person
from diorama.worlds.tidebreak.campaign.politics.regimes import ELECTION_DAYS
from diorama.worlds.tidebreak.campaign.scenarios import Scenario
from diorama.worlds.tidebreak.campaign.scenarios.scenario import ScenarioFleet, ScenarioHub, ScenarioRelation
from diorama.worlds.tidebreak.campaign.state import (
    CampaignState,
    Creed,
    Faction,
    Government,
    Hub,
    InternalFaction,
    Lane,
    Node,
    Relation,
    Route,
    Site,
    Treaty,
    empty_stock,
)
from diorama.worlds.tidebreak.campaign.telling.chronicle import report
from diorama.worlds.tidebreak.limits import SEED_MAX

_CITY_CLASS: Final = "arcology"


def found(scenario: Scenario, *, name: str, seed: int, player: str | None) -> CampaignState:
    """Set the opening position up.

    Args:
        scenario: What to set up.
        name: The scenario's name.
        seed: Of the campaign, 1 to 2^53 - 1.
        player: Faction of the person who plays; None if bots play all.

    Raises:
        ConfigError: The seed is out of range.
        UnknownName: There is no such faction.
    """
    if not 1 <= seed <= SEED_MAX:
        raise ConfigError(f"seed {seed} is outside 1 to {SEED_MAX}")
    known = [faction.id for faction in scenario.factions]
    if player is not None and player not in known:
        raise UnknownName.among("faction", player, known)
    state = CampaignState(
        scenario=name,
        campaign_id=f"{name}.{seed}"[:32],
        seed=seed,
        player=player,
        last_day=scenario.last_day,
        nodes=_nodes(scenario),
        lanes=_lanes(scenario),
        hubs=[],
        sites=[],
        factions=_factions(scenario),
        relations=[],
    )
    state.relations = _relations(state, scenario)
    _found_hubs(state, scenario)
    _found_sites(state, scenario)
    for fleet in scenario.fleets:
        _found_fleet(state, fleet)
    _found_routes(state, scenario)
    for relation in scenario.relations:
        _found_treaties(state, relation)
    for hub in state.hubs:
        hub.governor = _ordinary_governor(state, hub)
    fill_posts(state)
    for faction in state.factions:
        settle_morale(state, faction)
    return state


def _nodes(scenario: Scenario) -> list[Node]:
    owners = {hub.node: hub.owner for hub in scenario.hubs}
    owners |= {site.node: owners[site.hub] for site in scenario.sites}
    return [
        Node(
            id=node.id,
            number=number,
            name=node.name,
            kind=NodeKind(node.kind),
            x_km=node.x_km,
            y_km=node.y_km,
            style=node.style,
            owner=owners.get(node.id),
            is_chokepoint=node.is_chokepoint,
            sky=sky_of(FIRST_SEA_STATE, is_foggy=False, wind_direction=0.0),
        )
        for number, node in enumerate(sorted(scenario.nodes, key=lambda node: node.name), start=1)
    ]


def _lanes(scenario: Scenario) -> list[Lane]:
    chokepoints = {node.id for node in scenario.nodes if node.is_chokepoint}
    return [
        Lane(
            a=min(lane.between),
            b=max(lane.between),
            days=lane.days,
            is_chokepoint=not chokepoints.isdisjoint(lane.between),
        )
        for lane in sorted(scenario.lanes, key=lambda lane: (min(lane.between), max(lane.between)))
    ]


def _factions(scenario: Scenario) -> list[Faction]:
    return [
        Faction(
            id=faction.id,
            number=number,
            name=faction.name,
            is_major=faction.is_major,
            creed=Creed(**faction.philosophy.model_dump()),
            tech_tags=list(faction.tech_tags),
            capital=faction.capital,
        )
        for number, faction in enumerate(sorted(scenario.factions, key=lambda faction: faction.name), start=1)
    ]


def _relations(state: CampaignState, scenario: Scenario) -> list[Relation]:
    given = {frozenset(relation.between): relation for relation in scenario.relations}
    relations = []
    for first, second in combinations(state.factions, 2):
        start = given.get(frozenset((first.id, second.id)))
        disposition, war = (0.0, False) if start is None else (start.disposition, start.is_at_war)
        relations.append(Relation(a=first.id, b=second.id, disposition=disposition, is_at_war=war))
    return relations


def _found_hubs(state: CampaignState, scenario: Scenario) -> None:
    names = {node.id: node.name for node in scenario.nodes}
    start = scenario.start
    for number, row in enumerate(sorted(scenario.hubs, key=lambda hub: names[hub.node]), start=1):
        government = tables().governments[row.government]
        blocs = [
            InternalFaction(
                kind=kind, share=share, satisfaction=start.satisfaction, radicalization=start.radicalization
            )
            for kind, share in zip(Bloc, row.blocs, strict=True)
        ]
        hub = Hub(
            id=row.node,
            number=number,
            name=names[row.node],
            kind=HubKind(row.kind),
            owner=row.owner,
            population=float(row.population),
            stock=empty_stock(),
            facilities={chain: float(batches) for chain, batches in row.facilities.items()},
            reserve=float(row.reserve),
            government=Government(
                kind=row.government,
                legitimacy=government.baseline,
                capital=government.capital_max / 2.0,
                ruling=max(blocs, key=lambda bloc: bloc.share).kind,
                next_election_day=ELECTION_DAYS,
            ),
            blocs=blocs,
            workforce=dict(start.workforce),
            yard_level=row.yard_level,
            security=row.population * start.security_share,
            info_integrity=1.0,
            hull=None,
            governor=None,
        )
        if hub.kind is HubKind.ARCOLOGY:
            city = new_ship(state, _CITY_CLASS, hub.owner, hub.id)
            city.name, hub.hull = hub.name, city.id
        _stock(state, hub, scenario, row)
        take_stock(hub)
        hub.opening = dict(hub.stock)
        state.hubs.append(hub)


def _stock(state: CampaignState, hub: Hub, scenario: Scenario, row: ScenarioHub) -> None:
    for resource in NEEDS:
        days = row.supply_days.get(resource, scenario.start.supply_days)
        gain(state, hub.stock, resource, days * daily_need(hub, resource), Flow.FOUNDED)
    gain(state, hub.stock, Resource.MATERIALS, float(scenario.start.materials), Flow.FOUNDED)


def _found_sites(state: CampaignState, scenario: Scenario) -> None:
    names = {node.id: node.name for node in scenario.nodes}
    for number, row in enumerate(sorted(scenario.sites, key=lambda site: names[site.node]), start=1):
        owner = state.hub(row.hub).owner
        platform = new_ship(state, row.platform, owner, row.hub)
        platform.name = names[row.node]
        site = Site(
            id=row.node,
            number=number,
            name=names[row.node],
            hub=row.hub,
            owner=owner,
            facilities={chain: float(batches) for chain, batches in row.facilities.items()},
            platform=platform.id,
            store=empty_stock(),
        )
        for resource, amount in first_site_store(site).items():
            gain(state, site.store, resource, amount, Flow.FOUNDED)
        state.sites.append(site)


def _found_fleet(state: CampaignState, row: ScenarioFleet) -> None:
    fleet = new_fleet(state, row.owner, row.node, row.name)
    for class_id, count in row.ships.items():
        for _ in range(count):
            ship = new_ship(state, class_id, row.owner, state.faction(row.owner).capital)
            ship.fleet = fleet.id
            fleet.ships.append(ship.id)
    for resource in FLEET_NEEDS:
        gain(state, fleet.supply, resource, capacity(state, fleet, resource), Flow.FOUNDED)


def _found_routes(state: CampaignState, scenario: Scenario) -> None:
    for row in scenario.routes:
        number = state.next_number("route")
        state.routes.append(
            Route(
                id=f"route-{number}",
                number=number,
                name=row.name,
                kind=row.kind,
                origin=row.origin,
                destination=row.destination,
                path=list(row.path),
                capacity=float(row.capacity),
                goods={resource: float(units) for resource, units in row.goods.items()},
                goods_back={resource: float(units) for resource, units in row.goods_back.items()},
            )
        )


def _found_treaties(state: CampaignState, row: ScenarioRelation) -> None:
    for kind in row.treaties:
        first, second = row.between
        names = f"the {state.faction(first).name} and the {state.faction(second).name}"
        text = f"{names} are bound by a treaty: {kind.lower().replace('_', ' ')}"
        news = report(state, "founding", text, factions=[first, second])
        number = state.next_number("treaty")
        state.treaties.append(
            Treaty(number=number, kind=kind, a=first, b=second, signed_day=0, end_day=None, news=news)
        )


def _ordinary_governor(state: CampaignState, hub: Hub) -> int:
    """The opening balance assumes that nobody runs a hub better or worse than usual."""
    governor = new_person(state, hub.owner, Role.GOVERNOR, hub.id)
    governor.operations = governor.politics = governor.loyalty = DEFAULT_SKILL
    return governor.number
