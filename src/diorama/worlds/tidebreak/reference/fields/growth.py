"""Which bricks come and go after a step."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import DORMANT_STEPS, DYNAMIC_RULES, GROWTH_FACTOR
from diorama.worlds.tidebreak.reference.fields.geometry import NEIGHBORS, NO_NEIGHBOR

_THRESHOLD: Final = np.array([rule.threshold for rule in DYNAMIC_RULES], dtype=np.float32).reshape(-1, 1, 1)


def grow_and_release(bricks: Bricks) -> None:
    """Allocate where a brick's edge stands out, then free what has been quiet for two steps.

    Requests are met in key order, west, east, south, north, until there is no room. A brick that came with this step
    has not been through one, so its quiet does not count yet.
    """
    keys = bricks.keys()
    deviation = np.abs(bricks.dynamic[keys] - bricks.defaults[keys][:, :, None, None])
    is_quiet = np.all(deviation <= _THRESHOLD, axis=(1, 2, 3))
    wants = _wanted_sides(np.any(deviation > np.float32(GROWTH_FACTOR) * _THRESHOLD, axis=1))

    for row in np.flatnonzero(wants.any(axis=1)):
        for side in np.flatnonzero(wants[row]):
            neighbor = int(NEIGHBORS[side][keys[row]])
            if neighbor != NO_NEIGHBOR:
                bricks.allocate(neighbor)

    bricks.dormant_steps[keys] = np.where(is_quiet, bricks.dormant_steps[keys] + 1, 0)
    for key in keys[bricks.dormant_steps[keys] >= DORMANT_STEPS]:
        bricks.release(int(key))


def _wanted_sides(stands_out: NDArray[np.bool_]) -> NDArray[np.bool_]:
    edges = (stands_out[:, :, 0], stands_out[:, :, -1], stands_out[:, 0, :], stands_out[:, -1, :])
    return np.stack([edge.any(axis=1) for edge in edges], axis=1)
