"""What a bot asks of its own government from day to day; foreign affairs are the faction's."""

from collections.abc import Iterator
from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of
from diorama.worlds.tidebreak.campaign.kinds import Bloc, CrisisKind, DecisionKind, Resource
from diorama.worlds.tidebreak.campaign.politics.crisis_answers import ANSWERS
from diorama.worlds.tidebreak.campaign.politics.decision_targets import CONCESSION_MATERIALS
from diorama.worlds.tidebreak.campaign.politics.legitimacy import CRISIS_BELOW
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose, propose
from diorama.worlds.tidebreak.campaign.politics.regimes import largest_share
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

_RATION_BELOW_DAYS: Final = 7.0
_UNHAPPY: Final = 0.35
_RADICAL: Final = 0.5
_LUXURY_DAYS: Final = 10.0

_Wish = tuple[DecisionKind, str | None, int | None]


def govern_by_bot(state: CampaignState, hub: Hub) -> None:
    """Ask for the first thing that is needed and stands a chance."""
    for kind, target, cause in _wishes(state, hub):
        if not can_propose(state, hub, kind, target):
            continue
        if price_of_passing(hub, kind, target, is_pressed=True) is not None:
            propose(state, hub, kind, target, proposer=hub.owner, is_pressed=True, cause=cause)
            return


def _wishes(state: CampaignState, hub: Hub) -> Iterator[_Wish]:
    for crisis in hub.crises:
        for kind in ANSWERS[crisis.kind]:
            if kind is DecisionKind.CONCESSION and hub.stock[Resource.MATERIALS] < CONCESSION_MATERIALS:
                continue
            is_concession = kind is DecisionKind.CONCESSION and crisis.kind is CrisisKind.STRIKE
            yield kind, crisis.vocation if is_concession else None, crisis.news
    if min(hub.days[Resource.FOOD], hub.days[Resource.WATER]) < _RATION_BELOW_DAYS:
        yield DecisionKind.RATION, None, None
    if any(bloc.radicalization > _RADICAL for bloc in hub.blocs):
        yield DecisionKind.SECURITY_SWEEP, None, None
    if hub.bloc(Bloc.POPULISTS).satisfaction < _UNHAPPY and hub.days[Resource.LUXURIES] > _LUXURY_DAYS:
        yield DecisionKind.WELFARE, None, None
    if enemies_of(state, hub.owner) and state.faction(hub.owner).capital == hub.id:
        yield DecisionKind.MOBILISE, None, None
    if hub.government.legitimacy < CRISIS_BELOW:
        yield DecisionKind.REFORM, _wanted_form(hub), None


def _wanted_form(hub: Hub) -> str:
    """Form of government that the largest current of opinion prefers."""
    return tables().politics.preferred[largest_share(hub).kind].value
