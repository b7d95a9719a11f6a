"""Selling: the more of the market's stock a sale makes up, the worse its price."""

from dataclasses import dataclass
from math import sqrt

from diorama.numerics import clamp
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import COMMODITIES, Event
from diorama.worlds.prospector.reference.constants import (
    SELL_TICKS,
    SLIPPAGE_LINEAR,
    SLIPPAGE_MAX,
    SLIPPAGE_ROOT,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a share of one commodity in the hold."""

    commodity: int
    share: float

    def is_possible(self, state: State) -> bool:
        """Only at the station, and only what is in the hold."""
        return state.ship.is_docked and state.ship.cargo[self.commodity] > 0.0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Sell at the current price less slippage, and leave the goods on the market."""
        ship, market, commodity = state.ship, state.market, self.commodity
        turn.dt = SELL_TICKS
        units = ship.cargo[commodity] * self.share
        price = market.price[commodity]
        slippage = _slippage(units, market.inventory[commodity]) if config.price_impact else 0.0
        revenue = units * price * (1.0 - slippage)
        ship.credits += revenue
        state.counters.gross_revenue += revenue
        ship.cargo[commodity] = max(0.0, ship.cargo[commodity] - units)
        market.inventory[commodity] += units
        market.recent_sales[commodity] += units
        turn.events.record(
            Event.SELL,
            {
                "commodity": COMMODITIES[commodity],
                "units": units,
                "price": price,
                "slippage": slippage,
                "revenue": revenue,
            },
        )


def _slippage(units: float, inventory: float) -> float:
    ratio = units / max(1.0, inventory + units)
    return clamp(SLIPPAGE_LINEAR * ratio + SLIPPAGE_ROOT * sqrt(ratio), 0.0, SLIPPAGE_MAX)
