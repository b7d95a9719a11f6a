"""What words must hold so that a town can go on from them: every reference leads somewhere, every list is complete."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.snapshots import LARGEST_NUMBER, check_bounds
from diorama.worlds.townlet.codes import (
    NEED_NAMES,
    NOBODY,
    NOTHING,
    TRAIT_NAMES,
    ConflictReason,
    EvictionReason,
    ExitReason,
    Option,
    PerturbationKind,
    Price,
    Primitive,
    ShiftState,
    Utility,
)
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.town_tables import TownTables

_DELAYS_MAX: Final = 1 << 32  # widest range that one draw covers
_MISSING: Final = "the snapshot refers to something that is not in this town"


def check_fit(
    citizens: Sequence[Citizen], objects: Sequence[ObjectState], tables: TownTables, config: SimulationConfig
) -> None:
    """Refuse citizens and objects that do not belong to these tables, before a town is made of them.

    Raises:
        SnapshotError: With the first thing that is wrong.
    """
    if len(objects) != len(tables.objects):
        raise SnapshotError(f"the snapshot has {len(objects)} objects; this town has {len(tables.objects)}")
    seats, tiles = config.world.seats, len(tables.map.walkable)
    taken: set[int] = set()
    for citizen in citizens:
        if not _is_one_of(citizen.seat, seats) or not _is_one_of(citizen.tile, tiles) or citizen.seat in taken:
            raise SnapshotError(f"the snapshot has a citizen on seat {citizen.seat} and tile {citizen.tile}")
        taken.add(citizen.seat)
        if len(citizen.inventory) != len(tables.items) or not _is_maybe(citizen.job, len(tables.jobs)):
            raise SnapshotError("the snapshot has items or jobs that this town does not have")
    for state in objects:
        if len(state.stock) != len(tables.items) or len(state.cooldowns) != seats:
            raise SnapshotError("the snapshot has items or seats that this town does not have")
        if not _is_maybe(state.running, len(tables.affordances)):
            raise SnapshotError("the snapshot has an affordance that this town does not have")


def check_references(town: Town) -> None:
    """Refuse a town in which something refers to what is not there.

    What somebody is doing may be missing from the tables, because a reload can take it away: a live town's save tells
    it besides. Whoever has the words alone asks `check_doings`, too.

    Raises:
        SnapshotError: With the first thing that is wrong.
    """
    _check_lists(town)
    _check_ledgers(town)
    for citizen in town.living():
        _check_citizen(town, citizen)
    waiting = [entry.seat for entry in town.employment.queue] + town.employment.approvals
    events = town.perturbations.active + town.perturbations.pending
    is_sound = (
        _is_complete(town)
        and all(_is_sound_citizen(town, citizen) for citizen in town.living())
        and all(_is_sound_object(town, index, state) for index, state in enumerate(town.objects))
        and all(_is_taken(town, seat) for seat in waiting)
        and all(_is_sound_event(town, event) for event in events)
        and _are_sound_notes(town)
    )
    if not is_sound:
        raise SnapshotError(_MISSING)


def check_doings(town: Town) -> None:
    """Refuse a town in which somebody is doing what the tables do not have.

    Raises:
        SnapshotError: If anybody is.
    """
    if any(citizen.is_running and town.objects[citizen.holding].running == NOTHING for citizen in town.living()):
        raise SnapshotError(_MISSING)


def _check_lists(town: Town) -> None:
    """Refuse lists of fixed length that have another one."""
    lengths: list[tuple[Sequence[float], int]] = [
        (town.economy.baselines, len(Price)),
        (town.economy.live, len(Price)),
        (town.economy.outages, len(Utility)),
    ]
    for citizen in town.living():
        fitness = citizen.fitness
        lengths += [
            (citizen.traits, len(TRAIT_NAMES)),
            (citizen.needs, len(NEED_NAMES)),
            (citizen.decline.neglect, BUCKETS),
            (fitness.returns, BUCKETS),
            (fitness.deficits, BUCKETS),
            (fitness.ticks, BUCKETS),
            (fitness.violations, BUCKETS),
        ]
    for values, right in lengths:
        if len(values) != right:
            raise SnapshotError(f"a list has {len(values)} entries; it must have {right}")


def _check_ledgers(town: Town) -> None:
    rules, (power, water) = town.rules, town.economy.outages
    latest = rules.spawn_delay_min + _DELAYS_MAX - 1
    check_bounds(
        "the town",
        [
            ("tick", town.tick, 0, LARGEST_NUMBER),
            ("next_number", town.next_number, 0, LARGEST_NUMBER),
            ("spawn_delay_min", rules.spawn_delay_min, 0, LARGEST_NUMBER),
            ("spawn_delay_max", rules.spawn_delay_max, rules.spawn_delay_min, latest),
            ("outages of power", power, 0, LARGEST_NUMBER),
            ("outages of water", water, 0, LARGEST_NUMBER),
        ],
    )


def _check_citizen(town: Town, citizen: Citizen) -> None:
    check_bounds(
        f"the citizen on seat {citizen.seat}",
        [
            ("number", citizen.number, 0, town.next_number - 1),
            ("shift state", citizen.shift.state, min(ShiftState), max(ShiftState)),
            ("exit_reason", citizen.facts.exit_reason, NOTHING, max(ExitReason)),
            ("deferred_reason", citizen.decline.deferred_reason, NOTHING, max(ExitReason)),
            ("possessed_primitive", citizen.possessed_primitive, NOTHING, max(Primitive)),
            *(("a need", need, 0.0, 1.0) for need in citizen.needs),
        ],
    )


def _is_complete(town: Town) -> bool:
    seats, kpis = len(town.seats), town.kpis
    return (
        len(town.lifecycle.vacated) == seats
        and len(town.embedding.holders) == len(town.embedding.released) == town.config.embedding_allocator.max_slots
        and len(town.perturbations.ready_ticks) == len(town.tables.perturbations)
        and len(town.social.meal_ticks) == len(kpis.conflict_pairs) == seats * seats
        and len(kpis.well_ticks) == len(kpis.lived_ticks) == len(kpis.hungry_streaks) == seats
        and all(
            len(window.by_reason) == len(EvictionReason) and len(window.by_owner) == seats
            for window in town.social.churn
        )
    )


def _is_sound_citizen(town: Town, citizen: Citizen) -> bool:
    tables, facts = town.tables, citizen.facts
    objects, zones = len(tables.objects), len(tables.map.zones)
    return (
        _is_one_of(citizen.slot, len(town.embedding.holders))
        and _is_one_of(citizen.profile, len(tables.profiles))
        and _is_one_of(citizen.home, zones)
        and _is_one_of(citizen.bed, objects)
        and _is_maybe(citizen.holding, objects)
        and _is_maybe(citizen.queued, objects)
        and _is_maybe(citizen.meal_zone, zones)
        and _is_maybe(citizen.appointment.zone, zones)
        and _is_one_of(citizen.last_primitive, len(Primitive))
        and _is_one_of(citizen.plan.option, len(Option))
        and _is_maybe(citizen.plan.goal, len(tables.map.walkable))
        and (citizen.job != NOTHING or facts.first_paid_arrival < 0)
        and all(_is_one_of(chat.other, len(town.seats)) for chat in facts.chats)
        and not (citizen.is_running and citizen.holding == NOTHING)
        and _is_known_once(town, citizen)
        and _is_in_its_places(town, citizen)
        and _are_sound_ties(town, citizen)
    )


def _is_known_once(town: Town, citizen: Citizen) -> bool:
    """Whether nobody else has the citizen's number, and its slot is given to it."""
    namesakes = sum(other.number == citizen.number for other in town.living())
    return namesakes == 1 and town.embedding.holders[citizen.slot] == citizen.number


