"""Events that operators plan and cancel."""

from collections.abc import Sequence
from dataclasses import dataclass

from diorama.contracts.live.refusals import CommandError
from diorama.worlds.townlet.codes import NOTHING, PerturbationKind
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.names import find_citizen
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.perturbations.effects import end_event
from diorama.worlds.townlet.reference.systems.perturbations.participants import pick_participants
from diorama.worlds.townlet.reference.systems.perturbations.scheduler import new_event
from diorama.worlds.townlet.tables.perturbations import PerturbationRow, prices_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What an operator wants different from the row: None means as drawn, with the middle of every range."""

    starts_in: int = 0
    duration: int | None = None
    targets: Sequence[str] | None = None
    magnitude: float | None = None
    location: str | None = None


def schedule_manual(town: Town, spec: str, wish: Wish) -> CityEvent:
    """Plan an event; it starts in stage 2 of its tick and bypasses chance, cooldowns and windows.

    Raises:
        CommandError: There is no such perturbation, its targets are wrong, or too much is going on already.
    """
    row = next((row for row in town.tables.perturbations if row.name == spec), None)
    if row is None:
        known = ", ".join(row.name for row in town.tables.perturbations)
        raise CommandError("not_found", "unknown_spec", f"there is no perturbation {spec!r}; there are: {known}")
    state = town.perturbations
    if len(state.active) + len(state.pending) >= town.config.perturbations.max_concurrent_events:
        raise CommandError(
            "conflict", "max_concurrent", f"{len(state.active) + len(state.pending)} events are running or planned"
        )
    duration = (row.duration[0] + row.duration[1]) // 2 if wish.duration is None else wish.duration
    prices = _prices(town, row, wish)
    participants = _participants(town, row, wish)
    zone = _zone(town, row, wish)
    event = new_event(town, row, started_at=town.tick + wish.starts_in, duration=duration)
    event.is_manual = True
    event.magnitude = (row.magnitude[0] + row.magnitude[1]) / 2.0 if wish.magnitude is None else wish.magnitude
    event.prices, event.participants, event.zone = prices, participants, zone
    state.pending.append(event)
    return event


def cancel_event(town: Town, event_id: str) -> CityEvent:
    """Cancel a planned or running event.

    Raises:
        CommandError: There is no such event.
    """
    state = town.perturbations
    for is_pending, events in ((True, state.pending), (False, state.active)):
        event = next((event for event in events if f"evt_{event.number}" == event_id), None)
        if event is None:
            continue
        town.record(EventKind.PERTURBATION_CANCELLED, event.number, event.spec, event.kind, is_pending)
        if is_pending:
            state.pending.remove(event)
        else:
            end_event(town, event)
            rest = town.tables.perturbations[event.spec].cooldown_ticks
            state.ready_ticks[event.spec] = min(state.ready_ticks[event.spec], town.tick + rest)
        return event
    raise CommandError("not_found", "unknown_event", f"there is no event {event_id!r}")


def _prices(town: Town, row: PerturbationRow, wish: Wish) -> int:
    prices = row.prices
    if row.kind is PerturbationKind.PRICE_SPIKE and wish.targets is not None:
        economy = town.config.economy
        for target in wish.targets:
            if not economy.keys_of(target):
                raise CommandError("invalid_args", "unknown_target", f"{target!r} is neither a price group nor a price")
        prices = prices_of(tuple(wish.targets), economy)
    return sum(1 << price for price in prices)


def _participants(town: Town, row: PerturbationRow, wish: Wish) -> list[int]:
    if row.kind is not PerturbationKind.ARRANGED_MEET:
        return []
    if wish.targets is None:
        seats = pick_participants(town, row)
        if len(seats) < 2:
            raise CommandError("conflict", "no_participants", "fewer than two citizens may be asked to meet now")
        return seats
    found = [(wanted, find_citizen(town, wanted)) for wanted in wish.targets]
    for wanted, citizen in found:
        if citizen is None:
            raise CommandError("not_found", "unknown_agent", f"there is no citizen {wanted!r}")
    seats = sorted({citizen.seat for _, citizen in found if citizen is not None})
    if len(seats) < 2:
        raise CommandError("invalid_args", "too_few_agents", "a meeting needs two different citizens")
    return seats


def _zone(town: Town, row: PerturbationRow, wish: Wish) -> int:
    if row.kind is not PerturbationKind.ARRANGED_MEET or wish.location is None:
        return row.zone
    zone = town.tables.map.zone_index(wish.location)
    if zone == NOTHING:
        raise CommandError("invalid_args", "unknown_zone", f"there is no zone {wish.location!r}")
    return zone
