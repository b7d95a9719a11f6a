"""`market_timer`: digs for one commodity and sells it while its price is rising."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.prospector.bots.moves import (
    Portion,
    best_asteroid,
    leave_for_field,
    retreat,
    select,
    sell,
    station_neighbor,
    travel,
)
from diorama.worlds.prospector.bots.view import Asteroid, View
from diorama.worlds.prospector.contract import COMMODITIES, Act
from diorama.worlds.prospector.reference.constants import FUEL_MED

_PGE: Final = COMMODITIES.index("pge")


class MarketTimer:
    """Prospector.md 15.4; no memory."""

    def __init__(self, target: int = _PGE) -> None:
        """Choose the commodity to deal in."""
        self._target = target

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Trade at the station, dig elsewhere."""
        view = View(obs)
        if view.is_at_station:
            return (self._trade(view),)
        leaving = self._leave(view)
        return (self._dig(view) if leaving is None else leaving,)

    def _trade(self, view: View) -> int:
        must_sell = view.load > 0.70 or view.time < 0.15
        is_rising = view.price_deltas[self._target] > 0.01 and view.prices[self._target] > 0.30
        if view.cargo[self._target] > 0.01 and (is_rising or must_sell):
            return sell(self._target, Portion.QUARTER)
        if must_sell:
            for commodity, share in enumerate(view.cargo):
                if commodity != self._target and share > 0.05:
                    return sell(commodity, Portion.QUARTER)
        if view.fuel < 0.50 and view.credits >= FUEL_MED.cost:
            return Act.BUY_FUEL_MED
        return leave_for_field(view)

    def _leave(self, view: View) -> int | None:
        station = station_neighbor(view)
        if view.load > 0.12:
            if view.heat > 0.65:
                return Act.ACTIVE_COOLDOWN
            if station is not None:
                return travel(station)
        if view.price_deltas[self._target] < -0.02 and view.load > 0.25:
            return Act.ACTIVE_COOLDOWN if view.heat > 0.60 else retreat(view)
        if view.load > 0.85 or view.heat > 0.80:
            return Act.ACTIVE_COOLDOWN if view.heat > 0.70 else travel(station)
        return None

    def _dig(self, view: View) -> int:
        target = best_asteroid(view, self._score)
        if target is None:
            return leave_for_field(view)
        if not target.is_selected:
            return select(target)
        return Act.MINE_STANDARD_SELECTED if view.heat < 0.60 else Act.MINE_CONSERVATIVE_SELECTED

    def _score(self, asteroid: Asteroid) -> float:
        trust = 0.5 + 0.5 * asteroid.confidence
        return asteroid.composition[self._target] * trust * asteroid.stability * (1.0 - asteroid.depletion)
