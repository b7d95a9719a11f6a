"""Which rows of copies that go on begin anew: somebody took the seat, or what went before does not count any more."""

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers


def rows_to_open(buffers: Buffers, running: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows whose players must open an episode or forget; `running` has one entry per copy.

    Rows of copies that have ended are left out: an ended copy opens as a whole.
    """
    agents = len(buffers.alive) // len(running)
    opening: NDArray[np.bool_] = (buffers.episode_start & buffers.alive) != 0
    return opening & np.repeat(running, agents)
