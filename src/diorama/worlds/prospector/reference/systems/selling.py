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


@dataclass(frozen=True, slots=True, kw_only=True)
class SaleQuote:
    """What a sale brings: `revenue` in credits is units times price, less the slippage."""

    units: float
    price: float
    slippage: float  # share of the price, 0 to 1
    revenue: float


def quote_sale(state: State, config: ProspectorConfig, commodity: int, share: float) -> SaleQuote:
    """Return what selling this share of a commodity in the hold would bring at the present market."""
    market = state.market
    units = state.ship.cargo[commodity] * share
    price = market.price[commodity]
    slippage = _slippage(units, market.inventory[commodity]) if config.price_impact else 0.0
    return SaleQuote(units=units, price=price, slippage=slippage, revenue=units * price * (1.0 - slippage))


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
        sale = quote_sale(state, config, commodity, self.share)
        ship.credits += sale.revenue
        state.counters.gross_revenue += sale.revenue
        ship.cargo[commodity] = max(0.0, ship.cargo[commodity] - sale.units)
        market.inventory[commodity] += sale.units
        market.recent_sales[commodity] += sale.units
        turn.events.record(
            Event.SELL,
            {
                "commodity": COMMODITIES[commodity],
                "units": sale.units,
                "price": sale.price,
                "slippage": sale.slippage,
                "revenue": sale.revenue,
            },
        )


def _slippage(units: float, inventory: float) -> float:
    ratio = units / max(1.0, inventory + units)
    return clamp(SLIPPAGE_LINEAR * ratio + SLIPPAGE_ROOT * sqrt(ratio), 0.0, SLIPPAGE_MAX)
