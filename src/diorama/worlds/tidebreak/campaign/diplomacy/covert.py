"""Sabotage and agitation."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.draws import Stream, choice
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Goal
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

SABOTAGE_DAYS: Final = 20
_AGITATION: Final = 0.05


def act_covertly(state: CampaignState, faction: Faction, goal: Goal, is_wanted: bool) -> bool:
    """Cripple a site of the target, or turn a current of opinion of its capital against its government."""
    if goal.target is None:
        return False
    hubs = state.hubs_of(goal.target)
    sites = [site for site in state.sites if site.owner == goal.target and state.day > site.sabotaged_until]
    if not hubs or not is_wanted:
        return bool(hubs)
    names = f"agents of the {faction.name}"
    if sites:
        site = sites[choice(state, Stream.CHOICE, faction.number, 0, 1, len(sites))]
        site.sabotaged_until = state.day + SABOTAGE_DAYS
        text = f"sabotage cripples {site.name}; {names} are suspected"
        report(state, "covert", text, factions=[faction.id, goal.target], node=site.id)
        return True
    hub = hubs[choice(state, Stream.CHOICE, faction.number, 0, 2, len(hubs))]
    angriest = max(hub.blocs, key=lambda bloc: (bloc.radicalization, bloc.share))
    angriest.radicalization = clamp(angriest.radicalization + _AGITATION, 0.0, 1.0)
    text = f"pamphlets stir up the {angriest.kind.lower()} of {hub.name}; {names} are suspected"
    report(state, "covert", text, factions=[faction.id, goal.target], node=hub.id)
    return True
