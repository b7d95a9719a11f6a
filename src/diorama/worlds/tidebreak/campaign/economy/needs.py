"""What a hub needs, how long its stores last, and what that does to it."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, HubKind, Resource, Supply
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

ENDLESS_DAYS: Final = 999.0  # days of what nobody uses
RATIONED: Final = 0.8
VITAL: Final = (Resource.FOOD, Resource.WATER, Resource.FUEL)
_LIMITS: Final = ((30.0, Supply.COMFORTABLE), (15.0, Supply.ADEQUATE), (7.0, Supply.RATIONING), (1.0, Supply.CRITICAL))
_EFFICIENCY: Final = {Supply.RATIONING: 0.95, Supply.CRITICAL: 0.8, Supply.EXHAUSTED: 0.8}
_STARVING: Final = 0.5
_PROSPERITY: Final = ((Resource.FOOD, 0.30), (Resource.WATER, 0.25), (Resource.FUEL, 0.25), (Resource.LUXURIES, 0.20))
_NO_MATERIALS: Final = 100.0
_FEW_MATERIALS: Final = 500.0
_SHORT: Final = (Supply.CRITICAL, Supply.EXHAUSTED)


def daily_need(hub: Hub, resource: Resource) -> float:
    """Units the people of a hub use in a day."""
    rates = tables().economy.per_person
    rate = (rates.land if hub.kind is HubKind.LAND_BASE else rates.sea).get(resource, 0.0)
    is_rationed = hub.is_rationing and resource in (Resource.FOOD, Resource.WATER)
    return hub.population * rate * (RATIONED if is_rationed else 1.0)


def days_of_supply(hub: Hub, resource: Resource) -> float:
    """How long a stock lasts the people of a hub."""
    need = daily_need(hub, resource)
    if need <= 0.0:
        return ENDLESS_DAYS
    days = hub.stock[resource] / need
    return days if days < ENDLESS_DAYS else ENDLESS_DAYS


def supply_of(days: float) -> Supply:
    """Put days of supply into words; a limit belongs to the worse side."""
    for limit, supply in _LIMITS:
        if days > limit:
            return supply
    return Supply.EXHAUSTED


def take_stock(hub: Hub) -> None:
    """Count days, put them into words and work out prosperity."""
    for resource in NEEDS:
        hub.days[resource] = days_of_supply(hub, resource)
        hub.status[resource] = supply_of(hub.days[resource])
    prosperity = 0.0
    for resource, weight in _PROSPERITY:
        prosperity += weight * clamp((hub.days[resource] - 15.0) / 15.0, -1.0, 1.0)
    for effect in hub.effects:
        if effect.kind == "prosperity":
            prosperity += effect.amount
    hub.prosperity = clamp(prosperity, -1.0, 1.0)


def shortage_factor(hub: Hub) -> float:
    """Efficiency that shortages leave; the worst of food, water and fuel counts."""
    if Supply.EXHAUSTED in (hub.status[Resource.FOOD], hub.status[Resource.WATER]):
        return _STARVING
    return _EFFICIENCY.get(hub.worst(*VITAL), 1.0)


def shortages(hub: Hub) -> list[Resource]:
    """Needs that are critical or exhausted."""
    return [resource for resource in NEEDS if hub.status[resource] in _SHORT]


def is_starving(hub: Hub) -> bool:
    """Whether food or water is critical or worse."""
    return any(resource in (Resource.FOOD, Resource.WATER) for resource in shortages(hub))


def faction_need(state: CampaignState, faction_id: str) -> float:
    """How badly a faction needs goods: 1 with something critical, 0.5 with something rationed, else 0."""
    worst = 0.0
    for hub in state.hubs_of(faction_id):
        materials = hub.stock[Resource.MATERIALS]
        if shortages(hub) or materials < _NO_MATERIALS:
            return 1.0
        if any(hub.status[resource] is Supply.RATIONING for resource in NEEDS) or materials < _FEW_MATERIALS:
            worst = 0.5
    return worst
