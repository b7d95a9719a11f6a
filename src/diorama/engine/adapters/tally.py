"""Returns and lengths of the episodes under way, for ecosystems that want them at the end of each."""

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32


class EpisodeTally:
    """Adds up rewards and steps of every row until its episode ends."""

    def __init__(self, rows: int) -> None:
        """Start all rows at zero."""
        self._returns = np.zeros(rows)
        self._lengths = np.zeros(rows, dtype=np.int64)

    def restart(self) -> None:
        """Forget all episodes under way."""
        self._returns[:] = 0.0
        self._lengths[:] = 0

    def add(self, rewards: F32, ended: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Add one step; return and clear the returns and lengths of the rows that ended."""
        self._returns += rewards
        self._lengths += 1
        finished = self._returns[ended], self._lengths[ended]
        self._returns[ended] = 0.0
        self._lengths[ended] = 0
        return finished
