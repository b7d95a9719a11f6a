"""The market as the first ship finds it."""

from diorama.numerics import TWO_PI, clamp, sin
from diorama.rng import Pcg32
from diorama.worlds.prospector.reference.constants import (
    AMPLITUDE_SHARE_RANGE,
    INVENTORY_RANGE,
    PERIOD_RANGE_TICKS,
    PRICE_BASE,
    PRICE_MAX,
    PRICE_MIN,
)
from diorama.worlds.prospector.reference.state import Market


def open_market(rng: Pcg32) -> Market:
    """Draw stock and price cycle of every commodity."""
    market = Market(price=[], prev_price=[], inventory=[], phase=[], period=[], amp=[], recent_sales=[])
    for base, lowest, highest in zip(PRICE_BASE, PRICE_MIN, PRICE_MAX, strict=True):
        inventory = rng.uniform(*INVENTORY_RANGE)
        phase = rng.uniform(0.0, TWO_PI)
        period = rng.uniform(*PERIOD_RANGE_TICKS)
        amp = base * rng.uniform(*AMPLITUDE_SHARE_RANGE)
        price = clamp(base + amp * sin(phase), lowest, highest)
        market.inventory.append(inventory)
        market.phase.append(phase)
        market.period.append(period)
        market.amp.append(amp)
        market.price.append(price)
        market.prev_price.append(price)
        market.recent_sales.append(0.0)
    return market
