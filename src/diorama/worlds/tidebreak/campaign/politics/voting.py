"""How a hub comes to a decision: stances, support, thresholds, political capital."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import ceil, clamp, fmax
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.draws import Stream, choice
from diorama.worlds.tidebreak.campaign.kinds import Bloc, DecisionKind
from diorama.worlds.tidebreak.campaign.people import latency_factor
from diorama.worlds.tidebreak.campaign.politics.decision_effects import carry_out, decision_words
from diorama.worlds.tidebreak.campaign.politics.legitimacy import CRISIS_BELOW, change_legitimacy, government_row
from diorama.worlds.tidebreak.campaign.state import Blocked, CampaignState, Decision, Hub
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

BLOCKED_DAYS: Final = 20
_CAPITAL_PER_SUPPORT: Final = 100.0
_OVERRIDE_LEGITIMACY: Final = 0.05
_FORCED_LEGITIMACY: Final = 0.02
_POPULAR: Final = 0.7
_POPULAR_LEGITIMACY: Final = 0.01
_GAIN_WEIGHT: Final = 0.1


@dataclass(frozen=True, slots=True)
class Price:
    """What it takes to pass a decision: nothing, or political capital and legitimacy."""

    capital: float
    legitimacy: float


def stance(kind: DecisionKind, target: str | None, bloc: Bloc) -> float:
    """How far a current of opinion supports (+) or opposes (-) a decision."""
    if kind is DecisionKind.REFORM:
        return 1.0 if tables().politics.preferred[bloc] == target else -1.0
    return tables().decisions[kind].stances[list(Bloc).index(bloc)]


def support_for(hub: Hub, kind: DecisionKind, target: str | None) -> float:
    """Share of the voices raised that are in favor; a half if nobody cares."""
    yes = no = 0.0
    for bloc in hub.blocs:
        view = stance(kind, target, bloc.kind)
        yes += bloc.share * fmax(0.0, view)
        no += bloc.share * fmax(0.0, -view)
    if yes == 0.0 and no == 0.0:
        return 0.5
    support = yes / (yes + no)
    if government_row(hub).counts_prosperity:
        support = clamp(support + _GAIN_WEIGHT * tables().decisions[kind].gain, 0.0, 1.0)
    return support


def threshold_for(hub: Hub, kind: DecisionKind) -> float:
    """Support from which a decision passes."""
    row = government_row(hub)
    return row.pass_military if tables().decisions[kind].is_military else row.pass_civil


def latency_days(state: CampaignState, hub: Hub, decision: Decision) -> int:
    """Draw how long the deliberation takes."""
    row = government_row(hub)
    low, high = row.military_days if tables().decisions[decision.kind].is_military else row.civil_days
    days = low + choice(state, Stream.GOVERNANCE, hub.number, decision.number, 0, high - low + 1)
    return int(ceil(float(days) * (1.5 - 0.5 * hub.info_integrity) * latency_factor(state, hub)))


def price_of_passing(hub: Hub, kind: DecisionKind, target: str | None, *, is_pressed: bool) -> Price | None:
    """Say what a decision costs today, None if it cannot pass."""
    support, threshold = support_for(hub, kind, target), threshold_for(hub, kind)
    if support >= threshold:
        return Price(0.0, 0.0)
    if not is_pressed:
        return None
    government, row = hub.government, government_row(hub)
    forcing = Price(_CAPITAL_PER_SUPPORT * (threshold - support), _FORCED_LEGITIMACY * (1.0 - support))
    if government.capital >= forcing.capital:
        return forcing
    is_crisis = bool(hub.crises) or government.legitimacy < CRISIS_BELOW
    if is_crisis and row.override is not None and government.capital >= row.override:
        return Price(row.override, _OVERRIDE_LEGITIMACY)
    return None


def decide(state: CampaignState, hub: Hub, decision: Decision) -> None:
    """Vote, carry out what passes, and remember who wanted it."""
    support = support_for(hub, decision.kind, decision.target)
    price = price_of_passing(hub, decision.kind, decision.target, is_pressed=decision.is_pressed)
    what = decision_words(state, hub, decision.kind, decision.target)
    if price is None:
        until = state.day + BLOCKED_DAYS
        hub.government.blocked.append(Blocked(kind=decision.kind, target=decision.target, until_day=until))
        text = f"{hub.name} rejects {what} ({support:.0%} in favor)"
        report(state, "governance", text, factions=[hub.owner], node=hub.id, cause=decision.cause)
        return
    how = "passes" if price.capital == 0.0 else "forces through"
    text = f"{hub.name} {how} {what} ({support:.0%} in favor)"
    news = report(state, "governance", text, factions=[hub.owner], node=hub.id, cause=decision.cause)
    hub.government.capital -= price.capital
    change_legitimacy(hub, -price.legitimacy)
    if support >= _POPULAR:
        change_legitimacy(hub, _POPULAR_LEGITIMACY)
    _move_opinion(state, hub, decision)
    carry_out(state, hub, decision, news)


def _move_opinion(state: CampaignState, hub: Hub, decision: Decision) -> None:
    for bloc in hub.blocs:
        view = stance(decision.kind, decision.target, bloc.kind)
        if view > 0.0:
            bloc.satisfaction = clamp(bloc.satisfaction + 0.05, 0.0, 1.0)
            bloc.radicalization = clamp(bloc.radicalization - 0.02, 0.0, 1.0)
            bloc.supported_day = state.day
        elif view < 0.0:
            bloc.satisfaction = clamp(bloc.satisfaction - 0.05, 0.0, 1.0)
            bloc.radicalization = clamp(bloc.radicalization + 0.02, 0.0, 1.0)
