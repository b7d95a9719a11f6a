"""Copies of one seat whose agent has left while the world goes on."""

import numpy as np
from numpy.typing import NDArray

from diorama.engine.batch import Batch


def open_abandoned(batch: Batch, ended: NDArray[np.bool_]) -> None:
    """Open the next episode where the only seat was left in this step and somebody else would take it.

    Whoever plays a single seat is not told about its successors. Rewards, flags and final metrics of the step must
    have been read before. A row that begins anew (`episode_start`) has only been put back, and goes on.
    """
    left = ended & (batch.alive == 0) & (batch.episode_start == 0)
    abandoned: list[int] = np.flatnonzero(left).tolist()
    if abandoned:
        batch.reset(copies=abandoned)
