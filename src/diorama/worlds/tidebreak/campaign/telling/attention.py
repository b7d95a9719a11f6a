"""What asks for the player's attention now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.readiness import supply_days
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Supply
from diorama.worlds.tidebreak.campaign.politics.crisis_answers import ANSWERS
from diorama.worlds.tidebreak.campaign.sieges.actions import legal_actions
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

LOW_SUPPLY_DAYS: Final = 8.0
_SHORT: Final = (Supply.CRITICAL, Supply.EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Concern:
    """Something to look at; `key` stays the same from day to day while it lasts."""

    key: str
    text: str


def concerns(state: CampaignState) -> list[Concern]:
    """Return what waits for the player, the most pressing first."""
    if state.player is None or state.ending is not None:
        return []
    return [*_offers(state, state.player), *_sieges(state, state.player), *_home(state, state.player)]


def _offers(state: CampaignState, player: str) -> Iterator[Concern]:
    for offer in state.offers:
        if offer.to == player:
            what = f"the {state.faction(offer.by).name} offers a treaty ({offer.kind.lower().replace('_', ' ')})"
            answer = f"order accept {offer.number} or decline {offer.number} before day {offer.expires_day}"
            yield Concern(f"offer-{offer.number}", f"{what}: {answer}")


def _sieges(state: CampaignState, player: str) -> Iterator[Concern]:
    for siege in state.sieges:
        actions = legal_actions(state, siege, player)
        if actions:
            place = state.hub(siege.hub).name
            text = f"siege of {place} ({siege.control:.0%} taken): order siege {siege.number} {'|'.join(actions)}"
            yield Concern(f"siege-{siege.number}-{state.day}", text)


def _home(state: CampaignState, player: str) -> Iterator[Concern]:
    for hub in state.hubs_of(player):
        yield from _crises(hub)
        for resource in NEEDS:
            if hub.status[resource] in _SHORT:
                text = f"{resource} at {hub.name} is {hub.status[resource].lower()}: {hub.days[resource]:.0f} days left"
                yield Concern(f"{hub.id}-{resource}-{hub.status[resource]}", text)
    for fleet in state.fleets_of(player):
        days = supply_days(state, fleet)
        if days < LOW_SUPPLY_DAYS:
            text = f"{fleet.name} ({fleet.id}) has supplies for {days:.0f} days: bring it to a port"
            yield Concern(f"{fleet.id}-supply", text)


def _crises(hub: Hub) -> Iterator[Concern]:
    asked = {decision.kind for decision in hub.government.queue}
    for crisis in hub.crises:
        answers = ANSWERS[crisis.kind]
        if asked.isdisjoint(answers):
            options = " or ".join(
                f"propose {hub.id} {kind}" + (f" {crisis.vocation}" if kind == "CONCESSION" else "") for kind in answers
            )
            text = f"{crisis.kind.lower()} at {hub.name}: {options} before day {crisis.deadline_day}"
            yield Concern(f"{hub.id}-{crisis.kind}-{crisis.started_day}", text)
