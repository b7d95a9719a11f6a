"""Standing shipments: which are open, what they carry, and who attacks them."""

from typing import Final

from diorama.numerics import clamp, fmax, fmin
from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.economy.convoys import attack_convoy
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.economy.stocks import move, use
from diorama.worlds.tidebreak.campaign.economy.trade import OPENS_TRADE
from diorama.worlds.tidebreak.campaign.kinds import Flow, Resource, RouteKind, RouteStatus
from diorama.worlds.tidebreak.campaign.map.paths import hostile_fleets_at, is_blockaded
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Route, Stock, empty_stock
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

RESERVE_DAYS: Final = 10.0
_OPEN: Final = {RouteStatus.OPEN: 1.0, RouteStatus.CONTESTED: 0.6, RouteStatus.BLOCKADED: 0.05, RouteStatus.CLOSED: 0.0}
_SMUGGLED: Final = 0.4  # through a blockade
_UNFRIENDLY: Final = -0.3
_PIRACY: Final = 0.5  # where nobody patrols a chokepoint
_ATTACKS: Final = 0.3  # a day, of the threat
_PIRATES_TAKE: Final = 0.5


def run_routes(state: CampaignState) -> None:
    """Judge every route, then ship its goods both ways."""
    for route in state.routes:
        before = route.status
        route.status = status_of(state, route)
        route.threat = clamp(
            0.02 + 0.25 * float(route.status is RouteStatus.CONTESTED) + 0.1 * _piracy(state, route), 0.0, 1.0
        )
        if route.status is not before:
            _tell(state, route)
        _ship(state, route)


def ends_of(state: CampaignState, route: Route) -> tuple[Hub, Hub]:
    """Return the hubs a route joins, the origin first."""
    return state.hub(route.origin), state.hub(route.destination)


def owners_of(state: CampaignState, route: Route) -> tuple[str, str]:
    """Return the factions of both ends, the origin's first."""
    origin, destination = ends_of(state, route)
    return origin.owner, destination.owner


def status_of(state: CampaignState, route: Route) -> RouteStatus:
    """Say how freely goods pass today."""
    sender, receiver = owners_of(state, route)
    if sender != receiver and _is_closed(state, sender, receiver):
        return RouteStatus.CLOSED
    if any(is_blockaded(state, node, sender, receiver) for node in route.path):
        return RouteStatus.BLOCKADED
    if any(hostile_fleets_at(state, node, sender, receiver) for node in route.path):
        return RouteStatus.CONTESTED
    return RouteStatus.OPEN


def _is_closed(state: CampaignState, sender: str, receiver: str) -> bool:
    if any({embargo.by, embargo.against} == {sender, receiver} for embargo in state.embargoes):
        return True
    relation = state.relation(sender, receiver)
    if relation.is_at_war:
        return True
    return relation.disposition < _UNFRIENDLY and not state.has_treaty(sender, receiver, *OPENS_TRADE)


def _piracy(state: CampaignState, route: Route) -> float:
    owners = owners_of(state, route)
    for node_id in route.path:
        if state.node(node_id).is_chokepoint and not any(f.owner in owners for f in state.fleets_at(node_id)):
            return _PIRACY
    return 0.0


def _tell(state: CampaignState, route: Route) -> None:
    sender, receiver = owners_of(state, route)
    cause = (
        state.relation(sender, receiver).cause if route.status is RouteStatus.CLOSED and sender != receiver else None
    )
    text = f"{route.name} is {route.status.lower()}"
    report(state, "trade", text, factions=sorted({sender, receiver}), node=route.origin, cause=cause)


def _ship(state: CampaignState, route: Route) -> None:
    origin, destination = ends_of(state, route)
    out = _load(state, route, origin, destination, route.goods)
    back = _load(state, route, destination, origin, route.goods_back)
    route.moved, route.moved_back = dict(out), dict(back)
    if uniform(state, Stream.ROUTES, route.number, 0, 0) < _ATTACKS * route.threat:
        out, back = _attack(state, route, out, back)
    _deliver(state, destination, origin, out)
    _deliver(state, origin, destination, back)


def _attack(state: CampaignState, route: Route, out: Stock, back: Stock) -> tuple[Stock, Stock]:
    """Let a fleet or pirates fall upon today's goods; returns what sails on, for a convoy hangs on a battle."""
    origin, destination = ends_of(state, route)
    if _is_laden(out) and attack_convoy(state, route, origin, destination, out):
        route.moved = {}
        return empty_stock(), back
    if _is_laden(back) and attack_convoy(state, route, destination, origin, back):
        route.moved_back = {}
        return out, empty_stock()
    if _is_laden(out) or _is_laden(back):
        _raid(state, route, out, back)
    return out, back


def _is_laden(hold: Stock) -> bool:
    return any(amount > 0.0 for amount in hold.values())


def _load(state: CampaignState, route: Route, sender: Hub, receiver: Hub, goods: dict[Resource, float]) -> Stock:
    """Take today's goods out of the sender's stock."""
    factor = _OPEN[route.status]
    if route.kind is RouteKind.SMUGGLING and route.status is RouteStatus.BLOCKADED:
        factor = _SMUGGLED
    hold = empty_stock()
    room = route.capacity
    for resource in Resource:
        planned = goods.get(resource, 0.0)
        for owner in sorted({sender.owner, receiver.owner}):
            state.faction(owner).goods_planned += planned
        spare = fmax(sender.stock[resource] - RESERVE_DAYS * daily_need(sender, resource), 0.0)
        room -= move(sender.stock, hold, resource, fmin(fmin(planned * factor, spare), room))
    return hold


def _raid(state: CampaignState, route: Route, *holds: Stock) -> None:
    lost = 0.0
    for hold in holds:
        for resource in Resource:
            lost += use(state, hold, resource, hold[resource] * _PIRATES_TAKE, Flow.LOST)
    text = f"pirates take {lost:,.0f} units from {route.name}"
    report(state, "trade", text, factions=sorted(set(owners_of(state, route))), node=route.path[len(route.path) // 2])


def _deliver(state: CampaignState, receiver: Hub, sender: Hub, hold: Stock) -> None:
    for resource in Resource:
        delivered = move(hold, receiver.stock, resource, hold[resource])
        for owner in sorted({sender.owner, receiver.owner}):
            state.faction(owner).goods_delivered += delivered
