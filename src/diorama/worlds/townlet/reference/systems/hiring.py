"""Jobs change hands: applications, and what a new day resets."""

from diorama.worlds.townlet.codes import NOTHING, ShiftState
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import Shift
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.shifts import finalize_shift, forget_old_absences


def reset_shifts(town: Town) -> None:
    """Begin a new working day; a shift that ended with the day is closed first."""
    for citizen in town.living():
        shift = citizen.shift
        if citizen.job != NOTHING and not shift.is_finalized and not shift.is_excused:
            finalize_shift(town, citizen)
        forget_old_absences(town, shift)
        _count_wageless_day(town, citizen)
        citizen.shift = Shift(
            state=ShiftState.NONE if citizen.job == NOTHING else ShiftState.PRE_SHIFT,
            attendance=shift.attendance,
            absences=shift.absences,
            wageless_days=shift.wageless_days,
        )
    town.employment.exits_today = 0
    town.employment.overflow_told = False


def take_applications(town: Town) -> None:
    """Give every jobless citizen, by seat, the job with the fewest workers."""
    for citizen in town.living():
        if citizen.job == NOTHING and town.tables.jobs:
            citizen.job = scarcest_job(town)
            citizen.shift.state = ShiftState.PRE_SHIFT
            town.record(EventKind.JOB_ASSIGNED, citizen.number, citizen.job)


def scarcest_job(town: Town) -> int:
    """The job with the fewest workers, the first of them; -1 in a town without jobs."""
    workers = [0] * len(town.tables.jobs)
    for citizen in town.living():
        if citizen.job != NOTHING:
            workers[citizen.job] += 1
    return min(range(len(workers)), key=workers.__getitem__, default=NOTHING)


def begin_employment(town: Town, citizen: Citizen) -> None:
    """Set a newcomer's shift; one that has already begun does not count against it."""
    if citizen.job == NOTHING:
        return
    citizen.shift.state = ShiftState.PRE_SHIFT
    if town.tod >= town.tables.jobs[citizen.job].start:
        citizen.shift.state = ShiftState.POST_SHIFT
        citizen.shift.is_excused = True


def _count_wageless_day(town: Town, citizen: Citizen) -> None:
    if citizen.spawn_tick > town.tick - town.ticks_per_day:
        return  # it has not lived the whole day
    shift = citizen.shift
    shift.wageless_days = 0 if shift.wages_today > 0.0 else shift.wageless_days + 1
