"""What the player can order, and the limits of a day."""

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.orders.affairs import affair_orders, order_affair
from diorama.worlds.tidebreak.campaign.orders.fleets import fleet_orders, offered_missions, order_fleet
from diorama.worlds.tidebreak.campaign.orders.order import (
    FLEET_ORDERS_PER_DAY,
    POLICY_ORDERS_PER_DAY,
    USAGE,
    Budget,
    Order,
    Verb,
    parse_order,
)
from diorama.worlds.tidebreak.campaign.orders.policy import order_policy, policy_orders
from diorama.worlds.tidebreak.campaign.state import CampaignState

__all__ = [
    "FLEET_ORDERS_PER_DAY",
    "POLICY_ORDERS_PER_DAY",
    "USAGE",
    "Budget",
    "Order",
    "Verb",
    "carry_out_order",
    "legal_orders",
    "offered_missions",
    "orders_left",
    "parse_order",
]

_POLICY_VERBS = (Verb.PROPOSE, Verb.PRESS, Verb.OFFER, Verb.COVERT, Verb.ACCEPT, Verb.DECLINE)


def orders_left(state: CampaignState, budget: Budget) -> int:
    """How many orders of a kind the player may still give today; a large number for free ones."""
    if budget is Budget.FLEET:
        return FLEET_ORDERS_PER_DAY - state.fleet_orders
    if budget is Budget.POLICY:
        return POLICY_ORDERS_PER_DAY - state.policy_orders
    return 1_000_000


def legal_orders(state: CampaignState) -> list[Order]:
    """Return every order the player may give now; none while a battle waits or after the end."""
    if state.player is None or state.is_waiting or state.ending is not None:
        return []
    player = state.player
    everything = (*fleet_orders(state, player), *policy_orders(state, player), *affair_orders(state, player))
    return [order for order in everything if orders_left(state, order.budget) > 0]


def carry_out_order(state: CampaignState, order: Order) -> str:
    """Carry out an order of the player and count it.

    Raises:
        ContractError: It is not allowed now, with the reason.
        UnknownName: It names something that does not exist.
    """
    if state.player is None:
        raise ContractError("nobody plays this campaign; begin one with a player to give orders")
    if state.ending is not None:
        raise ContractError(f"the campaign ended on day {state.ending.day}; no orders are taken")
    if state.is_waiting:
        raise ContractError("a battle waits; orders are taken when the day is over")
    if orders_left(state, order.budget) <= 0:
        raise ContractError(f"no {order.budget} orders are left today; go on to the next day")
    done = _carry_out(state, state.player, order)
    if order.budget is Budget.FLEET:
        state.fleet_orders += 1
    elif order.budget is Budget.POLICY:
        state.policy_orders += 1
    return done


def _carry_out(state: CampaignState, player: str, order: Order) -> str:
    if order.budget is Budget.FLEET:
        return order_fleet(state, player, order)
    if order.verb in _POLICY_VERBS:
        return order_policy(state, player, order)
    return order_affair(state, player, order)
