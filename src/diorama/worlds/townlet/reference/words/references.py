"""What words must hold so that a town can go on from them: every reference leads somewhere."""

from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.snapshots import LARGEST_NUMBER, check_bounds
from diorama.worlds.townlet.codes import (
    NOBODY,
    NOTHING,
    ConflictReason,
    ExitReason,
    Option,
    PerturbationKind,
    Primitive,
    ShiftState,
    Utility,
)
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town

_DELAYS_MAX: Final = 1 << 32  # widest range that one draw covers


def check_references(town: Town) -> None:
    """Refuse a town in which something refers to what is not there.

    What somebody is doing may be missing from the tables, because a reload can take it away: a live town's save tells
    it besides. Whoever has the words alone asks `check_doings`, too.

    Raises:
        SnapshotError: With the first reference that leads nowhere, where it stands and what it may be.
    """
    _check_ledgers(town)
    for citizen in town.living():
        _check_citizen(town, citizen)
        _check_number(town, citizen)
        _check_places(town, citizen)
        _check_ties(town, citizen)
    for index, state in enumerate(town.objects):
        _check_object(town, index, state)
    for entry in town.employment.queue:
        _check_taken(town, "the exit queue", "a seat", entry.seat)
    for seat in town.employment.approvals:
        _check_taken(town, "the approved exits", "a seat", seat)
    for event in town.perturbations.active + town.perturbations.pending:
        _check_event(town, event)
    _check_notes(town)


def check_doings(town: Town) -> None:
    """Refuse a town in which somebody is doing what the tables do not have.

    Raises:
        SnapshotError: With the first who is.
    """
    for citizen in town.living():
        if citizen.is_running and town.objects[citizen.holding].running == NOTHING:
            raise SnapshotError(
                f"the citizen on seat {citizen.seat} is using object {citizen.holding}, whose running is {NOTHING};"
                " it must be an affordance"
            )


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
    tables, facts = town.tables, citizen.facts
    last_object, last_zone = len(tables.objects) - 1, len(tables.map.zones) - 1
    arrival_max = NOTHING if citizen.job == NOTHING else LARGEST_NUMBER  # who has no job came to none
    check_bounds(
        f"the citizen on seat {citizen.seat}",
        [
            ("number", citizen.number, 0, town.next_number - 1),
            ("shift state", citizen.shift.state, min(ShiftState), max(ShiftState)),
            ("exit_reason", facts.exit_reason, NOTHING, max(ExitReason)),
            ("deferred_reason", citizen.decline.deferred_reason, NOTHING, max(ExitReason)),
            ("possessed_primitive", citizen.possessed_primitive, NOTHING, max(Primitive)),
            ("slot", citizen.slot, 0, len(town.embedding.holders) - 1),
            ("profile", citizen.profile, 0, len(tables.profiles) - 1),
            ("home", citizen.home, 0, last_zone),
            ("bed", citizen.bed, 0, last_object),
            ("holding", citizen.holding, 0 if citizen.is_running else NOTHING, last_object),
            ("queued", citizen.queued, NOTHING, last_object if citizen.holding == NOTHING else NOTHING),
            ("meal_zone", citizen.meal_zone, NOTHING, last_zone),
            ("zone of the appointment", citizen.appointment.zone, NOTHING, last_zone),
            ("last_primitive", citizen.last_primitive, 0, max(Primitive)),
            ("option", citizen.plan.option, 0, max(Option)),
            ("goal", citizen.plan.goal, NOTHING, len(tables.map.walkable) - 1),
            ("first_paid_arrival", facts.first_paid_arrival, -LARGEST_NUMBER, arrival_max),
            *(("other of a chat", chat.other, 0, len(town.seats) - 1) for chat in facts.chats),
            *(("a need", need, 0.0, 1.0) for need in citizen.needs),
        ],
    )


def _check_number(town: Town, citizen: Citizen) -> None:
    """Nobody else has the citizen's number, and its slot is given to it."""
    number, holder = citizen.number, town.embedding.holders[citizen.slot]
    if sum(other.number == number for other in town.living()) > 1:
        raise SnapshotError(f"two citizens have the number {number}; each must have its own")
    if holder != number:
        raise SnapshotError(
            f"the citizen on seat {citizen.seat}: slot {citizen.slot} is held by number {holder}; it must be {number}"
        )


def _check_places(town: Town, citizen: Citizen) -> None:
    """A citizen holds what it says, or stands in the line it says, and in no other."""
    seat = citizen.seat
    for index, state in enumerate(town.objects):
        found, right = sum(entry.seat == seat for entry in state.queue), int(citizen.queued == index)
        if found != right:
            raise SnapshotError(
                f"object {index}: seat {seat} stands in the queue {found} times; it must be {right},"
                f" since queued of that citizen is {citizen.queued}"
            )
        if (state.holder == seat) != (citizen.holding == index):
            raise SnapshotError(
                f"object {index}: holder is {state.holder} and holding of the citizen on seat {seat} is"
                f" {citizen.holding}; each must name the other"
            )


def _check_ties(town: Town, citizen: Citizen) -> None:
    owner, known = f"the citizen on seat {citizen.seat}", {citizen.seat}
    for tie in citizen.ties:
        _check_taken(town, owner, "other of a tie", tie.other)
        if tie.other in known:
            raise SnapshotError(f"{owner}: other of a tie is {tie.other}; it must be somebody else in every tie")
        known.add(tie.other)


def _check_object(town: Town, index: int, state: ObjectState) -> None:
    owner = f"object {index}"
    if state.holder == NOBODY or not _check_taken(town, owner, "holder", state.holder).is_running:
        check_bounds(f"{owner}, which nobody is using", [("running", state.running, NOTHING, NOTHING)])
    remaining_min = -LARGEST_NUMBER if state.running == NOTHING else 1
    check_bounds(
        owner,
        [
            ("remaining", state.remaining, remaining_min, LARGEST_NUMBER),
            ("owner", state.owner, NOBODY, len(town.seats) - 1),
        ],
    )
    for entry in state.queue:
        _check_taken(town, owner, "a seat in the queue", entry.seat)


def _check_event(town: Town, event: CityEvent) -> None:
    owner = f"city event {event.number}"
    if not town.tables.perturbations:
        raise SnapshotError(f"{owner}: this town has no perturbations; there must be no city events")
    check_bounds(
        owner,
        [
            ("spec", event.spec, 0, len(town.tables.perturbations) - 1),
            ("kind", event.kind, 0, max(PerturbationKind)),
            ("utility", event.utility, NOTHING, max(Utility)),
            ("zone", event.zone, NOTHING, len(town.tables.map.zones) - 1),
        ],
    )
    for seat in event.participants:
        _check_taken(town, owner, "a participant", seat)


def _check_notes(town: Town) -> None:
    """What is kept for the record is told in words."""
    for gone in town.lifecycle.departures:
        check_bounds("a departure", [("reason", gone.reason, 0, max(ExitReason))])
    for note in town.social.notes:
        check_bounds("a social note", [("kind", note.kind, 0, max(EventKind))])
    for conflict in town.social.conflicts:
        check_bounds(
            "a conflict",
            [
                ("object", conflict.object, 0, len(town.objects) - 1),
                ("reason", conflict.reason, 0, max(ConflictReason)),
            ],
        )


def _check_taken(town: Town, owner: str, name: str, seat: int) -> Citizen:
    citizen = town.seats[seat] if 0 <= seat < len(town.seats) else None
    if citizen is None:
        raise SnapshotError(f"{owner}: {name} is {seat}; it must be a seat where somebody is")
    return citizen
