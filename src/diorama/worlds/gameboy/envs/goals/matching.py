"""How near a picture is to a goal and what that pays, in float32 and in one order of operations on every device."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.gameboy.envs.arrays import Array, Library

DEFAULT_TAU: Final = 0.05
DEFAULT_K_CONSECUTIVE: Final = 2
_LARGEST_STEP: Final = 3.0  # between the lightest and the darkest shade


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalPay:
    """What is paid on the way to a goal and at it."""

    step_cost: float = -0.01
    alpha: float = 1.0
    goal_bonus: float = 10.0


@dataclass(frozen=True, slots=True)
class GoalReward:
    """What a step of each lane pays: `step_cost + progress + bonus`, added in this order."""

    progress: Array
    bonus: Array
    total: Array


def distance_of(total: Array, pixels: int, library: Library) -> Array:
    """Mean distance, 0 to 1, from the integer sum over the compared pixels: one division."""
    return library.cast(total, "float32") / (_LARGEST_STEP * pixels)


def count_matches(consecutive: Array, distance: Array, tau: Array, library: Library) -> Array:
    """Count one more match in a row where the distance is below the threshold, else begin again at 0."""
    return library.cast((consecutive + 1) * (distance < tau), "int32")


def pay_step(previous: Array, distance: Array, reached: Array, pay: GoalPay, library: Library) -> GoalReward:
    """Pay for the distance won in a step, and for the goal where it is reached."""
    progress = pay.alpha * (previous - distance)
    bonus = pay.goal_bonus * library.cast(reached, "float32")
    return GoalReward(progress, bonus, pay.step_cost + progress + bonus)
