"""KPI values: of the day that runs, and of promotion windows, which may begin and end at any tick."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.townlet.codes import NOBODY
from diorama.worlds.townlet.contract import TOWN_METRICS
from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.live.recording import TickNotes
from diorama.worlds.townlet.reference.state.kpis import KpiRow, KpiWindow
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.departures import lived_days
from diorama.worlds.townlet.reference.systems.kpis import WELL_NEED, kpi_row, open_window

TENURE: Final = "tenure"
ATTENDANCE: Final = "attendance"
COVERAGE: Final = "relationship_coverage"
_COUNTED: Final = {EventKind.JOB_LATE: "late", EventKind.SHIFT_COMPLETED: "shifts", EventKind.AGENT_EXIT: "exits"}


def kpi_values(town: Town, row: KpiRow, left_after_days: list[float] | None = None) -> dict[str, float]:
    """The numbers of a window by name.

    Args:
        town: The town.
        row: Its numbers.
        left_after_days: How long those had lived who left in the window; of the last who left unless given.
    """
    gone = (
        [departure.lived_days for departure in town.lifecycle.departures]
        if left_after_days is None
        else left_after_days
    )
    lives = [*gone, *(lived_days(town, citizen) for citizen in town.living())]
    values: dict[str, float] = {metric.key: getattr(row, metric.key) for metric in TOWN_METRICS}
    values[TENURE] = sum(lives) / len(lives) if lives else 0.0
    return values


def shown_values(town: Town, row: KpiRow) -> dict[str, float]:
    """The numbers of a window as they are shown: without the attendance for as long as no shift has ended."""
    values = kpi_values(town, row)
    if not any(citizen.shift.attendance for citizen in town.living()):
        del values[ATTENDANCE]
    return values


@dataclass(slots=True)
class PromotionWindow:
    """Counts since a promotion window began.

    Attributes:
        counts: Like those of a day.
        seen_incidents: Incidents of the day at the end of the last tick, to know how many a tick has added.
        seen_day: First tick of that day.
        left_after_days: Of those who left.
    """

    counts: KpiWindow
    seen_incidents: int
    seen_day: int
    left_after_days: list[float] = field(default_factory=list)

    def note(self, town: Town, notes: TickNotes) -> None:
        """Count a tick that is over."""
        counts = self.counts
        for event in town.events:
            if event.kind is EventKind.QUEUE_CONFLICT:
                self._note_conflict(town, notes, event)
            elif event.kind in _COUNTED:
                name = _COUNTED[event.kind]
                setattr(counts, name, getattr(counts, name) + 1)
        for seat, days in notes.left_after_days.items():
            self._forget(town, seat)
            self.left_after_days.append(days)
        for citizen in town.living():
            counts.lived_ticks[citizen.seat] += 1
            if min(citizen.needs) > WELL_NEED:
                counts.well_ticks[citizen.seat] += 1
        counts.option_starts += notes.option_starts
        counts.premature_switches += notes.premature_switches
        day = town.kpis
        counts.incidents += day.incidents - (self.seen_incidents if self.seen_day == day.start_tick else 0)
        self.seen_incidents, self.seen_day = day.incidents, day.start_tick

    def values(self, town: Town) -> dict[str, float]:
        """The numbers so far."""
        return kpi_values(town, kpi_row(town, self.counts), self.left_after_days)

    def close(self, town: Town) -> dict[str, float]:
        """The numbers of the window, which ends; the next one begins."""
        values = self.values(town)
        self.counts = open_window(len(town.seats), town.tick)
        self.left_after_days = []
        return values

    def _note_conflict(self, town: Town, notes: TickNotes, event: Event) -> None:
        seats = [notes.seats.get(int(number), NOBODY) for number in event.values[1:3]]
        if NOBODY not in seats:
            pair, levels = town.pair(*seats), self.counts.conflict_pairs
            levels[pair] = max(levels[pair], town.kpis.conflict_pairs[pair], 1)

    def _forget(self, town: Town, seat: int) -> None:
        self.counts.well_ticks[seat] = self.counts.lived_ticks[seat] = 0
        for other in range(len(town.seats)):
            self.counts.conflict_pairs[town.pair(seat, other)] = 0


def promotion_window(town: Town) -> PromotionWindow:
    """A window that begins now."""
    return PromotionWindow(open_window(len(town.seats), town.tick), town.kpis.incidents, town.kpis.start_tick)
