"""What an event does when it starts, and what is undone when it ends."""

from diorama.worlds.townlet.codes import ENDLESS, NOTHING, PerturbationKind, Price
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Appointment
from diorama.worlds.townlet.reference.state.perturbations import CityEvent, WindowStart
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import fail_without_utilities
from diorama.worlds.townlet.reference.systems.prices import refresh_prices, warn_of_wages


def activate(town: Town, event: CityEvent) -> None:
    """Start an event: its effect, its cooldowns and its record."""
    state, row = town.perturbations, town.tables.perturbations[event.spec]
    event.started_at = town.tick
    state.active.append(event)
    state.last_start = town.tick
    state.ready_ticks[event.spec] = min(event.ends_at, ENDLESS) + row.cooldown_ticks
    state.starts.append(WindowStart(row.bucket, town.tick))
    _tell_start(town, event, row.bucket)
    if event.kind == PerturbationKind.PRICE_SPIKE:
        refresh_prices(town, prices_in(event))
        warn_of_wages(town)
    elif event.utility != NOTHING:
        town.economy.outages[event.utility] += 1
        fail_without_utilities(town)
    else:
        _invite(town, event)


def end_event(town: Town, event: CityEvent) -> None:
    """End a running event and undo what it did."""
    town.perturbations.active.remove(event)
    town.record(EventKind.PERTURBATION_ENDED, event.number, event.spec, event.kind)
    if event.kind == PerturbationKind.PRICE_SPIKE:
        refresh_prices(town, prices_in(event))
    elif event.utility != NOTHING:
        town.economy.outages[event.utility] -= 1
    else:
        _dismiss(town, event)


def prices_in(event: CityEvent) -> list[Price]:
    """Prices an event multiplies."""
    return [price for price in Price if event.prices >> price & 1]


def note_city_events(town: Town) -> None:
    """Remember when the town was last in trouble: exits are held back for a while after."""
    state = town.perturbations
    for event in state.active:
        if event.utility != NOTHING:
            state.utility_tick = town.tick
        elif event.kind == PerturbationKind.PRICE_SPIKE:
            state.price_tick = town.tick


def _tell_start(town: Town, event: CityEvent, bucket: int) -> None:
    targets = [town.citizen(seat).number for seat in event.participants] or [int(price) for price in prices_in(event)]
    town.record(
        EventKind.PERTURBATION_STARTED,
        event.number,
        event.spec,
        event.kind,
        bucket,
        event.magnitude,
        event.started_at,
        event.ends_at,
        event.is_manual,
        *targets,
    )


def _invite(town: Town, event: CityEvent) -> None:
    for seat in event.participants:
        citizen = town.citizen(seat)
        citizen.appointment = Appointment(event.number, event.zone, event.started_at, event.ends_at)
        citizen.meet_ready_tick = event.ends_at + town.config.perturbations.per_agent_cooldown_ticks
        citizen.tally.selections += 1


def _dismiss(town: Town, event: CityEvent) -> None:
    for citizen in town.living():
        if citizen.appointment.event == event.number:
            citizen.appointment = Appointment()
    if not event.met:
        numbers = [town.citizen(seat).number for seat in event.participants]
        town.record(EventKind.ARRANGED_MEET_MISSED, event.number, event.zone, *numbers)
