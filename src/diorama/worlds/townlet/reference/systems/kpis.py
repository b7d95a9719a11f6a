"""KPIs: how the town does over a day, counted tick by tick."""

from typing import Final

from diorama.worlds.townlet.codes import Need
from diorama.worlds.townlet.reference.state.kpis import KpiRow, KpiWindow
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import rivalry_now

WELL_NEED: Final = 0.3
WELL_SHARE: Final = 0.9
MEANINGFUL_TIE: Final = 0.3
ROWS_KEPT: Final = 50


def count_tick(town: Town) -> None:
    """Count this tick: the end of stage 5, when those who left are gone."""
    window, rule = town.kpis, town.config.stability.starvation
    for citizen in town.living():
        seat = citizen.seat
        window.lived_ticks[seat] += 1
        if all(need > WELL_NEED for need in citizen.needs):
            window.well_ticks[seat] += 1
        if citizen.needs[Need.HUNGER] <= rule.hunger_threshold:
            window.hungry_streaks[seat] += 1
            if window.hungry_streaks[seat] == rule.min_duration_ticks:
                window.incidents += 1
        else:
            window.hungry_streaks[seat] = 0
        window.option_starts += citizen.facts.option_starts
        window.premature_switches += citizen.facts.premature_switches


def kpi_row(town: Town, counts: KpiWindow | None = None) -> KpiRow:
    """The numbers of the open window so far, or of other counts."""
    window = town.kpis if counts is None else counts
    citizens = town.living()
    population = len(citizens)
    well = sum(window.well_ticks[citizen.seat] >= WELL_SHARE * window.lived_ticks[citizen.seat] for citizen in citizens)
    attendance = 0.0
    employed = [citizen for citizen in citizens if citizen.shift.attendance]
    for citizen in employed:
        attendance += citizen.shift.attendance_ratio
    bound = sum(
        any(max(abs(tie.trust), abs(tie.familiarity), rivalry_now(town, tie)) > MEANINGFUL_TIE for tie in citizen.ties)
        for citizen in citizens
    )
    quarrels = sum(level > 0 for level in window.conflict_pairs)
    feuds = sum(level > 1 for level in window.conflict_pairs)
    return KpiRow(
        start_tick=window.start_tick,
        self_sufficiency=_share(well, population),
        starvation_incidents=float(window.incidents),
        attendance=attendance / len(employed) if employed else 0.0,
        lateness=_share(window.late, window.shifts),
        relationship_coverage=_share(bound, population),
        conflict_escalation=_share(feuds, quarrels),
        option_thrash=_share(window.premature_switches, window.option_starts),
        exits_per_day=float(window.exits),
    )


def latest_row(town: Town) -> KpiRow:
    """The numbers of the open window; those of the last day at midnight, when nothing has been counted yet."""
    window = town.kpis
    return window.rows[-1] if window.rows and window.start_tick == town.tick else kpi_row(town)


def close_window(town: Town) -> None:
    """Keep the row of the day that has ended and begin the next."""
    rows = [*town.kpis.rows, kpi_row(town)][-ROWS_KEPT:]
    town.kpis = open_window(len(town.seats), town.tick, town.kpis.hungry_streaks)
    town.kpis.rows = rows


def open_window(seats: int, tick: int, hungry_streaks: list[int] | None = None) -> KpiWindow:
    """A window without any counts; hunger that has begun goes on."""
    return KpiWindow(
        start_tick=tick,
        well_ticks=[0] * seats,
        lived_ticks=[0] * seats,
        hungry_streaks=[0] * seats if hungry_streaks is None else hungry_streaks,
        conflict_pairs=[0] * (seats * seats),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
