"""The strategic layer of tidebreak: factions, economy and politics day by day, battles handed to the arena."""

from diorama.worlds.tidebreak.campaign.campaign import Campaign, DayReport, PendingBattle
from diorama.worlds.tidebreak.campaign.orders import Order, parse_order
from diorama.worlds.tidebreak.campaign.scenarios import DEFAULT_SCENARIO, campaign_names
from diorama.worlds.tidebreak.campaign.telling.view import campaign_view

__all__ = [
    "DEFAULT_SCENARIO",
    "Campaign",
    "DayReport",
    "Order",
    "PendingBattle",
    "campaign_names",
    "campaign_view",
    "parse_order",
]
