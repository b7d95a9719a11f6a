"""What a day does to dispositions, morale and vengeance."""

from typing import Final

from diorama.numerics import clamp, fmax
from diorama.worlds.tidebreak.campaign.diplomacy.treaties import expire_agreements
from diorama.worlds.tidebreak.campaign.diplomacy.wars import change_disposition
from diorama.worlds.tidebreak.campaign.economy.routes import owners_of
from diorama.worlds.tidebreak.campaign.fleets.strength import faction_cost
from diorama.worlds.tidebreak.campaign.kinds import Resource
from diorama.worlds.tidebreak.campaign.politics.legitimacy import mean_legitimacy
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Relation

_HONOURED: Final = 0.005
_TRADED: Final = 0.002
_STANDOFF: Final = -0.01
_DRIFT: Final = 0.001
_VENGEANCE_DECAY: Final = 0.1
_BATTLE_DECAY: Final = 0.95
_ATTRITION_DAYS: Final = 60
_ATTRITION: Final = 0.3


def drift_attitudes(state: CampaignState) -> None:
    """Let agreements work, wounds heal and morale settle."""
    expire_agreements(state)
    for relation in state.relations:
        _drift(state, relation)
    for faction in state.standing:
        for other in sorted(faction.vengeance):
            faction.vengeance[other] = fmax(faction.vengeance[other] - _VENGEANCE_DECAY, 0.0)
        settle_morale(state, faction)


def economy_of(state: CampaignState, faction_id: str) -> float:
    """E: mean over hubs of prosperity brought to 0 to 1."""
    hubs = state.hubs_of(faction_id)
    total = 0.0
    for hub in hubs:
        total += (hub.prosperity + 1.0) / 2.0
    return total / len(hubs) if hubs else 0.0


def effective_morale(faction: Faction) -> float:
    """What crews sail with, 0 to 1."""
    return clamp(faction.base_morale + faction.battle_modifier + faction.attrition_modifier, 0.0, 1.0)


def settle_morale(state: CampaignState, faction: Faction) -> None:
    """Work out the three parts of a faction's morale."""
    faction.base_morale = 0.4 + 0.3 * mean_legitimacy(state, faction.id) + 0.2 * economy_of(state, faction.id)
    faction.battle_modifier *= _BATTLE_DECAY
    faction.losses = [loss for loss in faction.losses if state.day - loss.day < _ATTRITION_DAYS]
    lost = 0.0
    for loss in faction.losses:
        lost += loss.cost
    faction.fleet_costs.append(faction_cost(state, faction.id))
    del faction.fleet_costs[: -(_ATTRITION_DAYS + 1)]
    then = faction.fleet_costs[0]
    faction.attrition_modifier = -_ATTRITION * (lost / then) if then > 0.0 else 0.0


def _drift(state: CampaignState, relation: Relation) -> None:
    a, b = relation.a, relation.b
    if any({treaty.a, treaty.b} == {a, b} for treaty in state.treaties):
        change_disposition(state, a, b, _HONOURED)
    if any({*owners_of(state, route)} == {a, b} and _carried(route.moved, route.moved_back) for route in state.routes):
        change_disposition(state, a, b, _TRADED)
    if _stand_off(state, a, b):
        change_disposition(state, a, b, _STANDOFF)
    goal = 0.2 * _shared_enemies(state, a, b) - 0.2 * _competing_claims(state, a, b)
    change_disposition(state, a, b, clamp(goal - relation.disposition, -_DRIFT, _DRIFT))


def _carried(*holds: dict[Resource, float]) -> bool:
    return any(amount > 0.0 for hold in holds for amount in hold.values())


def _stand_off(state: CampaignState, a: str, b: str) -> bool:
    """Armed fleets of two unfriendly factions that watch each other without a war."""
    if state.are_at_war(a, b) or state.relation(a, b).disposition >= -0.3:
        return False
    places = {fleet.node for fleet in state.fleets_of(a) if fleet.node is not None}
    return any(fleet.node in places for fleet in state.fleets_of(b))


def _shared_enemies(state: CampaignState, a: str, b: str) -> int:
    return sum(state.are_at_war(a, f.id) and state.are_at_war(b, f.id) for f in state.standing if f.id not in (a, b))


def _competing_claims(state: CampaignState, a: str, b: str) -> int:
    pairs = ((hub.owner, hub.conquest.former_owner) for hub in state.hubs if hub.conquest is not None)
    return sum({*pair} == {a, b} for pair in pairs)
