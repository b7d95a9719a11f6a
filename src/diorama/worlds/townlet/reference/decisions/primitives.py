"""Primitives: the object in reach, and which steps are valid."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING, Primitive
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import obstacle_to
from diorama.worlds.townlet.reference.systems.queues import is_near_enough, may_use
from diorama.worlds.townlet.reference.systems.talking import can_speak, candidates

PRIMITIVES: Final = len(Primitive)
FIRST_MOVE: Final = int(Primitive.MOVE_NORTH)
FIRST_INTERACT: Final = int(Primitive.INTERACT_0)
LAST_INTERACT: Final = int(Primitive.INTERACT_3)


def object_in_reach(town: Town, citizen: Citizen) -> int:
    """What an interaction is with: the object held, else waited for, else the nearest; -1 for none."""
    if citizen.holding != NOTHING:
        return citizen.holding
    if citizen.queued != NOTHING:
        return citizen.queued
    return town.tables.reach[citizen.tile]


def primitive_mask(town: Town, citizen: Citizen) -> list[int]:
    """One bit per primitive; while something is running only `Wait` and `Release`."""
    mask = [0] * PRIMITIVES
    mask[Primitive.WAIT] = 1
    if citizen.is_running:
        mask[Primitive.RELEASE] = 1
        return mask
    for direction, _ in town.tables.paths.neighbors[citizen.tile]:
        mask[FIRST_MOVE + direction] = 1
    _mask_interactions(town, citizen, mask)
    mask[Primitive.RELEASE] = int(citizen.holding != NOTHING or citizen.queued != NOTHING)
    mask[Primitive.TALK] = int(can_speak(town, citizen) and bool(candidates(town, citizen)))
    mask[Primitive.YIELD] = int(citizen.holding != NOTHING and bool(town.objects[citizen.holding].queue))
    return mask


def _mask_interactions(town: Town, citizen: Citizen, mask: list[int]) -> None:
    index = object_in_reach(town, citizen)
    if index == NOTHING or not may_use(town, citizen, index):
        return
    state, place = town.objects[index], town.tables.objects[index]
    rows = town.tables.by_type[place.type]
    if citizen.holding == index:
        if citizen.tile == place.use_tile and state.spec is None:
            for row in rows:
                mask[FIRST_INTERACT + row.rank] = int(obstacle_to(town, citizen, row, index) is None)
        return
    can_ask = (
        citizen.queued != index
        and state.cooldowns[citizen.seat] <= town.tick
        and len(state.queue) < town.config.queue_fairness.queue_capacity
        and is_near_enough(town, citizen, index)
    )
    for row in rows:
        mask[FIRST_INTERACT + row.rank] = int(can_ask)
