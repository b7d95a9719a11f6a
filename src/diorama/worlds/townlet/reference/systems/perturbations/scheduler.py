"""The scheduler's tick: end what is over, start what was planned, and draw what else happens."""

from diorama.worlds.townlet.codes import PerturbationKind
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.perturbations.effects import activate, end_event
from diorama.worlds.townlet.reference.systems.perturbations.participants import pick_participants
from diorama.worlds.townlet.tables.perturbations import PerturbationRow


class PerturbationScheduler:
    """Brings events about; keeps nothing of its own."""

    def tick(self, town: Town, tick: int) -> None:
        """Do the scheduler's part of stage 2."""
        run_scheduler(town)


def run_scheduler(town: Town) -> None:
    """Do the scheduler's part of stage 2; draws from `events`, and not at all while perturbations are off."""
    state, rule = town.perturbations, town.config.perturbations
    for event in [event for event in state.active if event.ends_at <= town.tick]:
        end_event(town, event)
    state.starts = [start for start in state.starts if town.tick - start.tick < rule.window_ticks]
    for event in [event for event in state.pending if event.started_at <= town.tick]:
        state.pending.remove(event)
        activate(town, event)
    if rule.enabled:
        for row in town.tables.perturbations:
            if _may_start(town, row):
                _draw(town, row)


def new_event(town: Town, row: PerturbationRow, *, started_at: int, duration: int) -> CityEvent:
    """A new event of a kind, with the next number, as yet without effect."""
    event = CityEvent(
        number=town.perturbations.next_event,
        spec=row.index,
        kind=row.kind,
        started_at=started_at,
        ends_at=started_at + duration,
        prices=sum(1 << price for price in row.prices),
        utility=row.utility,
        zone=row.zone,
    )
    town.perturbations.next_event += 1
    return event


def _may_start(town: Town, row: PerturbationRow) -> bool:
    state, rule = town.perturbations, town.config.perturbations
    if len(state.active) >= rule.max_concurrent_events or town.tick < state.ready_ticks[row.index]:
        return False
    if town.tick - state.last_start < rule.global_cooldown_ticks or row.prob_per_day == 0.0:
        return False
    starts = sum(start.bucket == row.bucket for start in state.starts)
    return rule.max_events_per_window == 0 or starts < rule.max_events_per_window


def _draw(town: Town, row: PerturbationRow) -> None:
    stream = town.streams.events
    if not stream.f64() < row.prob_per_day / town.ticks_per_day:
        return
    shortest, longest = row.duration
    duration = stream.randint_inclusive(shortest, longest) if shortest < longest else shortest
    least, most = row.magnitude
    magnitude = stream.uniform(least, most) if least < most else least
    participants = pick_participants(town, row) if row.kind is PerturbationKind.ARRANGED_MEET else []
    if row.kind is PerturbationKind.ARRANGED_MEET and len(participants) < 2:
        return
    event = new_event(town, row, started_at=town.tick, duration=duration)
    event.magnitude, event.participants = magnitude, participants
    activate(town, event)
