"""Strikes, riots and epidemics."""

from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.draws import Stream, choice, uniform
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, CrisisKind, Supply, Vocation
from diorama.worlds.tidebreak.campaign.politics.legitimacy import STABLE_FROM, change_legitimacy
from diorama.worlds.tidebreak.campaign.state import CampaignState, Crisis, Hub
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

ANSWER_DAYS: Final = 15
_CHANCE: Final = 0.01
_CHANCE_EXHAUSTED: Final = 0.05
_FAILED_LEGITIMACY: Final = 0.05
_RIOT_LEGITIMACY: Final = 0.02
_RIOT_DEATHS: Final = 0.001
_RIOT_RESISTANCE: Final = 0.02
_EPIDEMIC_DEATHS: Final = 0.005
_EPIDEMIC_DAYS: Final = 10
_TOLD: Final = {
    CrisisKind.STRIKE: "{who} strike at {hub}: grant a concession or sweep within {days} days",
    CrisisKind.RIOT: "riots break out at {hub}: hand out luxuries within {days} days",
    CrisisKind.EPIDEMIC: "an epidemic spreads at {hub}: ration within {days} days",
}


def break_out(state: CampaignState, hub: Hub) -> None:
    """Let a crisis begin in a hub that is strained; one of a kind at a time."""
    if hub.government.legitimacy >= STABLE_FROM:
        return
    is_exhausted = any(hub.status[resource] is Supply.EXHAUSTED for resource in NEEDS)
    chance = _CHANCE + _CHANCE_EXHAUSTED * float(is_exhausted)
    if uniform(state, Stream.GOVERNANCE, hub.number, 0, 1) >= chance:
        return
    kind = list(CrisisKind)[choice(state, Stream.GOVERNANCE, hub.number, 0, 2, len(CrisisKind))]
    if any(crisis.kind is kind for crisis in hub.crises):
        return
    vocation = _strongest_vocation(hub) if kind is CrisisKind.STRIKE else None
    who = "" if vocation is None else f"the people of {vocation.lower().replace('_', ' ')}"
    text = _TOLD[kind].format(who=who, hub=hub.name, days=ANSWER_DAYS)
    news = report(state, "crisis", text, factions=[hub.owner], node=hub.id)
    deadline = state.day + ANSWER_DAYS
    hub.crises.append(Crisis(kind=kind, vocation=vocation, started_day=state.day, deadline_day=deadline, news=news))
    if kind is CrisisKind.RIOT:
        hub.population -= hub.population * _RIOT_DEATHS
        change_legitimacy(hub, -_RIOT_LEGITIMACY)
        if hub.conquest is not None:
            hub.conquest.resistance = min(1.0, hub.conquest.resistance + _RIOT_RESISTANCE)


def suffer(state: CampaignState, hub: Hub) -> None:
    """Count the deaths of epidemics that run."""
    for crisis in hub.crises:
        if crisis.kind is CrisisKind.EPIDEMIC and state.day - crisis.started_day <= _EPIDEMIC_DAYS:
            hub.population -= hub.population * _EPIDEMIC_DEATHS / _EPIDEMIC_DAYS


def let_fail(state: CampaignState, hub: Hub) -> None:
    """End crises that nobody answered."""
    for crisis in list(hub.crises):
        if state.day < crisis.deadline_day:
            continue
        hub.crises.remove(crisis)
        change_legitimacy(hub, -_FAILED_LEGITIMACY)
        text = f"nobody answered the {crisis.kind.lower()} at {hub.name}"
        report(state, "crisis", text, factions=[hub.owner], node=hub.id, cause=crisis.news)


def _strongest_vocation(hub: Hub) -> Vocation:
    leverage = tables().economy.leverage
    order = list(Vocation)
    return max(order, key=lambda v: (leverage[v] * hub.workforce[v], -order.index(v)))
