"""What happens when a decision has passed."""

from collections.abc import Callable
from typing import Final

from diorama.numerics import ceil, clamp
from diorama.worlds.tidebreak.campaign.diplomacy.treaties import offer_treaty
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.economy.stocks import hub_use
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import (
    Bloc,
    Chain,
    ConquestState,
    DecisionKind,
    Flow,
    GovernmentKind,
    Resource,
    TreatyKind,
)
from diorama.worlds.tidebreak.campaign.politics.crisis_answers import answer_crises
from diorama.worlds.tidebreak.campaign.politics.decision_targets import CONCESSION_MATERIALS, INVEST_MATERIALS
from diorama.worlds.tidebreak.campaign.politics.legitimacy import change_legitimacy
from diorama.worlds.tidebreak.campaign.politics.regimes import reform
from diorama.worlds.tidebreak.campaign.state import (
    Build,
    CampaignState,
    Decision,
    Effect,
    Embargo,
    Hub,
    Investment,
)
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

MOBILISED_DAYS: Final = 60
_MOBILISED_PROSPERITY: Final = -0.05
_INVEST_DAYS: Final = 30
_SWEEP_ABOVE: Final = 0.5
_RESISTANCE_PER_SWEEP: Final = 0.02

_Effect = Callable[[CampaignState, Hub, Decision, int], None]


def carry_out(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    """Apply a decision that passed; `news` is the report of it."""
    _EFFECTS[decision.kind](state, hub, decision, news)
    answer_crises(state, hub, decision.kind, decision.target, news)


def decision_words(state: CampaignState, hub: Hub, kind: DecisionKind, target: str | None) -> str:
    """Name a decision of a hub for people."""
    match kind:
        case DecisionKind.MOBILISE:
            return "a mobilisation"
        case DecisionKind.RATION:
            return "rationing"
        case DecisionKind.WELFARE:
            return "a handout of luxuries"
        case DecisionKind.OPEN_TRADE:
            return f"trade with {state.hub(str(target)).name}"
        case DecisionKind.EMBARGO:
            has_one = any((e.by, e.against) == (hub.owner, target) for e in state.embargoes)
            what = "an end of the embargo against" if has_one else "an embargo against"
            return f"{what} the {state.faction(str(target)).name}"
        case DecisionKind.DECLARE_WAR:
            return f"war against the {state.faction(str(target)).name}"
        case DecisionKind.OFFER_PEACE:
            return f"an offer of peace to the {state.faction(str(target)).name}"
        case DecisionKind.BUILD:
            return f"the building of {hull_words(str(target))}"
        case DecisionKind.INVEST:
            return f"an investment in {target}"
        case DecisionKind.SECURITY_SWEEP:
            return "a security sweep"
        case DecisionKind.CONCESSION:
            return f"a concession to {str(target).lower().replace('_', ' ')}"
        case DecisionKind.REFORM:
            return f"a reform to {str(target).lower().replace('_', ' ')}"


def hull_words(class_id: str) -> str:
    """Name a hull with its article."""
    name = class_id.replace("_", " ")
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _mobilise(state: CampaignState, hub: Hub, _decision: Decision, _news: int) -> None:
    until = state.day + MOBILISED_DAYS
    hub.effects.append(Effect(kind="mobilised", amount=0.0, until_day=until))
    hub.effects.append(Effect(kind="prosperity", amount=_MOBILISED_PROSPERITY, until_day=until))


def _ration(_state: CampaignState, hub: Hub, _decision: Decision, _news: int) -> None:
    hub.is_rationing = True


def _welfare(state: CampaignState, hub: Hub, _decision: Decision, _news: int) -> None:
    hub_use(state, hub, Resource.LUXURIES, 0.5 * daily_need(hub, Resource.LUXURIES), Flow.SPENT)
    populists = hub.bloc(Bloc.POPULISTS)
    populists.satisfaction = clamp(populists.satisfaction + 0.05, 0.0, 1.0)


def _open_trade(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    offer_treaty(state, hub.owner, state.hub(str(decision.target)).owner, TreatyKind.TRADE, cause=news)


def _embargo(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    other = state.faction(str(decision.target))
    mine = [e for e in state.embargoes if (e.by, e.against) == (hub.owner, other.id)]
    if mine:
        state.embargoes.remove(mine[0])
        text = f"the {state.faction(hub.owner).name} lifts its embargo of the {other.name}"
    else:
        state.embargoes.append(Embargo(by=hub.owner, against=other.id, since_day=state.day))
        text = f"the {state.faction(hub.owner).name} places the {other.name} under an embargo"
    report(state, "trade", text, factions=[hub.owner, other.id], node=hub.id, cause=news)


def _declare_war(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    declare_war(state, hub.owner, str(decision.target), cause=news)


def _offer_peace(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    if state.are_at_war(hub.owner, str(decision.target)):
        offer_treaty(state, hub.owner, str(decision.target), TreatyKind.CEASEFIRE, cause=news)


def _build(_state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    class_id = str(decision.target)
    days = ceil(ship_class(class_id).cost / 6.0)
    hub.builds.append(Build(class_id=class_id, days_left=days, is_begun=False, cause=news))


def _invest(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    if hub.stock[Resource.MATERIALS] < INVEST_MATERIALS:
        text = f"{hub.name} lacks the {INVEST_MATERIALS:.0f} materials to invest"
        report(state, "economy", text, factions=[hub.owner], node=hub.id, cause=news)
        return
    hub_use(state, hub, Resource.MATERIALS, INVEST_MATERIALS, Flow.SPENT)
    hub.investments.append(Investment(chain=Chain(str(decision.target)), ready_day=state.day + _INVEST_DAYS))


def _sweep(_state: CampaignState, hub: Hub, _decision: Decision, _news: int) -> None:
    for bloc in hub.blocs:
        if bloc.radicalization > _SWEEP_ABOVE:
            bloc.radicalization -= 0.1
    change_legitimacy(hub, -0.02)
    if hub.conquest is not None and hub.conquest.state is not ConquestState.INTEGRATED:
        hub.conquest.resistance = clamp(hub.conquest.resistance + _RESISTANCE_PER_SWEEP, 0.0, 1.0)


def _concede(state: CampaignState, hub: Hub, _decision: Decision, _news: int) -> None:
    hub_use(state, hub, Resource.MATERIALS, CONCESSION_MATERIALS, Flow.SPENT)


def _reform(state: CampaignState, hub: Hub, decision: Decision, news: int) -> None:
    reform(state, hub, GovernmentKind(str(decision.target)), news)


_EFFECTS: Final[dict[DecisionKind, _Effect]] = {
    DecisionKind.MOBILISE: _mobilise,
    DecisionKind.RATION: _ration,
    DecisionKind.WELFARE: _welfare,
    DecisionKind.OPEN_TRADE: _open_trade,
    DecisionKind.EMBARGO: _embargo,
    DecisionKind.DECLARE_WAR: _declare_war,
    DecisionKind.OFFER_PEACE: _offer_peace,
    DecisionKind.BUILD: _build,
    DecisionKind.INVEST: _invest,
    DecisionKind.SECURITY_SWEEP: _sweep,
    DecisionKind.CONCESSION: _concede,
    DecisionKind.REFORM: _reform,
}
