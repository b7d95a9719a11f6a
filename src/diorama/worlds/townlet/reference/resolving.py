"""Stage 4: what citizens do, all moves first, then talks, then giving up and yielding, then asking and starting."""

from diorama.worlds.townlet.codes import NOTHING, FailReason, Primitive
from diorama.worlds.townlet.reference.decisions.primitives import (
    FIRST_INTERACT,
    FIRST_MOVE,
    LAST_INTERACT,
    object_in_reach,
)
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import advance_affordances, fail_running, start
from diorama.worlds.townlet.reference.systems.conflicts import avoids
from diorama.worlds.townlet.reference.systems.ghost_steps import holder_distances, take_ghost_steps
from diorama.worlds.townlet.reference.systems.movement import try_move
from diorama.worlds.townlet.reference.systems.queues import give_up, keep_queues, request, yield_place
from diorama.worlds.townlet.reference.systems.talking import talk

_MOVES = range(FIRST_MOVE, FIRST_MOVE + 4)
_INTERACTIONS = range(FIRST_INTERACT, LAST_INTERACT + 1)


def resolve(town: Town, primitives: list[int]) -> None:
    """Carry out one primitive per seat."""
    keep_queues(town)
    distances = holder_distances(town)
    holders = [state.holder for state in town.objects]
    order = [*town.in_turn()]
    for citizen in order:
        primitive = primitives[citizen.seat]
        if primitive == Primitive.WAIT:
            _note(citizen, primitive, success=True)
        elif primitive in _MOVES:
            _note(citizen, primitive, success=try_move(town, citizen, primitive - FIRST_MOVE))
    for citizen in order:
        if primitives[citizen.seat] == Primitive.TALK:
            _note(citizen, Primitive.TALK, success=talk(town, citizen))
    for citizen in order:
        primitive = primitives[citizen.seat]
        if primitive == Primitive.RELEASE:
            _note(citizen, primitive, success=_release(town, citizen))
        elif primitive == Primitive.YIELD:
            _note(citizen, primitive, success=_yield(town, citizen))
    for citizen in order:
        if primitives[citizen.seat] in _INTERACTIONS:
            _interact(town, citizen, primitives[citizen.seat])
    take_ghost_steps(town, distances, holders)
    advance_affordances(town)


def _note(citizen: Citizen, primitive: int, *, success: bool, duration: int = 1) -> None:
    citizen.last_primitive, citizen.last_success, citizen.last_duration = primitive, success, duration


def _release(town: Town, citizen: Citizen) -> bool:
    has_something = citizen.holding != NOTHING or citizen.queued != NOTHING
    if citizen.is_running:
        fail_running(town, citizen, FailReason.RELEASED)
    else:
        give_up(town, citizen)
    return has_something


def _yield(town: Town, citizen: Citizen) -> bool:
    other = yield_place(town, citizen)
    if other is not None and avoids(town, citizen, other.seat):
        citizen.facts.has_avoided = True
    return other is not None


def _interact(town: Town, citizen: Citizen, primitive: int) -> None:
    """Ask for the object in reach; who holds it and stands at it starts in the same tick."""
    index = object_in_reach(town, citizen)
    if index == NOTHING or citizen.is_running:
        _note(citizen, primitive, success=False)
        return
    was_holder = citizen.holding == index
    became_holder = not was_holder and request(town, citizen, index)
    has_started = False
    duration = 1
    if citizen.holding == index and citizen.tile == town.tables.objects[index].use_tile:
        has_started = start(town, citizen, primitive - FIRST_INTERACT)
        spec = town.objects[index].spec
        duration = spec.duration if has_started and spec is not None else 1
    _note(citizen, primitive, success=became_holder or has_started, duration=duration)
