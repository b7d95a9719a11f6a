"""What a faction strives for, and how many action points it has for it."""

from collections.abc import Iterator
from typing import Final

from diorama.numerics import clamp, fmin
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import economy_of
from diorama.worlds.tidebreak.campaign.diplomacy.wars import vengeance_of
from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.economy.needs import is_starving
from diorama.worlds.tidebreak.campaign.fleets.strength import faction_cost, faction_strength, fleet_strength
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, GoalKind, TreatyKind
from diorama.worlds.tidebreak.campaign.map.paths import neighbors
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Goal

POINTS_MAX: Final = 40.0
_FULL_FLEET_COST: Final = 2000.0
_ACTIVE: Final = 2
_NEED_BELOW_DAYS: Final = 15.0
_VENGEFUL: Final = 10.0
_UNFRIENDLY: Final = -0.5
_THREAT_BELOW: Final = -0.3
_MOOD: Final = 0.2  # by how much the mood of a day can raise a goal
_WEAKEST: Final = 1.0
PROTECTED: Final = (TreatyKind.NON_AGGRESSION, TreatyKind.MUTUAL_DEFENSE, TreatyKind.CEASEFIRE, TreatyKind.VASSALAGE)


def earn_points(state: CampaignState, faction: Faction) -> None:
    """Add the day's action points."""
    military = fmin(1.0, faction_cost(state, faction.id) / _FULL_FLEET_COST)
    earned = (0.5 + economy_of(state, faction.id)) * (0.5 + military)
    faction.action_points = fmin(POINTS_MAX, faction.action_points + earned)


def set_goals(state: CampaignState, faction: Faction) -> None:
    """Score all goals and keep the strongest two."""
    scored = [goal for goal in _candidates(state, faction) if goal.score > 0.0]
    order = list(GoalKind)
    for goal in scored:
        mood = uniform(state, Stream.CHOICE, faction.number, 1 + order.index(goal.kind), 0)
        goal.score *= 1.0 + _MOOD * (mood - 0.5)
    scored.sort(key=lambda goal: (-goal.score, order.index(goal.kind), goal.target or ""))
    faction.goals = scored[:_ACTIVE]


def invasion_target(state: CampaignState, faction: Faction) -> str | None:
    """Faction to take something from: one that can be beaten, the least liked first; treaties of peace protect."""
    open_to_attack = [
        other
        for other in state.others(faction.id)
        if state.hubs_of(other.id) and not state.has_treaty(faction.id, other.id, *PROTECTED)
    ]
    return min(
        (other.id for other in open_to_attack if _expand_score(state, faction, other.id) > 0.0),
        key=lambda other: (
            not state.are_at_war(faction.id, other),
            state.relation(faction.id, other).disposition,
            other,
        ),
        default=None,
    )


def strength_near(state: CampaignState, faction_id: str) -> tuple[float, float]:
    """Own strength and that of possible enemies at own places and one lane around them."""
    own_nodes = [node.id for node in state.nodes if node.owner == faction_id]
    near = set(own_nodes).union(*(neighbors(state, node) for node in own_nodes)) if own_nodes else set()
    own = enemy = 0.0
    for fleet in state.fleets:
        if fleet.owner == faction_id:
            own += fleet_strength(state, fleet)
        elif fleet.node in near and _is_threat(state, faction_id, fleet.owner):
            enemy += fleet_strength(state, fleet)
    return own, enemy


def _candidates(state: CampaignState, faction: Faction) -> Iterator[Goal]:
    creed = faction.creed
    target = invasion_target(state, faction)
    if target is not None:
        yield Goal(
            kind=GoalKind.EXPAND, target=target, score=creed.expansionism * _expand_score(state, faction, target)
        )
    own, enemy = strength_near(state, faction.id)
    ratio = enemy / own if own > 0.0 else float(enemy > 0.0) * 2.0
    yield Goal(kind=GoalKind.DEFEND, target=None, score=clamp(ratio - 0.6, 0.0, 1.0))
    hubs = state.hubs_of(faction.id)
    is_short = any(hub.days[resource] < _NEED_BELOW_DAYS for hub in hubs for resource in NEEDS)
    yield Goal(kind=GoalKind.TRADE, target=None, score=creed.commercialism * (0.5 + 0.5 * float(is_short)))
    for other in state.others(faction.id):
        is_disliked = state.relation(faction.id, other.id).disposition < _UNFRIENDLY
        if is_disliked or vengeance_of(state, faction.id, other.id) > _VENGEFUL:
            yield Goal(kind=GoalKind.WEAKEN, target=other.id, score=creed.aggression)
    is_besieged = any(siege.hub == faction.capital for siege in state.sieges)
    if is_besieged or any(is_starving(hub) for hub in hubs):
        yield Goal(kind=GoalKind.SURVIVE, target=None, score=1.0)


def _expand_score(state: CampaignState, faction: Faction, target: str) -> float:
    theirs = faction_strength(state, target)
    own = faction_strength(state, faction.id)
    ratio = own / theirs if theirs > 0.0 else (2.0 if own > _WEAKEST else 0.0)
    return clamp(ratio - 0.8, 0.0, 1.0)


def _is_threat(state: CampaignState, faction_id: str, other: str) -> bool:
    relation = state.relation(faction_id, other)
    return relation.is_at_war or relation.disposition < _THREAT_BELOW
