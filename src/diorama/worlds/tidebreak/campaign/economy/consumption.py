"""What people eat, drink and burn, what spoils, and what happens when there is none."""

from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need, take_stock
from diorama.worlds.tidebreak.campaign.economy.stocks import hub_use
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Flow, Resource, Supply
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

_STARVATION: Final = 0.002  # of the population a day
_FORGOTTEN_DAYS: Final = {Supply.RATIONING: 20.0, Supply.CRITICAL: 9.0, Supply.EXHAUSTED: 3.0}
_RATIONS_END_DAYS: Final = 15.0
_TOLD: Final = {
    Supply.RATIONING: "runs low at {hub}: {days:.0f} days are left",
    Supply.CRITICAL: "is critical at {hub}: {days:.0f} days are left",
    Supply.EXHAUSTED: "is exhausted at {hub}",
}


def consume(state: CampaignState) -> None:
    """Feed everybody, let stores spoil, and count what is left."""
    for hub in state.hubs:
        for resource in NEEDS:
            hub_use(state, hub, resource, daily_need(hub, resource), Flow.CONSUMED)
        for resource in Resource:
            share = tables().economy.decay.get(resource, 0.0)
            if share > 0.0:
                hub_use(state, hub, resource, hub.stock[resource] * share, Flow.DECAYED)
        take_stock(hub)
        _tell(state, hub)
        if Supply.EXHAUSTED in (hub.status[Resource.FOOD], hub.status[Resource.WATER]):
            hub.population -= hub.population * _STARVATION
        _end_rationing(state, hub)


def _tell(state: CampaignState, hub: Hub) -> None:
    """Report what got worse, once, until it has clearly become better again."""
    order = list(Supply)
    for resource in NEEDS:
        now, told = hub.status[resource], hub.told.get(resource, Supply.ADEQUATE)
        if now in _TOLD and order.index(now) > order.index(told):
            hub.told[resource] = now
            text = _TOLD[now].format(hub=hub.name, days=hub.days[resource])
            report(state, "supply", f"{resource} {text}", factions=[hub.owner], node=hub.id)
        elif told in _FORGOTTEN_DAYS and hub.days[resource] > _FORGOTTEN_DAYS[told]:
            hub.told[resource] = now if now in _TOLD else Supply.ADEQUATE


def _end_rationing(state: CampaignState, hub: Hub) -> None:
    lasts = min(hub.days[Resource.FOOD], hub.days[Resource.WATER])
    if hub.is_rationing and lasts > _RATIONS_END_DAYS:
        hub.is_rationing = False
        report(state, "supply", f"rationing ends at {hub.name}", factions=[hub.owner], node=hub.id)
