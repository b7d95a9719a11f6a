"""Goods between the hubs of one faction."""

from typing import Final

from diorama.numerics import fmax, fmin
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need, days_of_supply
from diorama.worlds.tidebreak.campaign.economy.stocks import move
from diorama.worlds.tidebreak.campaign.kinds import NEEDS
from diorama.worlds.tidebreak.campaign.map.paths import is_cut_off
from diorama.worlds.tidebreak.campaign.state import CampaignState

_GIVES_ABOVE_DAYS: Final = 20.0
_TAKES_BELOW_DAYS: Final = 15.0
_UNITS_PER_DAY: Final = 200.0


def share_within_factions(state: CampaignState) -> None:
    """Send what a hub has plenty of to hubs of its faction that run short, over open paths."""
    for giver in state.hubs:
        for resource in NEEDS:
            left = fmin(
                _UNITS_PER_DAY,
                fmax(giver.stock[resource] - _GIVES_ABOVE_DAYS * daily_need(giver, resource), 0.0),
            )
            for taker in state.hubs_of(giver.owner):
                if left <= 0.0 or taker is giver or days_of_supply(taker, resource) >= _TAKES_BELOW_DAYS:
                    continue
                if not is_cut_off(state, giver.id, taker.id, giver.owner):
                    wanted = _TAKES_BELOW_DAYS * daily_need(taker, resource) - taker.stock[resource]
                    left -= move(giver.stock, taker.stock, resource, fmin(left, wanted))
