"""Who presses the keys where nobody does."""

from collections.abc import Mapping
from typing import Final

from diorama.worlds.gameboy.config import GameboyConfig, ObservationFormat

_SOLVERS: Final[Mapping[str, str]] = {
    "GRID_GOAL": "grid_goal_solver",
    "CATCH": "catch_solver",
    "KEYDOOR": "keydoor_solver",
}
_BY_HEART: Final = "KEYDOOR"


def companion(config: GameboyConfig) -> str:
    """Return the solver of the cartridge where it can see what it needs; keys at random for any other."""
    can_see = config.observation is ObservationFormat.SHADE_HALF or config.rom == _BY_HEART
    return _SOLVERS.get(config.rom, "random") if can_see else "random"
