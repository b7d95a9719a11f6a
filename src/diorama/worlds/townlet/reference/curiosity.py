"""Curiosity: how new a citizen's situation is to a training run, as a share of a reward that fades out."""

import math
from typing import Final

from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.presence import zone_of

_NEED_BUCKETS: Final = 5
_DAY_PARTS: Final = 10

Cell = tuple[int, int, int, int, int, int]


class Curiosity:
    """Counts situations over all towns it is shown; one serves a whole training run.

    Attributes:
        progress: How far the curriculum is on the way to the milestone at which curiosity ends, 0 to 1.
    """

    def __init__(self, progress: float = 0.0) -> None:
        """Begin with nothing seen."""
        self.progress = progress
        self._counts: dict[Cell, int] = {}

    def note(self, town: Town) -> None:
        """Tell a town how new the situation of every citizen is; nothing where its configuration does not ask for it.

        Call it once per tick, after the citizens have decided and before they are paid.
        """
        town.intrinsic.clear()
        if town.config.features.training.curiosity != "phase_A":
            return
        remaining = max(0.0, 1.0 - self.progress)
        for citizen in town.living():
            cell = _cell(town, citizen)
            self._counts[cell] = self._counts.get(cell, 0) + 1
            town.intrinsic[citizen.seat] = remaining / math.sqrt(self._counts[cell])


def _cell(town: Town, citizen: Citizen) -> Cell:
    hunger, hygiene, energy = (min(_NEED_BUCKETS - 1, int(need * _NEED_BUCKETS)) for need in citizen.needs)
    part = town.tod * _DAY_PARTS // town.config.world.ticks_per_day
    return zone_of(town, citizen), citizen.plan.option, hunger, hygiene, energy, part
