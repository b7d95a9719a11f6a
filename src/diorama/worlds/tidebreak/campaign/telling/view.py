"""A campaign as one JSON object: everything a page or a table needs to show it."""

from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.campaign.campaign import Campaign, PendingBattle
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
from diorama.worlds.tidebreak.campaign.fleets.missions import mission_words, open_missions
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Resource
from diorama.worlds.tidebreak.campaign.orders import Budget, Order, offered_missions, orders_left
from diorama.worlds.tidebreak.campaign.score import score
from diorama.worlds.tidebreak.campaign.sieges.actions import legal_actions
from diorama.worlds.tidebreak.campaign.sieges.waging import strengths
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Mission, News, Relation, Route, Siege
from diorama.worlds.tidebreak.campaign.telling.attention import concerns
from diorama.worlds.tidebreak.campaign.telling.view_fleets import fleet_view
from diorama.worlds.tidebreak.campaign.telling.view_hubs import hub_view, site_view

VIEW_VERSION: Final = 1
NEWS_SHOWN: Final = 200
BATTLES_SHOWN: Final = 50
_BANDS: Final = ((0.7, "allied"), (0.3, "friendly"), (-0.3, "neutral"), (-0.7, "unfriendly"))


def campaign_view(campaign: Campaign) -> JsonObject:
    """Describe a campaign as it stands."""
    state = campaign.state
    ending = state.ending
    return {
        "view_version": VIEW_VERSION,
        "scenario": state.scenario,
        "seed": state.seed,
        "day": state.day,
        "last_day": state.last_day,
        "player": state.player,
        "ending": None if ending is None else {"day": ending.day, "reason": ending.reason, "winner": ending.winner},
        "resources": [resource.value for resource in Resource],
        "needs": [resource.value for resource in NEEDS],
        "nodes": [_node(state, node_id) for node_id in (node.id for node in state.nodes)],
        "lanes": [
            {"a": lane.a, "b": lane.b, "days": lane.days, "is_chokepoint": lane.is_chokepoint} for lane in state.lanes
        ],
        "hubs": [hub_view(state, hub) for hub in state.hubs],
        "sites": [site_view(state, site) for site in state.sites],
        "fleets": [fleet_view(state, fleet) for fleet in state.fleets],
        "routes": [_route(state, route) for route in state.routes],
        "factions": [_faction(state, faction) for faction in state.factions],
        "relations": [_relation(state, relation) for relation in state.relations],
        "treaties": [
            {
                "number": treaty.number,
                "kind": treaty.kind.value,
                "between": [treaty.a, treaty.b],
                "signed_day": treaty.signed_day,
                "end_day": treaty.end_day,
            }
            for treaty in state.treaties
        ],
        "offers": [
            {"number": o.number, "kind": o.kind.value, "by": o.by, "to": o.to, "expires_day": o.expires_day}
            for o in state.offers
        ],
        "missions": [_mission(state, mission) for mission in open_missions(state)],
        "sieges": [_siege(state, siege) for siege in state.sieges],
        "people": [
            {
                "number": person.number,
                "name": person.name,
                "faction": person.faction,
                "role": person.role.value,
                "post": person.post,
                "command": person.command,
                "operations": person.operations,
                "politics": person.politics,
                "traits": [trait.value for trait in person.traits],
            }
            for person in state.people
        ],
        "news": [news_view(item) for item in state.news[-NEWS_SHOWN:]],
        "battles": [
            {
                "battle_id": record.battle_id,
                "day": record.day,
                "node": record.node,
                "factions": list(record.factions),
                "winner": record.winner,
                "summary": record.summary,
            }
            for record in state.battles[-BATTLES_SHOWN:]
        ],
        "orders_left": {
            "fleet": orders_left(state, Budget.FLEET),
            "policy": orders_left(state, Budget.POLICY),
        },
        "orders": [order_view(order) for order in campaign.orders()],
        "concerns": [{"key": concern.key, "text": concern.text} for concern in concerns(state)],
        "pending_battle": pending_view(campaign.pending_battle),
    }


def order_view(order: Order) -> JsonObject:
    """An order: `code` is what `submit` takes, `text` says it in plain words."""
    return {
        "code": order.code,
        "verb": order.verb.value,
        "arguments": list(order.arguments),
        "budget": order.budget.value,
        "text": order.text,
    }


def news_view(item: News) -> JsonObject:
    """A piece of news; `cause` is the number of the news it follows from."""
    return {
        "number": item.number,
        "day": item.day,
        "topic": item.topic,
        "text": item.text,
        "factions": list(item.factions),
        "node": item.node,
        "cause": item.cause,
    }


