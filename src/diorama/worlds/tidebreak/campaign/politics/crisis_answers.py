"""Decisions that end a crisis in time."""

from typing import Final

from diorama.worlds.tidebreak.campaign.kinds import CrisisKind, DecisionKind
from diorama.worlds.tidebreak.campaign.politics.legitimacy import change_legitimacy
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

ANSWERS: Final = {
    CrisisKind.STRIKE: (DecisionKind.CONCESSION, DecisionKind.SECURITY_SWEEP),
    CrisisKind.RIOT: (DecisionKind.WELFARE,),
    CrisisKind.EPIDEMIC: (DecisionKind.RATION,),
}
_HANDLED_LEGITIMACY: Final = 0.02


def answer_crises(state: CampaignState, hub: Hub, kind: DecisionKind, target: str | None, news: int) -> None:
    """End what a decision answers; a concession ends the strike of its vocation only."""
    for crisis in list(hub.crises):
        if kind not in ANSWERS[crisis.kind]:
            continue
        if kind is DecisionKind.CONCESSION and target != crisis.vocation:
            continue
        hub.crises.remove(crisis)
        change_legitimacy(hub, _HANDLED_LEGITIMACY)
        report(
            state,
            "crisis",
            f"the {crisis.kind.lower()} at {hub.name} is over",
            factions=[hub.owner],
            node=hub.id,
            cause=news,
        )
