"""Reservations and queues: one holder per object, the others in line.

A citizen holds or waits for one object at most, and nobody does both; while somebody waits, somebody holds.
"""

from diorama.worlds.townlet.codes import NOBODY, NOTHING, FailReason, QueueVariant, RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.objects import QueueEntry
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import apply_event


def may_use(town: Town, citizen: Citizen, object_index: int) -> bool:
    """Whether an object is open to a citizen at all: public, or of its own home."""
    row = town.tables.objects[object_index]
    return not row.is_residents or row.zone == citizen.home


def is_near_enough(town: Town, citizen: Citizen, object_index: int) -> bool:
    """Whether a citizen may ask for an object from where it stands."""
    row = town.tables.objects[object_index]
    distance = town.tables.paths.field(row.use_tile)[citizen.tile]
    return distance <= town.config.queue_fairness.request_radius or citizen.tile in row.queue_tiles


def request(town: Town, citizen: Citizen, object_index: int) -> bool:
    """Ask for an object: a citizen becomes its holder (True), joins the queue or is refused (False)."""
    state = town.objects[object_index]
    if not may_use(town, citizen, object_index) or not is_near_enough(town, citizen, object_index):
        return False
    town.queues.requests += 1
    if state.cooldowns[citizen.seat] > town.tick:
        town.queues.cooldown_events += 1
        return False
    if state.holder == citizen.seat:
        return True
    if citizen.queued == object_index:
        return False
    give_up(town, citizen)
    if len(state.queue) >= town.config.queue_fairness.queue_capacity:
        return False
    state.queue.append(QueueEntry(citizen.seat, town.tick))
    citizen.queued = object_index
    assign_next(town, object_index)
    return state.holder == citizen.seat


def assign_next(town: Town, object_index: int) -> None:
    """Let the one whose turn it is become the holder; the longer one has waited, the more places that makes up for."""
    state = town.objects[object_index]
    if state.holder != NOBODY or not state.queue:
        return
    weight = town.config.queue_fairness.age_priority_weight
    places = range(len(state.queue))
    grant(
        town, object_index, min(places, key=lambda place: place - weight * (town.tick - state.queue[place].joined_tick))
    )


def grant(town: Town, object_index: int, place: int) -> None:
    """Make the citizen at a place of the queue the holder of a free object."""
    state = town.objects[object_index]
    entry = state.queue.pop(place)
    citizen = town.citizen(entry.seat)
    waited = town.tick - entry.joined_tick
    citizen.queued, citizen.holding = NOTHING, object_index
    state.holder, state.granted_tick, state.stall = entry.seat, town.tick, 0
    town.queues.grants += 1
    town.queues.wait_ticks += waited
    town.queues.max_wait_ticks = max(town.queues.max_wait_ticks, waited)
    town.record(EventKind.RESERVATION_GRANTED, citizen.number, object_index, waited)


def release(town: Town, object_index: int, *, cooldown: int = 0) -> None:
    """Take an object from its holder, and give it to the next one.

    Args:
        town: The town.
        object_index: The object; whatever ran on it has ended.
        cooldown: Ticks for which the holder may not ask for it again.
    """
    free(town, object_index, cooldown=cooldown)
    assign_next(town, object_index)


def free(town: Town, object_index: int, *, cooldown: int = 0) -> None:
    """Take an object from its holder without giving it to anybody."""
    state = town.objects[object_index]
    if state.holder == NOBODY:
        return
    holder = town.citizen(state.holder)
    if cooldown > 0:
        state.cooldowns[holder.seat] = town.tick + cooldown
    holder.holding = NOTHING
    state.holder, state.stall = NOBODY, 0


def leave_queue(town: Town, citizen: Citizen) -> None:
    """Take a citizen out of the queue it is in."""
    if citizen.queued != NOTHING:
        state = town.objects[citizen.queued]
        state.queue = [entry for entry in state.queue if entry.seat != citizen.seat]
        citizen.queued = NOTHING


def give_up(town: Town, citizen: Citizen) -> None:
    """Let a citizen who is doing nothing give up what it holds or waits for."""
    leave_queue(town, citizen)
    if citizen.holding != NOTHING:
        release(town, citizen.holding)


def requeue(town: Town, citizen: Citizen, object_index: int) -> None:
    """Put a former holder at the end of the line."""
    town.objects[object_index].queue.append(QueueEntry(citizen.seat, town.tick))
    citizen.queued = object_index


def yield_place(town: Town, citizen: Citizen) -> Citizen | None:
    """Let a holder who is doing nothing change places with the first in line.

    Returns:
        Who got the place; None if there was nothing to yield.
    """
    object_index = citizen.holding
    if object_index == NOTHING or citizen.is_running or not town.objects[object_index].queue:
        return None
    other = town.citizen(town.objects[object_index].queue[0].seat)
    free(town, object_index)
    grant(town, object_index, 0)
    requeue(town, citizen, object_index)
    town.record(EventKind.QUEUE_INTERACTION, object_index, citizen.number, other.number, QueueVariant.YIELD)
    apply_event(town, citizen, other, RelationEvent.QUEUE_POLITE)
    return other


def tell_lost_place(town: Town, citizen: Citizen, object_index: int, reason: FailReason) -> None:
    """Tell that a holder lost its place before it began anything."""
    town.record(EventKind.AFFORDANCE_FAIL, citizen.number, object_index, NOTHING, reason)


def keep_queues(town: Town) -> None:
    """End reservations and waits that have lasted too long; the start of stage 4."""
    rule = town.config.queue_fairness
    for object_index, state in enumerate(town.objects):
        if state.holder != NOBODY and state.spec is None:
            held = town.tick - state.granted_tick
            if held > rule.reservation_timeout:
                town.queues.timeouts += 1
                holder = town.citizen(state.holder)
                town.record(EventKind.RESERVATION_TIMEOUT, holder.number, object_index, held)
                tell_lost_place(town, holder, object_index, FailReason.TIMEOUT)
                release(town, object_index)
        for entry in [entry for entry in state.queue if town.tick - entry.joined_tick > rule.queue_timeout]:
            citizen = town.citizen(entry.seat)
            town.queues.timeouts += 1
            town.record(EventKind.QUEUE_TIMEOUT, citizen.number, object_index, town.tick - entry.joined_tick)
            leave_queue(town, citizen)
