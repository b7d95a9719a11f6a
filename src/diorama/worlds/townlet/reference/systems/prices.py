"""Prices: baselines, spikes, and whether a day's wage still buys a day."""

from typing import Final

from diorama.worlds.townlet.codes import PerturbationKind, Price
from diorama.worlds.townlet.config.checks import wage_ratio
from diorama.worlds.townlet.config.economy import PRICE_KEYS, basket_cost
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.amounts import Terms

_ENDLESS_RATIO: Final = 1e9  # told where a day costs nothing


def amount_of(town: Town, terms: Terms) -> float:
    """What an amount comes to at this moment's prices."""
    total = terms.constant
    for field, factor in terms.fields:
        total += factor * economy_value(town, field)
    return total


def economy_value(town: Town, field: int) -> float:
    """Value of an economy field by its place in `ECONOMY_KEYS`; prices are live ones."""
    if field < len(PRICE_KEYS):
        return town.economy.live[field]
    economy = town.config.economy
    return (economy.cook_energy_cost, economy.cook_hygiene_cost, economy.wage_income)[field - len(PRICE_KEYS)]


def set_baseline(town: Town, price: Price, value: float) -> None:
    """Give a price a new baseline."""
    town.economy.baselines[price] = value
    refresh_prices(town, (price,))
    warn_of_wages(town)


def refresh_prices(town: Town, prices: tuple[Price, ...] | list[Price]) -> None:
    """Work out live prices anew: baseline times the factors of running spikes, in the order they started."""
    for price in prices:
        value = town.economy.baselines[price]
        for event in town.perturbations.active:
            if event.kind == PerturbationKind.PRICE_SPIKE and event.prices >> price & 1:
                value *= event.magnitude
        town.economy.live[price] = value
        town.record(EventKind.ECONOMY_PRICE_UPDATE, price, town.economy.baselines[price], value)


def warn_of_wages(town: Town) -> None:
    """Tell of every job that buys less than a day at live prices, or far more."""
    basket, rule = basket_cost(town.economy.live), town.config.economy
    for job in town.tables.jobs:
        ratio = wage_ratio(job.end - job.start, job.wage_rate or rule.wage_income, basket)
        if not rule.slack_min <= ratio <= rule.slack_max:
            town.record(EventKind.ECONOMY_WARNING, job.index, min(ratio, _ENDLESS_RATIO))
