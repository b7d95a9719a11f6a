"""Hand-over: who is next when somebody has finished, and whether the two part as friends."""

from typing import Final

from diorama.worlds.townlet.codes import ConflictReason, QueueVariant, RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conflicts import record_conflict
from diorama.worlds.townlet.reference.systems.queues import release
from diorama.worlds.townlet.reference.systems.ties import apply_event, rivalry_now, tie_to

_PLACE_WEIGHT: Final = 0.05


def hand_over(town: Town, object_index: int, departing: Citizen, *, cooldown: int) -> None:
    """Pass an object on after its use: a friend in line is waved to the front, else the change-over is a conflict."""
    state = town.objects[object_index]
    waiting = len(state.queue)
    if waiting == 0:
        release(town, object_index, cooldown=cooldown)
        return
    place, liking = _favorite(town, object_index, departing)
    if liking > 0.0:
        if place > 0:
            state.queue.insert(0, state.queue.pop(place))
            town.queues.rotation_events += 1
        favored = town.citizen(state.queue[0].seat)
        release(town, object_index, cooldown=cooldown)
        town.record(EventKind.QUEUE_INTERACTION, object_index, departing.number, favored.number, QueueVariant.FAVOUR)
        apply_event(town, departing, favored, RelationEvent.QUEUE_POLITE)
        return
    release(town, object_index, cooldown=cooldown)
    record_conflict(town, object_index, departing, town.citizen(state.holder), ConflictReason.HANDOVER, waiting)


def _favorite(town: Town, object_index: int, departing: Citizen) -> tuple[int, float]:
    best_place, best_liking = 0, float("-inf")
    for place, entry in enumerate(town.objects[object_index].queue):
        tie = tie_to(departing, entry.seat)
        liking = tie.trust + tie.familiarity - rivalry_now(town, tie) - _PLACE_WEIGHT * place
        if liking > best_liking:
            best_place, best_liking = place, liking
    return best_place, best_liking
