"""Curiosity: how often situations have been met, and how new the present one is to everybody."""

import math

from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.presence import zone_of
from diorama.worlds.townlet.reference.tick import LIVE
from diorama.worlds.townlet.situations import DAY_PARTS, NEED_BUCKETS, Situation


class Curiosity:
    """A watcher of stages, for towns that are learned in: others pay nothing for new situations."""

    def before_stage(self, number: int, town: Town) -> None:
        """Count before citizens are paid, when they have decided and moved."""
        if number == LIVE:
            note_visits(town)

    def after_stage(self, number: int, town: Town) -> None:
        """Nothing is left to do."""


def note_visits(town: Town) -> None:
    """Count the situation of every citizen, and tell the town how new it is; by ascending seat."""
    town.intrinsic.clear()
    if town.config.features.training.curiosity != "phase_A":
        return
    for citizen in town.living():
        hunger, hygiene, energy = (min(NEED_BUCKETS - 1, int(need * NEED_BUCKETS)) for need in citizen.needs)
        part = town.tod * DAY_PARTS // town.ticks_per_day
        situation = Situation(zone_of(town, citizen), citizen.plan.option, hunger, hygiene, energy, part).number
        count = town.visits.get(situation, 0) + 1
        town.visits[situation] = count
        town.intrinsic[citizen.seat] = 1.0 / math.sqrt(count)
