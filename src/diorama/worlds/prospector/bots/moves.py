"""Notions the scripted pilots share: where to go, what to sell, which rock to dig."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from diorama.worlds.prospector.bots.view import Asteroid, Neighbor, View
from diorama.worlds.prospector.contract import SELL_PERCENTS, Act
from diorama.worlds.prospector.reference.constants import FUEL_LARGE, FUEL_MED, OVERHAUL_COST, REFINE_INPUTS

WORTH_REFINING: Final = 0.0025  # share of the hold
TOO_HOT_TO_REFINE: Final = 0.62
LAST_REFINING: Final = 0.03  # share of time left


class Portion(IntEnum):
    """Share of a commodity that one sale puts on the market."""

    QUARTER = 0
    HALF = 1
    ALL = 2


def sell(commodity: int, portion: Portion) -> int:
    """Return the action that sells a portion of a commodity."""
    return Act.SELL_COMMODITY + len(SELL_PERCENTS) * commodity + portion


def select(asteroid: Asteroid) -> int:
    """Return the action that selects an asteroid."""
    return Act.SELECT_ASTEROID + asteroid.slot


def travel(neighbor: Neighbor | None) -> int:
    """Return the action that leaves for a neighbor; with nowhere to go the ship holds."""
    return Act.HOLD_DRIFT if neighbor is None else Act.TRAVEL_NEIGHBOR + neighbor.slot


def station_neighbor(view: View) -> Neighbor | None:
    """Return the lowest slot that leads to the station."""
    return next((neighbor for neighbor in view.neighbors() if neighbor.is_station), None)


def leave_for_field(view: View) -> int:
    """Travel to the lowest cluster, else to the lowest slot that is no station, else to the lowest slot."""
    neighbors = view.neighbors()
    clusters = (neighbor for neighbor in neighbors if neighbor.is_cluster)
    elsewhere = (neighbor for neighbor in neighbors if not neighbor.is_station)
    return travel(next(clusters, next(elsewhere, next(iter(neighbors), None))))


def retreat(view: View) -> int:
    """Travel to the station if it is next door, else through the lowest slot."""
    return travel(station_neighbor(view) or next(iter(view.neighbors()), None))


def first_cargo_above(view: View, share: float) -> int | None:
    """Return the first commodity that fills more than this share of the hold."""
    return next((commodity for commodity, held in enumerate(view.cargo) if held > share), None)


def best_asteroid(view: View, score: Callable[[Asteroid], float]) -> Asteroid | None:
    """Return the asteroid of highest score that is not dug out; ties go to the lower slot."""
    return max((asteroid for asteroid in view.asteroids() if not asteroid.is_gone), key=score, default=None)


def rock_to_dig(view: View, worth_a_dig: float) -> Asteroid | None:
    """Return the selected rock while it is worth a dig, in credits, or else the best that is; None if no rock is.

    Prices move with every tick: a ship that goes after them spends as many ticks selecting as digging.
    """
    prices = view.prices_in_credits

    def income(asteroid: Asteroid) -> float:
        return 0.8 * (1.0 - asteroid.depletion) * asteroid.unit_value(prices)

    rocks = [asteroid for asteroid in view.asteroids() if not asteroid.is_gone and income(asteroid) >= worth_a_dig]
    selected = next((asteroid for asteroid in rocks if asteroid.is_selected), None)
    return selected or max(rocks, key=income, default=None)


def market_score(view: View) -> Callable[[Asteroid], float]:
    """Score a rock by what it seems to hold at current prices, how firm it seems and what is left of it."""

    def score(asteroid: Asteroid) -> float:
        return asteroid.unit_value(view.prices) * asteroid.stability * (1.0 - asteroid.depletion)

    return score


def sell_largest(view: View) -> int | None:
    """Sell half of what fills most of the hold, or all of a small rest; None if the hold is empty."""
    share = max(view.cargo)
    if share <= 0.0008:
        return None
    return sell(view.cargo.index(share), Portion.ALL if share < 0.02 else Portion.HALF)


def refit(view: View) -> int | None:
    """Return the next action that readies the ship for a trip; None if it is ready."""
    if (view.hull < 0.75 or view.tool < 0.85) and view.credits >= OVERHAUL_COST:
        return Act.FULL_REPAIR_OVERHAUL
    if view.fuel < 0.75 and view.credits >= FUEL_LARGE.cost:
        return Act.BUY_FUEL_LARGE
    if view.fuel < 0.60 and view.credits >= FUEL_MED.cost:
        return Act.BUY_FUEL_MED
    if view.alert > 1e-6:
        return Act.DOCK
    if view.heat > 0.20:
        return Act.HOLD_DRIFT
    return None


def trip_score(neighbor: Neighbor) -> float:
    """Score a way by the danger and the fuel it costs."""
    exposure = -8.0 * neighbor.time * (0.35 * neighbor.threat + 0.15)
    return exposure - 1.6 * neighbor.fuel - (1.5 if neighbor.is_hazard else 0.0)


def dig(view: View, target: Asteroid) -> int:
    """Select a rock, then dig it as hard as it seems to bear."""
    if not target.is_selected:
        return select(target)
    if target.stability > 0.75 and view.tool > 0.7 and view.heat < 0.5:
        return Act.MINE_STANDARD_SELECTED
    return Act.MINE_CONSERVATIVE_SELECTED


def refine(view: View) -> int | None:
    """Refine while there is cheap metal aboard, and let the ship cool in between."""
    metal = sum(view.cargo[commodity] for commodity in REFINE_INPUTS)
    if metal <= WORTH_REFINING or view.fuel < 0.10 or view.time < LAST_REFINING:
        return None
    if view.heat < TOO_HOT_TO_REFINE:
        return Act.REFINE_ONBOARD
    return Act.DOCK if view.alert > 1e-6 else Act.HOLD_DRIFT
