"""Shifts: where an employed citizen stands with its work, tick by tick, and what that pays or costs."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING, RelationEvent, ShiftState
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.employment import NOT_ARRIVED, Shift
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.presence import zone_of
from diorama.worlds.townlet.reference.systems.ties import apply_event
from diorama.worlds.townlet.tables.town_tables import JobRow

ABSENCE_DAYS: Final = 7
_WORKING: Final = (ShiftState.ON_TIME, ShiftState.LATE)


def work_shifts(town: Town) -> None:
    """Advance the shift of every employed citizen by one tick."""
    for citizen in town.in_turn():
        if citizen.job != NOTHING:
            _work(town, citizen, town.tables.jobs[citizen.job])


def wage_of(town: Town, job: JobRow) -> float:
    """Coins a job pays per tick."""
    return job.wage_rate or town.config.economy.wage_income


def finalize_shift(town: Town, citizen: Citizen) -> None:
    """Close a shift: its attendance becomes a sample."""
    shift, job = citizen.shift, town.tables.jobs[citizen.job]
    shift.is_finalized = True
    attendance = shift.on_time_ticks / (job.end - job.start)
    shift.attendance.append(attendance)
    del shift.attendance[: -town.config.employment.attendance_window]
    town.kpis.shifts += 1
    town.record(EventKind.SHIFT_COMPLETED, citizen.number, job.index, attendance, shift.paid_this_shift)


def forget_old_absences(town: Town, shift: Shift) -> None:
    """Drop absences that are seven days old."""
    span = ABSENCE_DAYS * town.ticks_per_day
    shift.absences = [tick for tick in shift.absences if town.tick - tick < span]


def _work(town: Town, citizen: Citizen, job: JobRow) -> None:
    shift = citizen.shift
    shift.is_on_shift = False
    if shift.is_excused:
        return
    tod = town.tod
    if tod >= job.end:
        if not shift.is_finalized:
            finalize_shift(town, citizen)
        shift.state = ShiftState.POST_SHIFT
        return
    if tod < job.start - town.config.behavior.job_arrival_buffer:
        shift.state = ShiftState.PRE_SHIFT
        return
    is_present = zone_of(town, citizen) == job.zone
    if is_present and shift.state != ShiftState.ABSENT:
        if shift.arrival_tod == NOT_ARRIVED:
            shift.arrival_tod = tod
        shift.last_present_tick = town.tick
    if tod < job.start:
        shift.state = ShiftState.AWAIT_START
        return
    _judge(town, citizen, job, is_present=is_present)
    _settle(town, citizen, job, is_present=is_present)


def _judge(town: Town, citizen: Citizen, job: JobRow, *, is_present: bool) -> None:
    """Find the state during a shift: table 12.3 of the specification, row by row."""
    shift, rule, tod = citizen.shift, town.config.employment, town.tod
    if shift.state == ShiftState.ABSENT:
        return
    arrived_state = ShiftState.ON_TIME if shift.arrival_tod <= job.start + rule.grace_ticks else ShiftState.LATE
    if is_present:
        shift.state = arrived_state
    elif shift.arrival_tod == NOT_ARRIVED:
        if tod <= job.start + rule.grace_ticks:
            shift.state = ShiftState.AWAIT_START
        elif tod - job.start <= rule.absent_cutoff:
            shift.state = ShiftState.LATE
        else:
            shift.state = ShiftState.ABSENT
    elif town.tick - shift.last_present_tick <= rule.absence_slack:
        shift.state = arrived_state
    else:
        shift.state = ShiftState.ABSENT
        town.record(EventKind.SHIFT_DEPARTED_EARLY, citizen.number, job.index)


def _settle(town: Town, citizen: Citizen, job: JobRow, *, is_present: bool) -> None:
    """Pay, withhold and charge."""
    shift, rule = citizen.shift, town.config.employment
    wage = wage_of(town, job)
    if is_present and shift.state in _WORKING:
        _pay(citizen, wage)
    elif town.tod > job.start + rule.grace_ticks:
        citizen.tally.wages_withheld += wage
        citizen.facts.is_withheld = True
    if shift.state == ShiftState.LATE:
        if not shift.late_charged:
            _charge_lateness(town, citizen, job)
        if not is_present:
            shift.late_ticks += 1
            citizen.wallet = max(0.0, citizen.wallet - rule.late_tick_penalty)
    elif shift.state == ShiftState.ABSENT and not shift.absence_charged:
        _charge_absence(town, citizen, job)


def _pay(citizen: Citizen, wage: float) -> None:
    shift = citizen.shift
    shift.is_on_shift = True
    if shift.paid_this_shift == 0.0 and shift.present_ticks == 0:
        citizen.facts.first_paid_arrival = shift.arrival_tod
    shift.present_ticks += 1
    if shift.state == ShiftState.ON_TIME:
        shift.on_time_ticks += 1
    citizen.wallet += wage
    citizen.tally.wages_earned += wage
    shift.paid_this_shift += wage
    shift.wages_today += wage
    citizen.facts.is_paid = True


def _charge_lateness(town: Town, citizen: Citizen, job: JobRow) -> None:
    citizen.shift.late_charged = True
    citizen.wallet = max(0.0, citizen.wallet - job.lateness_penalty)
    citizen.tally.lateness_counter += 1
    citizen.fitness.violations[BUCKETS - 1] += 1
    town.kpis.late += 1
    town.record(EventKind.JOB_LATE, citizen.number, job.index, town.tod - job.start, job.start)
    _involve_coworkers(town, citizen, RelationEvent.EMPLOYMENT_HELP, EventKind.EMPLOYMENT_HELPED_WHEN_LATE)


def _charge_absence(town: Town, citizen: Citizen, job: JobRow) -> None:
    shift, rule = citizen.shift, town.config.employment
    shift.absence_charged = True
    citizen.wallet = max(0.0, citizen.wallet - rule.absence_penalty)
    citizen.fitness.violations[BUCKETS - 1] += 1
    shift.absences.append(town.tick)
    forget_old_absences(town, shift)
    town.record(EventKind.SHIFT_ABSENT, citizen.number, job.index, shift.absent_shifts_7d)
    if shift.absent_shifts_7d == rule.max_absent_shifts - 1:
        shift.warned = True
        town.record(EventKind.EMPLOYMENT_WARNING, citizen.number, job.index, shift.absent_shifts_7d)
    _involve_coworkers(town, citizen, RelationEvent.EMPLOYMENT_SHIFT_TAKEN, EventKind.EMPLOYMENT_TOOK_MY_SHIFT)


def _involve_coworkers(town: Town, citizen: Citizen, relation: RelationEvent, kind: EventKind) -> None:
    coworkers = [
        other
        for other in town.living()
        if other is not citizen and other.job == citizen.job and other.shift.is_on_shift
    ]
    if not coworkers:
        return
    for other in coworkers:
        apply_event(town, citizen, other, relation)
    town.record(kind, citizen.number, *(other.number for other in coworkers))
