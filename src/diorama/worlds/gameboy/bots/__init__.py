"""The scripted baselines of `gameboy`, weakest first; the solvers look at shades and wait where they see none."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.worlds.gameboy.bots.floor import Noop, RandomKeys
from diorama.worlds.gameboy.bots.solvers import CatchSolver, GridGoalSolver, KeydoorSolver

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "noop": Noop,
    "random": RandomKeys,
    "grid_goal_solver": GridGoalSolver,
    "catch_solver": CatchSolver,
    "keydoor_solver": KeydoorSolver,
}
