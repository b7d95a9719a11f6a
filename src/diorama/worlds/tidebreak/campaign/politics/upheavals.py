"""Coups, revolutions, elections, and the end of an interregnum."""

from typing import Final

from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.kinds import Bloc, GovernmentKind
from diorama.worlds.tidebreak.campaign.people import coup_factor
from diorama.worlds.tidebreak.campaign.politics.legitimacy import COLLAPSE_BELOW, CRISIS_BELOW, government_row
from diorama.worlds.tidebreak.campaign.politics.regimes import (
    end_interregnum,
    hold_election,
    largest_share,
    seize_power,
)
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

_COUP_EVERY_DAYS: Final = 10
_COUP_RADICALIZATION: Final = 0.6
_COUP_SHARE: Final = 0.15
_COUP_LEGITIMACY: Final = 0.35
_COLLAPSE_DAYS: Final = 5
_REVOLUTION_LEGITIMACY: Final = 0.55


def check_upheavals(state: CampaignState, hub: Hub) -> None:
    """Change the government if its time has come; at most one way a day."""
    government = hub.government
    if government.kind is GovernmentKind.ANARCHY:
        if state.day > government.interregnum_until:
            end_interregnum(state, hub)
        return
    government.low_days = government.low_days + 1 if government.legitimacy < COLLAPSE_BELOW else 0
    if government.low_days >= _COLLAPSE_DAYS:
        bloc = largest_share(hub)
        seize_power(state, hub, bloc, how="revolution", legitimacy=_REVOLUTION_LEGITIMACY, cause=None)
    elif state.day % _COUP_EVERY_DAYS == 0 and _attempt_coup(state, hub):
        return
    elif government_row(hub).holds_elections and state.day >= government.next_election_day:
        hold_election(state, hub)


def _attempt_coup(state: CampaignState, hub: Hub) -> bool:
    legitimacy = hub.government.legitimacy
    if legitimacy >= CRISIS_BELOW:
        return False
    factor = government_row(hub).coup * coup_factor(state, hub)
    for place, bloc in enumerate(hub.blocs):
        if bloc.radicalization <= _COUP_RADICALIZATION or bloc.share < _COUP_SHARE:
            continue
        chance = 0.1 * bloc.radicalization * ((CRISIS_BELOW - legitimacy) / CRISIS_BELOW) * factor
        if uniform(state, Stream.GOVERNANCE, hub.number, 1 + list(Bloc).index(bloc.kind), 3) < chance:
            seize_power(state, hub, hub.blocs[place], how="coup", legitimacy=_COUP_LEGITIMACY, cause=None)
            return True
    return False
