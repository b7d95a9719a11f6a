"""The market: prices cycle, jitter, and give way to what has been sold."""

from math import sqrt

from diorama.numerics import TWO_PI, clamp, exp, powi, sin
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import N_COMMODITIES
from diorama.worlds.prospector.reference.constants import (
    INVENTORY_PRESSURE,
    INVENTORY_RETENTION_PER_TICK,
    PRICE_BASE,
    PRICE_MAX,
    PRICE_MIN,
    PRICE_NOISE_SHARE,
    SALES_MEMORY_TICKS,
    SALES_PRESSURE,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def update_market(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Set the prices of the moment the step ends, then let sales and stock fade."""
    market = state.market
    now = state.ticks + turn.dt
    root_dt = sqrt(turn.dt)
    market.prev_price = market.price
    market.price = [_price(state, config, commodity, now, root_dt) for commodity in range(N_COMMODITIES)]
    sales_kept = exp(-turn.dt / SALES_MEMORY_TICKS)
    inventory_kept = powi(INVENTORY_RETENTION_PER_TICK, turn.dt)
    market.recent_sales = [units * sales_kept for units in market.recent_sales]
    market.inventory = [max(0.0, units * inventory_kept) for units in market.inventory]


def _price(state: State, config: ProspectorConfig, commodity: int, now: int, root_dt: float) -> float:
    market, base = state.market, PRICE_BASE[commodity]
    cycle = TWO_PI * (now / market.period[commodity]) + market.phase[commodity]
    price = base + market.amp[commodity] * sin(cycle)
    if config.price_impact:
        price -= INVENTORY_PRESSURE * market.inventory[commodity]
        price -= SALES_PRESSURE * market.recent_sales[commodity]
    # Drawn even with noise switched off: a skipped draw would shift every later one.
    noise = state.rng.normal(0.0, PRICE_NOISE_SHARE * base * root_dt)
    if config.market_noise:
        price += noise
    return clamp(price, PRICE_MIN[commodity], PRICE_MAX[commodity])
