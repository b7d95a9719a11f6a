//! Jobs change hands: applications, and what a new day resets.

use std::mem::take;

use crate::codes::{NOTHING, shift_state};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::employment::Shift;
use crate::state::town::Town;
use crate::systems::shifts::{finalize_shift, forget_old_absences};

/// Begins a new working day; a shift that ended with the day is closed first.
pub fn reset_shifts(town: &mut Town, setup: &Setup) {
    let (tick, ticks_per_day) = (town.tick, town.ticks_per_day);
    for seat in town.living() {
        let citizen = town.citizen(seat);
        if citizen.job != NOTHING && !citizen.shift.is_finalized && !citizen.shift.is_excused {
            finalize_shift(town, setup, seat);
        }
        let citizen = town.citizen_mut(seat);
        forget_old_absences(&mut citizen.shift, tick, ticks_per_day);
        count_wageless_day(citizen, tick, ticks_per_day);
        citizen.shift = Shift {
            state: if citizen.job == NOTHING { shift_state::NONE } else { shift_state::PRE_SHIFT },
            attendance: take(&mut citizen.shift.attendance),
            absences: take(&mut citizen.shift.absences),
            wageless_days: citizen.shift.wageless_days,
            ..Shift::default()
        };
    }
    town.employment.exits_today = 0;
    town.employment.overflow_told = false;
}

/// Gives every jobless citizen, by seat, the job with the fewest workers.
pub fn take_applications(town: &mut Town, setup: &Setup) {
    for seat in town.living() {
        if town.citizen(seat).job != NOTHING || setup.tables.jobs.is_empty() {
            continue;
        }
        let job = scarcest_job(town, setup);
        let citizen = town.citizen_mut(seat);
        citizen.job = job;
        citizen.shift.state = shift_state::PRE_SHIFT;
        let number = citizen.number as f64;
        town.record(EventKind::JobAssigned, &[number, job as f64]);
    }
}

/// The job with the fewest workers, the first of them; -1 in a town without jobs.
#[must_use]
pub fn scarcest_job(town: &Town, setup: &Setup) -> i64 {
    let mut workers = vec![0; setup.tables.jobs.len()];
    for citizen in town.citizens() {
        if citizen.job != NOTHING {
            workers[citizen.job as usize] += 1;
        }
    }
    (0..workers.len()).min_by_key(|&job| workers[job]).map_or(NOTHING, |job| job as i64)
}

/// Sets a newcomer's shift; one that has already begun does not count against it.
pub fn begin_employment(town: &mut Town, setup: &Setup, seat: usize) {
    let tod = town.tod();
    let citizen = town.citizen_mut(seat);
    if citizen.job == NOTHING {
        return;
    }
    citizen.shift.state = shift_state::PRE_SHIFT;
    if tod >= setup.tables.jobs[citizen.job as usize].start {
        citizen.shift.state = shift_state::POST_SHIFT;
        citizen.shift.is_excused = true;
    }
}

fn count_wageless_day(citizen: &mut Citizen, tick: i64, ticks_per_day: i64) {
    if citizen.spawn_tick > tick - ticks_per_day {
        return; // it has not lived the whole day
    }
    let shift = &mut citizen.shift;
    shift.wageless_days = if shift.wages_today > 0.0 { 0 } else { shift.wageless_days + 1 };
}
