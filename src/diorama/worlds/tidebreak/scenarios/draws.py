"""Keyed draws of a generated scenario: a number depends on what it is for, so no part shifts another."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from diorama.numerics import floor
from diorama.rng.keyed import draw, u01
from diorama.worlds.tidebreak.resolve.streams import SCENARIO_STREAM

_PER_PURPOSE: Final = 4096


class Purpose(IntEnum):
    """What a draw is for; the numbers are part of every generated scenario."""

    STAGE = 0
    SIDE = 1
    AXIS = 2
    SEPARATION = 3
    HEADING = 4
    GUNNERY = 5
    ENGINEERING = 6
    FORCES = 7
    FORCES_FIRST = 8
    FORCES_SECOND = 9
    SEA = 10
    VISIBILITY = 11
    PRECIPITATION = 12
    WIND = 13
    BATHYMETRY = 14
    CURRENT = 15
    OBSTACLE_COUNT = 16
    OBSTACLE_PLACE = 17
    OBSTACLE_SIZE = 18
    STORM_COUNT = 19
    STORM = 20
    ZONE_COUNT = 21
    ZONE = 22
    HAZARD_COUNT = 23
    HAZARD = 24
    DAMAGE = 25
    REPEAT = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """All draws of one attempt at one scenario.

    Attributes:
        seed: Of the scenario.
        stage: Number of the stage.
        attempt: Draw number; the next one is taken when a package does not pass validation.
    """

    seed: int
    stage: int
    attempt: int = 0

    def unit(self, purpose: Purpose, index: int = 0) -> float:
        """A fraction in [0, 1)."""
        return u01(draw(self.seed, SCENARIO_STREAM, 0, self.stage, self.attempt, purpose * _PER_PURPOSE + index))

    def between(self, low: float, high: float, purpose: Purpose, index: int = 0) -> float:
        """A real number in [low, high)."""
        return low + (high - low) * self.unit(purpose, index)

    def whole(self, low: int, high: int, purpose: Purpose, index: int = 0) -> int:
        """An integer from low to high, both included."""
        return low + int(floor(self.unit(purpose, index) * float(high - low + 1)))
