"""`cautious_scanner`: looks twice, digs gently, sells in halves."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.prospector.bots.moves import (
    Portion,
    best_asteroid,
    first_cargo_above,
    leave_for_field,
    market_score,
    retreat,
    select,
    sell,
)
from diorama.worlds.prospector.bots.view import Asteroid, View
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import FUEL_MED, REPAIR_KIT_COST

_WORTH_SELLING: Final = 0.01


class CautiousScanner:
    """Prospector.md 15.3; no memory."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Trade at the station, scan and dig elsewhere."""
        view = View(obs)
        return (_trade(view) if view.is_at_station else _work(view),)


def _trade(view: View) -> int:
    commodity = first_cargo_above(view, _WORTH_SELLING)
    if commodity is not None:
        return sell(commodity, Portion.HALF)
    if view.repair_kits < 0.30 and view.credits >= REPAIR_KIT_COST:
        return Act.BUY_REPAIR_KIT
    if view.fuel < 0.50 and view.credits >= FUEL_MED.cost:
        return Act.BUY_FUEL_MED
    return leave_for_field(view)


def _work(view: View) -> int:
    if view.load > 0.70 or view.heat > 0.75 or view.hull < 0.55 or view.fuel < 0.20:
        return retreat(view)
    asteroids = view.asteroids()
    if asteroids and _mean_confidence(asteroids) < 0.35:
        return Act.WIDE_SCAN
    target = best_asteroid(view, market_score(view))
    if target is None:
        return leave_for_field(view)
    return _dig(view, target)


def _dig(view: View, target: Asteroid) -> int:
    if not target.is_selected:
        return select(target)
    if target.confidence < 0.60:
        return Act.DEEP_SCAN_SELECTED
    if target.stability < 0.40 and view.stabilizers > 0.10:
        return Act.STABILIZE_SELECTED
    if view.heat > 0.70:
        return Act.ACTIVE_COOLDOWN
    return Act.MINE_CONSERVATIVE_SELECTED


def _mean_confidence(asteroids: list[Asteroid]) -> float:
    total = 0.0
    for asteroid in asteroids:
        total += asteroid.confidence
    return total / len(asteroids)
