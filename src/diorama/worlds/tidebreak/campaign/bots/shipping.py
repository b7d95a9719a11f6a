"""What bots send over their merchant routes."""

from typing import Final

from diorama.worlds.tidebreak.campaign.economy.trade import useful_goods
from diorama.worlds.tidebreak.campaign.kinds import RouteKind
from diorama.worlds.tidebreak.campaign.state import CampaignState

REPLAN_DAYS: Final = 30


def replan_routes(state: CampaignState) -> None:
    """Let bots adjust what they send over merchant routes once a month."""
    for route in state.routes:
        if route.kind is not RouteKind.MERCHANT or (state.day + route.number) % REPLAN_DAYS != 0:
            continue
        origin, destination = state.hub(route.origin), state.hub(route.destination)
        if state.is_run_by_bot(origin.owner):
            route.goods = useful_goods(origin, destination)
        if state.is_run_by_bot(destination.owner):
            route.goods_back = useful_goods(destination, origin)