def pending_view(pending: PendingBattle | None) -> JsonObject | None:
    """The battle that waits, without its package."""
    if pending is None:
        return None
    return {
        "battle_id": pending.package.battle_id,
        "side": pending.side,
        "briefing": pending.briefing.splitlines(),
        "time_limit_s": pending.package.time_limit_s,
        "ships": [
            {
                "ship_id": ship.ship_id,
                "team_id": ship.team_id,
                "class_id": ship.class_id,
                "objective": None if ship.objective is None else ship.objective.type.name,
                "morale": ship.crew.morale,
            }
            for ship in pending.package.ships
        ],
    }


def band_of(disposition: float) -> str:
    """Put a disposition into a word."""
    return next((word for limit, word in _BANDS if disposition >= limit), "hostile")


def _node(state: CampaignState, node_id: str) -> JsonObject:
    node = state.node(node_id)
    return {
        "id": node.id,
        "name": node.name,
        "kind": node.kind.value,
        "x_km": node.x_km,
        "y_km": node.y_km,
        "style": node.style.value,
        "owner": node.owner,
        "is_chokepoint": node.is_chokepoint,
        "weather": {
            "sea_state": node.sky.sea_state,
            "visibility_km": node.sky.visibility_km,
            "precipitation": node.sky.precipitation,
            "wind_speed": node.sky.wind_speed,
            "wind_direction": node.sky.wind_direction,
            "is_foggy": node.sky.is_foggy,
        },
    }


def _route(state: CampaignState, route: Route) -> JsonObject:
    return {
        "id": route.id,
        "name": route.name,
        "kind": route.kind.value,
        "origin": route.origin,
        "destination": route.destination,
        "path": list(route.path),
        "capacity": route.capacity,
        "goods": amounts(route.goods),
        "goods_back": amounts(route.goods_back),
        "moved": amounts(route.moved),
        "moved_back": amounts(route.moved_back),
        "status": route.status.value,
        "threat": route.threat,
    }


def amounts(goods: dict[Resource, float]) -> dict[str, JsonValue]:
    """Goods by name, those there are, in the order of the resources."""
    return {resource.value: goods[resource] for resource in Resource if goods.get(resource, 0.0) > 0.0}


def _faction(state: CampaignState, faction: Faction) -> JsonObject:
    leader = state.find_person(faction.leader)
    return {
        "id": faction.id,
        "name": faction.name,
        "is_major": faction.is_major,
        "is_player": faction.id == state.player,
        "capital": faction.capital,
        "leader": None if leader is None else leader.name,
        "score": score(state, faction.id),
        "morale": effective_morale(faction),
        "action_points": faction.action_points,
        "goals": [{"kind": g.kind.value, "target": g.target, "score": g.score} for g in faction.goals],
        "vengeance": {other: points for other, points in sorted(faction.vengeance.items()) if points > 0.0},
        "reputation": faction.reputation,
        "defeated_day": faction.defeated_day,
        "at_war_with": [f.id for f in state.factions if state.are_at_war(faction.id, f.id)],
    }


def _relation(state: CampaignState, relation: Relation) -> JsonObject:
    return {
        "between": [relation.a, relation.b],
        "disposition": relation.disposition,
        "band": band_of(relation.disposition),
        "is_at_war": relation.is_at_war,
        "since_day": relation.since_day,
        "cause": relation.cause,
        "embargoes": [e.by for e in state.embargoes if {e.by, e.against} == {relation.a, relation.b}],
    }


def _mission(state: CampaignState, mission: Mission) -> JsonObject:
    is_offered = state.player is not None and mission in offered_missions(state, state.player)
    return {
        "number": mission.number,
        "kind": mission.kind.value,
        "text": mission_words(state, mission),
        "issuer": mission.issuer,
        "node": mission.node,
        "deadline_day": mission.deadline_day,
        "reward": amounts(mission.reward),
        "status": mission.status.value,
        "fleets": list(mission.fleets),
        "is_offered": is_offered,
    }


def _siege(state: CampaignState, siege: Siege) -> JsonObject:
    attack, defense = strengths(state, siege)
    player = state.player
    return {
        "number": siege.number,
        "hub": siege.hub,
        "attacker": siege.attacker,
        "defender": siege.defender,
        "control": siege.control,
        "troops": siege.troops,
        "attack": attack,
        "defense": defense,
        "started_day": siege.started_day,
        "actions": [] if player is None else [action.value for action in legal_actions(state, siege, player)],
    }
