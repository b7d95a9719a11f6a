"""Orders that cost nothing of the day: goods of routes, sieges, people."""

from collections.abc import Iterator
from typing import Final

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Resource, Role, SiegeAction
from diorama.worlds.tidebreak.campaign.orders.order import Order, Verb
from diorama.worlds.tidebreak.campaign.people import dismiss
from diorama.worlds.tidebreak.campaign.sieges.actions import act, legal_actions
from diorama.worlds.tidebreak.campaign.state import CampaignState, Route

_GOODS_STEP: Final = 50.0
_DIRECTIONS: Final = ("out", "back")
TRADED: Final = (*NEEDS, Resource.MATERIALS, Resource.SALVAGE)


def affair_orders(state: CampaignState, player: str) -> Iterator[Order]:
    """Give every such order that is legal now; goods are offered in steps and may be set to any amount."""
    for route in state.routes:
        for direction in _own_directions(state, player, route):
            yield from _goods(route, direction)
    for siege in state.sieges:
        for action in legal_actions(state, siege, player):
            text = f"siege of {state.hub(siege.hub).name}: {action.lower().replace('_', ' ')}"
            yield Order(verb=Verb.SIEGE, arguments=(str(siege.number), action.value), text=text)
    for person in state.people:
        if person.faction == player and person.role in (Role.GOVERNOR, Role.COMMANDER, Role.CAPTAIN):
            text = f"dismiss {person.name}, {person.role.lower()} (somebody else follows tomorrow)"
            yield Order(verb=Verb.DISMISS, arguments=(str(person.number),), text=text)


def order_affair(state: CampaignState, player: str, order: Order) -> str:
    """Carry out such an order.

    Raises:
        ContractError: It is not allowed.
    """
    match order.verb:
        case Verb.GOODS:
            return _set_goods(state, player, *order.arguments)
        case Verb.SIEGE:
            return _besiege(state, player, *order.arguments)
        case _:
            person = next((p for p in state.people if str(p.number) == order.arguments[0]), None)
            if person is None or person.faction != player or person.role is Role.LEADER:
                raise ContractError(f"person {order.arguments[0]} holds no office of yours that you could take away")
            dismiss(state, person)
            return f"{person.name} is dismissed"


def _own_directions(state: CampaignState, player: str, route: Route) -> list[str]:
    ends = (route.origin, route.destination)
    return [way for way, hub in zip(_DIRECTIONS, ends, strict=True) if state.hub(hub).owner == player]


def _goods(route: Route, direction: str) -> Iterator[Order]:
    goods = route.goods if direction == "out" else route.goods_back
    for resource in TRADED:
        now = goods.get(resource, 0.0)
        for units in (0.0, now - _GOODS_STEP, now + _GOODS_STEP):
            if 0.0 <= units <= route.capacity and units != now:
                text = f"{route.name}: send {units:.0f} {resource} a day instead of {now:.0f}"
                yield Order(verb=Verb.GOODS, arguments=(route.id, direction, resource.value, f"{units:g}"), text=text)


def _set_goods(state: CampaignState, player: str, route_id: str, direction: str, name: str, amount: str) -> str:
    route = state.route(route_id)
    own = _own_directions(state, player, route)
    if direction not in own:
        raise ContractError(
            f"you do not send goods {direction!r} over {route.name}; you send: {', '.join(own) or 'none'}"
        )
    if name.upper() not in Resource.__members__:
        raise ContractError(f"{name!r} is no resource; there are: {', '.join(Resource)}")
    units = _number(amount)
    if units is None or not 0.0 <= units <= route.capacity:
        raise ContractError(f"{amount!r} is no amount; {route.name} takes 0 to {route.capacity:.0f} units a day")
    goods = route.goods if direction == "out" else route.goods_back
    goods[Resource[name.upper()]] = units
    return f"{route.name} carries {units:.0f} {name.upper()} a day"


def _besiege(state: CampaignState, player: str, number: str, name: str) -> str:
    siege = next((s for s in state.sieges if str(s.number) == number), None)
    if siege is None or player not in (siege.attacker, siege.defender):
        raise ContractError(f"there is no siege {number} of yours")
    if name.upper() not in SiegeAction.__members__:
        raise ContractError(f"{name!r} is no siege action; there are: {', '.join(SiegeAction)}")
    act(state, siege, player, SiegeAction[name.upper()])
    return f"siege of {state.hub(siege.hub).name}: {name.lower().replace('_', ' ')}"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) < 1e9 else None
