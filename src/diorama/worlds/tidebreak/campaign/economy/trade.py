"""Routes that treaties open, and what they carry."""

from typing import Final

from diorama.numerics import fmin
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need, days_of_supply
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Resource, RouteKind, TreatyKind
from diorama.worlds.tidebreak.campaign.map.paths import shortest_path
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Route
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

OPENS_TRADE: Final = (TreatyKind.TRADE, TreatyKind.VASSALAGE)
CAPACITY: Final = 300.0
GOODS_MAX: Final = 150.0
_SURPLUS_DAYS: Final = 32.0
_KEPT_DAYS: Final = 30.0
_WANTING_DAYS: Final = 30.0
_SPREAD_DAYS: Final = 10.0
_PLENTY_MATERIALS: Final = 1500.0
_FEW_MATERIALS: Final = 1500.0
_MATERIALS_PER_DAY: Final = 40.0


def open_route(state: CampaignState, first: str, second: str, *, cause: int) -> None:
    """Open a merchant route between two capitals unless one runs already."""
    origin, destination = state.hub(state.faction(first).capital), state.hub(state.faction(second).capital)
    ends = {origin.id, destination.id}
    if origin is destination or any({route.origin, route.destination} == ends for route in state.routes):
        return
    path = shortest_path(state, origin.id, destination.id)
    if path is None:
        return
    number = state.next_number("route")
    route = Route(
        id=f"route-{number}",
        number=number,
        name=f"{origin.name} to {destination.name} route",
        kind=RouteKind.MERCHANT,
        origin=origin.id,
        destination=destination.id,
        path=path,
        capacity=CAPACITY,
        goods=useful_goods(origin, destination),
        goods_back=useful_goods(destination, origin),
    )
    state.routes.append(route)
    report(state, "trade", f"the {route.name} opens", factions=[first, second], node=origin.id, cause=cause)


def useful_goods(sender: Hub, receiver: Hub) -> dict[Resource, float]:
    """What one hub has too much of and another could use, per day."""
    goods: dict[Resource, float] = {}
    for resource in NEEDS:
        need = daily_need(receiver, resource)
        if days_of_supply(sender, resource) <= _SURPLUS_DAYS or need <= 0.0:
            continue
        if days_of_supply(receiver, resource) < _WANTING_DAYS:
            surplus = sender.stock[resource] - _KEPT_DAYS * daily_need(sender, resource)
            goods[resource] = fmin(GOODS_MAX, surplus / _SPREAD_DAYS)
    has_plenty = sender.stock[Resource.MATERIALS] > _PLENTY_MATERIALS
    if has_plenty and receiver.stock[Resource.MATERIALS] < _FEW_MATERIALS:
        goods[Resource.MATERIALS] = _MATERIALS_PER_DAY
    return goods