def _is_in_its_places(town: Town, citizen: Citizen) -> bool:
    """Whether a citizen holds what it says, or stands in the line it says, and in no other."""
    lines = [index for index, state in enumerate(town.objects) for entry in state.queue if entry.seat == citizen.seat]
    held = [index for index, state in enumerate(town.objects) if state.holder == citizen.seat]
    return (
        NOTHING in (citizen.holding, citizen.queued)
        and lines == ([] if citizen.queued == NOTHING else [citizen.queued])
        and held == ([] if citizen.holding == NOTHING else [citizen.holding])
    )


def _are_sound_ties(town: Town, citizen: Citizen) -> bool:
    others = [tie.other for tie in citizen.ties]
    is_known = all(other != citizen.seat and _is_taken(town, other) for other in others)
    return is_known and len(set(others)) == len(others)


def _is_sound_object(town: Town, index: int, state: ObjectState) -> bool:
    is_running = state.running != NOTHING
    if state.holder == NOBODY:
        is_held = not is_running
    else:
        holder = town.seats[state.holder] if _is_taken(town, state.holder) else None
        is_held = holder is not None and holder.holding == index and (holder.is_running or not is_running)
    return (
        is_held
        and (not is_running or state.remaining > 0)
        and _is_maybe(state.owner, len(town.seats))
        and all(_is_taken(town, entry.seat) for entry in state.queue)
    )


def _is_sound_event(town: Town, event: CityEvent) -> bool:
    return (
        _is_one_of(event.spec, len(town.tables.perturbations))
        and _is_one_of(event.kind, len(PerturbationKind))
        and _is_maybe(event.utility, len(Utility))
        and _is_maybe(event.zone, len(town.tables.map.zones))
        and all(_is_taken(town, seat) for seat in event.participants)
    )


def _are_sound_notes(town: Town) -> bool:
    """What is kept for the record is told in words."""
    return (
        all(_is_one_of(gone.reason, len(ExitReason)) for gone in town.lifecycle.departures)
        and all(_is_one_of(note.kind, len(EventKind)) for note in town.social.notes)
        and all(
            _is_one_of(note.object, len(town.objects)) and _is_one_of(note.reason, len(ConflictReason))
            for note in town.social.conflicts
        )
    )


def _is_taken(town: Town, seat: int) -> bool:
    return _is_one_of(seat, len(town.seats)) and town.seats[seat] is not None


def _is_one_of(index: int, count: int) -> bool:
    return 0 <= index < count


def _is_maybe(index: int, count: int) -> bool:
    return index == NOTHING or _is_one_of(index, count)
