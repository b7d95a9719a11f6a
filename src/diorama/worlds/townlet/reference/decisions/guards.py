"""Guards: nobody walks up to a rival unless a need leaves no choice."""

from diorama.worlds.townlet.codes import NOBODY, NOTHING, GuardReason, Primitive
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.decisions.primitives import FIRST_INTERACT, LAST_INTERACT, object_in_reach
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conflicts import avoided_seats
from diorama.worlds.townlet.reference.systems.needs import is_critical
from diorama.worlds.townlet.reference.systems.talking import candidates, listener_for


def guarded(town: Town, citizen: Citizen, primitive: int) -> int:
    """The primitive, or `Wait` where it would bring a citizen up against somebody it avoids."""
    if is_critical(town, citizen):
        return primitive
    if primitive == Primitive.TALK:
        return _guard_talk(town, citizen)
    if FIRST_INTERACT <= primitive <= LAST_INTERACT:
        return _guard_request(town, citizen, primitive)
    return primitive


def _guard_talk(town: Town, citizen: Citizen) -> int:
    near = candidates(town, citizen)
    if not near or listener_for(town, citizen) is not None:
        return Primitive.TALK
    _tell(town, citizen, GuardReason.CHAT_RIVAL, near[0].seat, NOTHING)
    return Primitive.WAIT


def _guard_request(town: Town, citizen: Citizen, primitive: int) -> int:
    avoided = avoided_seats(town, citizen)
    if not avoided or citizen.holding != NOTHING or citizen.queued != NOTHING:
        return primitive
    index = object_in_reach(town, citizen)
    if index == NOTHING:
        return primitive
    state = town.objects[index]
    there = [state.holder, *(entry.seat for entry in state.queue)]
    rival = next((seat for seat in there if seat in avoided), NOBODY)
    if rival == NOBODY:
        return primitive
    _tell(town, citizen, GuardReason.QUEUE_RIVAL, rival, index)
    return Primitive.WAIT


def _tell(town: Town, citizen: Citizen, reason: GuardReason, seat: int, object_index: int) -> None:
    town.record(EventKind.POLICY_GUARDRAIL_BLOCK, citizen.number, reason, town.citizen(seat).number, object_index)
