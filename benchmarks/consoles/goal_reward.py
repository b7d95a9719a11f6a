"""The rest of a full step: distance to a goal picture, reward, ends and resets; the same for every side."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, U8

MAX_STEPS: Final = 512
STEP_COST, ALPHA, GOAL_BONUS, TAU, CONSECUTIVE = -0.01, 1.0, 10.0, 0.05, 2


def _distance_table() -> U8:
    shades = np.stack([np.arange(256) >> shift & 3 for shift in (0, 2, 4, 6)], axis=1)
    apart: U8 = np.abs(shades[:, None] - shades[None]).sum(axis=2).astype(np.uint8)
    return apart


DISTANCE: Final = _distance_table()


class GoalReward:
    """Goal environment on pictures of format `packed2`, with numpy."""

    def __init__(self, lanes: int, goal: U8) -> None:
        """Begin an episode in every lane; the goal is the negative of the first picture, which no ROM shows."""
        self._columns = DISTANCE[goal.reshape(-1)]
        self._places = np.arange(goal.size)
        self._most = 3.0 * 4 * goal.size
        self._before: F32 = np.ones(lanes, np.float32)
        self._consecutive: NDArray[np.int32] = np.zeros(lanes, np.int32)
        self._steps: NDArray[np.int32] = np.zeros(lanes, np.int32)

    def step(self, pictures: U8) -> tuple[F32, U8]:
        """Judge a step; gives rewards and the mask of lanes that begin anew."""
        sums = self._columns[self._places, pictures.reshape(len(pictures), -1)].sum(axis=1, dtype=np.int64)
        distance = (sums / self._most).astype(np.float32)
        self._steps += 1
        self._consecutive = np.where(distance < TAU, self._consecutive + 1, 0)
        is_reached = self._consecutive >= CONSECUTIVE
        reward = STEP_COST + ALPHA * (self._before - distance) + GOAL_BONUS * is_reached
        ended = is_reached | (self._steps >= MAX_STEPS)
        self._before = np.where(ended, 1.0, distance).astype(np.float32)
        self._consecutive[ended] = 0
        self._steps[ended] = 0
        return reward.astype(np.float32), ended.astype(np.uint8)
