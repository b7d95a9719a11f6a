"""`Disturbance`: draws some of a demonstrating bot's options instead of the bot."""

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8
from diorama.learn.settings.cloning import DisturbanceSettings
from diorama.learn.streams import DISTURBANCES
from diorama.rng import draw, u01


class Disturbance:
    """Pushes rows for some decisions at a time; every draw belongs to a row and to when its push began."""

    def __init__(self, settings: DisturbanceSettings, spec: WorldSpec, *, seed: int) -> None:
        """Find the heads.

        Raises:
            UnknownName: There is no such head.
        """
        names = [head.name for head in spec.heads]
        for name in settings.heads:
            if name not in names:
                raise UnknownName.among("head (in cloning.disturbance.heads)", name, names)
        bounds = np.cumsum([0, *(len(head.options) for head in spec.heads)]).tolist()
        self._heads = [
            (names.index(name), bounds[names.index(name)], bounds[names.index(name) + 1]) for name in settings.heads
        ]
        self._settings = settings
        self._seed = seed

    def sent(self, actions: I32, masks: U8, step: int) -> I32:
        """Return what the rows do instead of what the bots want; `masks` are rows × options of all heads."""
        sent, push = actions.copy(), step // self._settings.steps
        for row in range(len(sent)):
            if self._fraction(push, row, 0) >= self._settings.share:
                continue
            for place, start, stop in self._heads:
                valid = np.flatnonzero(masks[row, start:stop])
                sent[row, place] = valid[int(self._fraction(push, row, 1 + place) * len(valid))]
        return sent

    def _fraction(self, push: int, row: int, k: int) -> float:
        return u01(draw(self._seed, DISTURBANCES, push, row, 0, k))
