"""What a bot offers other factions."""

from collections.abc import Iterator

from diorama.worlds.tidebreak.campaign.diplomacy.treaties import can_offer, is_winning, offer_treaty, would_accept
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of
from diorama.worlds.tidebreak.campaign.kinds import DecisionKind, GoalKind, TreatyKind
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose, propose
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Goal

_ALLY_FROM = 0.7


def act_diplomatically(state: CampaignState, faction: Faction, goal: Goal, is_wanted: bool) -> bool:
    """Offer the first treaty that serves the goal and may be signed; peace and trade go through the capital."""
    for other, kind in _wishes(state, faction, goal):
        if not can_offer(state, faction.id, other, kind):
            continue
        is_likely = not state.is_run_by_bot(other) or would_accept(state, other, faction.id, kind)
        if is_likely and _bring_about(state, faction, other, kind, is_wanted):
            return True
    return False


def _wishes(state: CampaignState, faction: Faction, goal: Goal) -> Iterator[tuple[str, TreatyKind]]:
    enemies = enemies_of(state, faction.id)
    if goal.kind in (GoalKind.SURVIVE, GoalKind.DEFEND):
        yield from ((other, TreatyKind.CEASEFIRE) for other in enemies)
    if goal.kind is GoalKind.TRADE:
        beaten = [other for other in enemies if is_winning(state, faction.id, other)]
        yield from ((other, TreatyKind.VASSALAGE) for other in beaten)
    peaceful = [other.id for other in state.others(faction.id) if other.id not in enemies]
    if goal.kind in (GoalKind.SURVIVE, GoalKind.TRADE):
        yield from ((other, TreatyKind.TRADE) for other in peaceful)
    if goal.kind in (GoalKind.DEFEND, GoalKind.TRADE):
        # Trade alone seeks friends; a promise not to attack is asked for by those who feel threatened.
        friends = [other for other in peaceful if state.relation(faction.id, other).disposition >= _ALLY_FROM]
        yield from ((other, TreatyKind.MUTUAL_DEFENSE) for other in friends)
    if goal.kind is GoalKind.DEFEND:
        yield from ((other, TreatyKind.NON_AGGRESSION) for other in peaceful)


def _bring_about(state: CampaignState, faction: Faction, other: str, kind: TreatyKind, is_wanted: bool) -> bool:
    capital = state.hub(faction.capital)
    match kind:
        case TreatyKind.CEASEFIRE:
            decision, target = DecisionKind.OFFER_PEACE, other
        case TreatyKind.TRADE:
            decision, target = DecisionKind.OPEN_TRADE, state.faction(other).capital
        case _:
            if is_wanted:
                offer_treaty(state, faction.id, other, kind, cause=None)
            return True
    if not can_propose(state, capital, decision, target):
        return False
    if price_of_passing(capital, decision, target, is_pressed=True) is None:
        return False
    if is_wanted:
        propose(state, capital, decision, target, proposer=faction.id, is_pressed=True)
    return True
