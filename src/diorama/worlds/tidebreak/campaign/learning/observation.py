"""What a policy sees of a campaign: 160 numbers within -1 to 1."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from diorama.contracts.values import F32
from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of, vengeance_of
from diorama.worlds.tidebreak.campaign.economy.routes import owners_of
from diorama.worlds.tidebreak.campaign.fleets.readiness import condition, supply_days
from diorama.worlds.tidebreak.campaign.fleets.strength import faction_cost, fleet_cost
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Resource, RouteStatus, Stance, TreatyKind
from diorama.worlds.tidebreak.campaign.learning.templates import main_fleet
from diorama.worlds.tidebreak.campaign.orders import offered_missions
from diorama.worlds.tidebreak.campaign.politics.legitimacy import government_row
from diorama.worlds.tidebreak.campaign.score import score
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Fleet, Hub
from diorama.worlds.tidebreak.campaign.sums import total

SIZE: Final = 160
FACTIONS: Final = 4
FACTION_SIZE: Final = 12
HUBS: Final = 5
HUB_SIZE: Final = 18
_PEOPLE: Final = 60_000.0
_MATERIALS: Final = 3_000.0
_FLEET_COST: Final = 2_000.0


def observe(state: CampaignState, player: str) -> F32:
    """Write four factions of 12 numbers (the player first), five hubs of 18 (own ones first) and 22 of the whole."""
    row: list[float] = []
    factions = sorted(state.factions, key=lambda f: (f.id != player, f.number))[:FACTIONS]
    for faction in factions:
        row += _faction(state, faction, player)
    row += [0.0] * (FACTION_SIZE * (FACTIONS - len(factions)))
    hubs = sorted(state.hubs, key=lambda hub: (hub.owner != player, hub.number))[:HUBS]
    for hub in hubs:
        row += _hub(state, hub, player)
    row += [0.0] * (HUB_SIZE * (HUBS - len(hubs)))
    row += _whole(state, player)
    return np.clip(np.asarray(row, dtype=np.float32), -1.0, 1.0)


def _faction(state: CampaignState, faction: Faction, player: str) -> list[float]:
    everybody = total(hub.population for hub in state.hubs)
    ships = total(faction_cost(state, other.id) for other in state.factions)
    is_self = faction.id == player
    disposition = 1.0 if is_self else state.relation(player, faction.id).disposition
    treaties = [] if is_self else [t.kind for t in state.treaties if {t.a, t.b} == {player, faction.id}]
    return [
        float(faction.defeated_day is None),
        score(state, faction.id),
        effective_morale(faction),
        faction_cost(state, faction.id) / ships if ships > 0.0 else 0.0,
        total(hub.population for hub in state.hubs_of(faction.id)) / everybody if everybody > 0.0 else 0.0,
        faction.action_points / 40.0,
        disposition,
        float(state.are_at_war(player, faction.id)),
        float(TreatyKind.TRADE in treaties),
        float(TreatyKind.MUTUAL_DEFENSE in treaties or TreatyKind.VASSALAGE in treaties),
        float(TreatyKind.NON_AGGRESSION in treaties or TreatyKind.CEASEFIRE in treaties),
        vengeance_of(state, faction.id, player) / 20.0,
    ]


def _hub(state: CampaignState, hub: Hub, player: str) -> list[float]:
    government = hub.government
    capital_max = government_row(hub).capital_max
    control = max((siege.control for siege in state.sieges if siege.hub == hub.id), default=0.0)
    return [
        1.0,
        float(hub.owner == player),
        float(state.are_at_war(hub.owner, player)),
        *(clamp(hub.days[resource] / 15.0 - 1.0, -1.0, 1.0) for resource in NEEDS),
        hub.stock[Resource.MATERIALS] / _MATERIALS,
        hub.population / _PEOPLE,
        government.legitimacy,
        hub.prosperity,
        government.capital / capital_max if capital_max > 0.0 else 0.0,
        len(government.queue) / 6.0,
        len(hub.crises) / 3.0,
        control,
        max(bloc.radicalization for bloc in hub.blocs),
        float(hub.is_rationing),
        len(hub.builds) / 3.0,
    ]


def _whole(state: CampaignState, player: str) -> list[float]:
    faction = state.faction(player)
    routes = [route for route in state.routes if player in owners_of(state, route)]
    open_routes = sum(route.status is RouteStatus.OPEN for route in routes)
    return [
        state.day / state.last_day,
        *_main_fleet(state, player, main_fleet(state, player)),
        len(state.fleets_of(player)) / 5.0,
        open_routes / len(routes) if routes else 0.0,
        faction.goods_delivered / faction.goods_planned if faction.goods_planned > 0.0 else 0.0,
        len(enemies_of(state, player)) / 3.0,
        float(any(offer.to == player for offer in state.offers)),
        len(offered_missions(state, player)) / 3.0,
        float(any(player in (siege.attacker, siege.defender) for siege in state.sieges)),
    ]


def _main_fleet(state: CampaignState, player: str, fleet: Fleet | None) -> Iterator[float]:
    if fleet is None:
        yield from [0.0] * (8 + len(Stance))
        return
    node = None if fleet.node is None else state.node(fleet.node)
    owner = None if node is None else node.owner
    yield 1.0
    yield float(owner == player)
    yield float(node is not None and node.is_chokepoint)
    yield float(node is None)
    yield float(owner is not None and state.are_at_war(owner, player))
    yield condition(state, fleet)
    yield supply_days(state, fleet) / 30.0
    yield fleet_cost(state, fleet) / _FLEET_COST
    yield from (float(fleet.stance is stance) for stance in Stance)
