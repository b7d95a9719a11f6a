"""Collapse and neglect: counting how long a citizen has gone without, and rescuing it where nobody may leave."""

from typing import Final

from diorama.worlds.townlet.codes import FailReason, Need
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import fail_running
from diorama.worlds.townlet.reference.systems.fitness import closes_bucket
from diorama.worlds.townlet.reference.systems.movement import nearest_free_tile, place
from diorama.worlds.townlet.reference.systems.queues import give_up

NEAR_DEATH_TICKS: Final = 20
_RESCUE_HUNGER: Final = 0.4


def count_decline(town: Town) -> None:
    """Count this tick towards collapse and neglect."""
    rule = town.config.lifecycle.chronic_need
    is_closing = closes_bucket(town)
    for citizen in town.in_turn():
        decline = citizen.decline
        if citizen.needs[Need.HUNGER] <= town.rules.collapse_threshold:
            decline.collapse_streak += 1
            if decline.collapse_streak == NEAR_DEATH_TICKS:
                town.record(EventKind.AGENT_NEAR_DEATH, citizen.number, Need.HUNGER, citizen.needs[Need.HUNGER])
        else:
            decline.collapse_streak = 0
        if any(need < rule.threshold for need in citizen.needs):
            decline.neglect[BUCKETS - 1] += 1
        if is_closing:
            decline.is_neglected = sum(decline.neglect) >= rule.fraction_of_day * town.ticks_per_day
            decline.neglect = [*decline.neglect[1:], 0]


def has_collapsed(town: Town, citizen: Citizen) -> bool:
    """Whether hunger has lasted too long."""
    return citizen.decline.collapse_streak >= town.rules.collapse_ticks


def rescue(town: Town, citizen: Citizen) -> None:
    """Carry a collapsed citizen home to bed, fed a little."""
    town.record(EventKind.AGENT_FAINTED, citizen.number, Need.HUNGER, citizen.needs[Need.HUNGER])
    relocate(town, citizen, nearest_free_tile(town, town.tables.objects[citizen.bed].use_tile))
    citizen.needs[Need.HUNGER] = _RESCUE_HUNGER
    citizen.decline.collapse_streak = 0
    citizen.facts.is_rescued = True


def relocate(town: Town, citizen: Citizen, tile: int) -> None:
    """Take a citizen out of whatever it is doing and put it on a tile; its memory is cleared."""
    if citizen.is_running:
        fail_running(town, citizen, FailReason.TELEPORTED)
    give_up(town, citizen)
    place(town, citizen, tile)
    citizen.blocked_streak = 0
    citizen.ctx_reset = True
