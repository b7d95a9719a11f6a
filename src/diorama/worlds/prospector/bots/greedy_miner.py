"""`greedy_miner`: digs hard, sells at once, thinks of nothing else."""

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
from diorama.worlds.prospector.bots.view import View
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import FUEL_LARGE

_WORTH_SELLING: Final = 0.01


class GreedyMiner:
    """Prospector.md 15.2; no memory."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Trade at the station, dig elsewhere."""
        view = View(obs)
        return (_trade(view) if view.is_at_station else _dig(view),)


def _trade(view: View) -> int:
    commodity = first_cargo_above(view, _WORTH_SELLING)
    if commodity is not None:
        return sell(commodity, Portion.ALL)
    if view.fuel < 0.40 and view.credits >= FUEL_LARGE.cost:
        return Act.BUY_FUEL_LARGE
    return leave_for_field(view)


def _dig(view: View) -> int:
    if view.load > 0.85 or view.heat > 0.80 or view.hull < 0.40 or view.fuel < 0.15:
        return retreat(view)
    target = best_asteroid(view, market_score(view))
    if target is None:
        return leave_for_field(view)
    if not target.is_selected:
        return select(target)
    if view.tool > 0.60 and view.heat < 0.60:
        return Act.MINE_AGGRESSIVE_SELECTED
    return Act.MINE_STANDARD_SELECTED
