"""Bringing a town in line with new tables: numbers and lists of its state, and events that have not been told yet."""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.worlds.townlet.codes import NEVER, NOTHING
from diorama.worlds.townlet.events import SCHEMAS, Event, FieldType
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.renumbering import Renumbering

_NUMBERED: Final[Mapping[FieldType, str]] = {
    FieldType.OBJECT: "objects",
    FieldType.AFFORDANCE: "affordances",
    FieldType.ITEM: "items",
    FieldType.SPEC: "perturbations",
    FieldType.BUCKET: "buckets",
}


def renumbered(event: Event, numbers: Renumbering) -> Event:
    """An event with the numbers of the new tables; what is gone is told as nothing."""
    values = [*event.values]
    for place, (_, kind) in enumerate(SCHEMAS[event.kind].fields):
        if kind is FieldType.EFFECTS:
            break  # only numbers follow
        if kind is FieldType.CONDITION:
            del values[place + 1 :]
            values[place] = NOTHING
            break
        if kind in _NUMBERED and values[place] != NOTHING:
            places: Sequence[int] = getattr(numbers, _NUMBERED[kind])
            values[place] = places[int(values[place])]
    return event._replace(values=tuple(values))


def carry_over(town: Town, numbers: Renumbering) -> None:
    """Give objects, citizens, perturbations and notes the numbers of the new tables."""
    objects = [ObjectState(stock=list(row.stock), cooldowns=[NEVER] * len(town.seats)) for row in numbers.after.objects]
    for place, state in zip(numbers.objects, town.objects, strict=True):
        if place == NOTHING:
            continue
        state.stock = numbers.counts(state.stock)
        if state.spec is not None:
            state.spec = numbers.row(state.spec)
            state.running = state.spec.index
        objects[place] = state
    for citizen in town.living():
        citizen.inventory = numbers.counts(citizen.inventory)
        citizen.bed = numbers.objects[citizen.bed]
        citizen.holding = NOTHING if citizen.holding == NOTHING else numbers.objects[citizen.holding]
        citizen.queued = NOTHING if citizen.queued == NOTHING else numbers.objects[citizen.queued]
        citizen.plan.goal = NOTHING
    town.objects = objects
    for note in town.social.conflicts:
        note.object = numbers.objects[note.object]
    town.social.conflicts = [note for note in town.social.conflicts if note.object != NOTHING]
    _carry_perturbations(town, numbers)


def _carry_perturbations(town: Town, numbers: Renumbering) -> None:
    state = town.perturbations
    ready_ticks = [NEVER] * len(numbers.after.perturbations)
    for place, ready in zip(numbers.perturbations, state.ready_ticks, strict=True):
        if place != NOTHING:
            ready_ticks[place] = ready
    state.ready_ticks = ready_ticks
    for event in (*state.active, *state.pending):
        event.spec = numbers.perturbations[event.spec]
    for start in state.starts:
        start.bucket = numbers.buckets[start.bucket]
    state.starts = [start for start in state.starts if start.bucket != NOTHING]
