"""Scripted baselines: one that picks by chance, and one that knows its trade."""

from collections.abc import Callable
from typing import Final

import numpy as np

from diorama.contracts.bots import Bot
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from orchard.contract import EAST, EMPTY, MAX_CARRIED, NORTH, PICK, SIZE, SOUTH, WAIT, WEST


class RandomPicker:
    """Does anything that can be done."""

    def reset(self, episode_seed: int) -> None:
        """Begin the draws of an episode."""
        self._rng = Pcg32.named(episode_seed, "random_picker")

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw one of the allowed options."""
        allowed = np.flatnonzero(mask).tolist()
        return (allowed[self._rng.randint_exclusive(0, len(allowed))],)


class NearestApple:
    """Walks to the nearest ripe apple, and to the basket when the apron is full."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Empty or pick where it can, else walk on."""
        if mask[EMPTY] or mask[PICK]:
            return (EMPTY if mask[EMPTY] else PICK,)
        row, column = (round(float(part) * (SIZE - 1)) for part in obs[0:2])
        ripe = [divmod(tree, SIZE) for tree in np.flatnonzero(obs[4:]).tolist()]
        is_full = round(float(obs[2]) * MAX_CARRIED) == MAX_CARRIED
        if not is_full and not ripe:
            return (WAIT,)
        to_row, to_column = (0, 0) if is_full else min(ripe, key=lambda at: abs(at[0] - row) + abs(at[1] - column))
        if to_row != row:
            return (SOUTH if to_row > row else NORTH,)
        return (EAST if to_column > column else WEST,)


BOTS: Final[dict[str, Callable[[], Bot]]] = {"random": RandomPicker, "nearest_apple": NearestApple}
