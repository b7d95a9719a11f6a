//! Shifts: where an employed citizen stands with its work, tick by tick, and what that pays or costs.

use kernel::numerics::fmax;

use crate::codes::{MAX_SEATS, NOTHING, relation_event, shift_state};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::{BUCKETS, Citizen};
use crate::state::employment::{NOT_ARRIVED, Shift};
use crate::state::town::Town;
use crate::systems::presence::zone_of;
use crate::systems::ties::apply_event;
use crate::tables::rows::JobRow;

/// Days for which an absence counts.
pub const ABSENCE_DAYS: i64 = 7;

/// Advances the shift of every employed citizen by one tick.
pub fn work_shifts(town: &mut Town, setup: &Setup) {
    for seat in town.in_turn() {
        let job = town.citizen(seat).job;
        if job != NOTHING {
            work(town, setup, seat, &setup.tables.jobs[job as usize]);
        }
    }
}

/// Coins a job pays per tick.
#[must_use]
pub fn wage_of(setup: &Setup, job: &JobRow) -> f64 {
    if job.wage_rate == 0.0 { setup.config.economy.wage_income } else { job.wage_rate }
}

/// Closes a shift: its attendance becomes a sample.
pub fn finalize_shift(town: &mut Town, setup: &Setup, seat: usize) {
    let citizen = town.citizen_mut(seat);
    let job = &setup.tables.jobs[citizen.job as usize];
    let shift = &mut citizen.shift;
    shift.is_finalized = true;
    let attendance = shift.on_time_ticks as f64 / (job.end - job.start) as f64;
    shift.attendance.push(attendance);
    let surplus = shift.attendance.len().saturating_sub(setup.config.employment.attendance_window as usize);
    shift.attendance.drain(..surplus);
    let (number, paid) = (citizen.number, shift.paid_this_shift);
    town.kpis.shifts += 1;
    town.record(EventKind::ShiftCompleted, &[number as f64, job.index as f64, attendance, paid]);
}

/// Drops absences that are seven days old.
pub fn forget_old_absences(shift: &mut Shift, tick: i64, ticks_per_day: i64) {
    let span = ABSENCE_DAYS * ticks_per_day;
    shift.absences.retain(|absence| tick - absence < span);
}

fn work(town: &mut Town, setup: &Setup, seat: usize, job: &JobRow) {
    let (tod, tick) = (town.tod(), town.tick);
    let citizen = town.citizen_mut(seat);
    citizen.shift.is_on_shift = false;
    if citizen.shift.is_excused {
        return;
    }
    if tod >= job.end {
        if !citizen.shift.is_finalized {
            finalize_shift(town, setup, seat);
        }
        town.citizen_mut(seat).shift.state = shift_state::POST_SHIFT;
        return;
    }
    if tod < job.start - setup.config.behavior.job_arrival_buffer {
        citizen.shift.state = shift_state::PRE_SHIFT;
        return;
    }
    let is_present = zone_of(town, setup, seat) == job.zone;
    let shift = &mut town.citizen_mut(seat).shift;
    if is_present && shift.state != shift_state::ABSENT {
        if shift.arrival_tod == NOT_ARRIVED {
            shift.arrival_tod = tod;
        }
        shift.last_present_tick = tick;
    }
    if tod < job.start {
        shift.state = shift_state::AWAIT_START;
        return;
    }
    judge(town, setup, seat, job, is_present);
    settle(town, setup, seat, job, is_present);
}

/// Finds the state during a shift: table 12.3 of the specification, row by row.
fn judge(town: &mut Town, setup: &Setup, seat: usize, job: &JobRow, is_present: bool) {
    let (rule, tod, tick) = (&setup.config.employment, town.tod(), town.tick);
    let citizen = town.citizen_mut(seat);
    let shift = &mut citizen.shift;
    if shift.state == shift_state::ABSENT {
        return;
    }
    let is_in_time = shift.arrival_tod <= job.start + rule.grace_ticks;
    let arrived_state = if is_in_time { shift_state::ON_TIME } else { shift_state::LATE };
    if is_present {
        shift.state = arrived_state;
    } else if shift.arrival_tod == NOT_ARRIVED {
        shift.state = if tod <= job.start + rule.grace_ticks {
            shift_state::AWAIT_START
        } else if tod - job.start <= rule.absent_cutoff {
            shift_state::LATE
        } else {
            shift_state::ABSENT
        };
    } else if tick - shift.last_present_tick <= rule.absence_slack {
        shift.state = arrived_state;
    } else {
        shift.state = shift_state::ABSENT;
        let number = citizen.number;
        town.record(EventKind::ShiftDepartedEarly, &[number as f64, job.index as f64]);
    }
}

/// Pays, withholds and charges.
fn settle(town: &mut Town, setup: &Setup, seat: usize, job: &JobRow, is_present: bool) {
    let (rule, tod) = (&setup.config.employment, town.tod());
    let wage = wage_of(setup, job);
    let citizen = town.citizen_mut(seat);
    let state = citizen.shift.state;
    if is_present && (state == shift_state::ON_TIME || state == shift_state::LATE) {
        pay(citizen, wage);
    } else if tod > job.start + rule.grace_ticks {
        citizen.tally.wages_withheld += wage;
        citizen.facts.is_withheld = true;
    }
    if state == shift_state::LATE {
        if !citizen.shift.late_charged {
            charge_lateness(town, setup, seat, job);
        }
        if !is_present {
            let citizen = town.citizen_mut(seat);
            citizen.shift.late_ticks += 1;
            citizen.wallet = fmax(citizen.wallet - rule.late_tick_penalty, 0.0);
        }
    } else if state == shift_state::ABSENT && !citizen.shift.absence_charged {
        charge_absence(town, setup, seat, job);
    }
}

fn pay(citizen: &mut Citizen, wage: f64) {
    let shift = &mut citizen.shift;
    shift.is_on_shift = true;
    if shift.paid_this_shift == 0.0 && shift.present_ticks == 0 {
        citizen.facts.first_paid_arrival = shift.arrival_tod;
    }
    shift.present_ticks += 1;
    if shift.state == shift_state::ON_TIME {
        shift.on_time_ticks += 1;
    }
    citizen.wallet += wage;
    citizen.tally.wages_earned += wage;
    shift.paid_this_shift += wage;
    shift.wages_today += wage;
    citizen.facts.is_paid = true;
}

fn charge_lateness(town: &mut Town, setup: &Setup, seat: usize, job: &JobRow) {
    let late_by = town.tod() - job.start;
    let citizen = town.citizen_mut(seat);
    citizen.shift.late_charged = true;
    citizen.wallet = fmax(citizen.wallet - job.lateness_penalty, 0.0);
    citizen.tally.lateness_counter += 1;
    citizen.fitness.violations[BUCKETS - 1] += 1;
    let number = citizen.number as f64;
    town.kpis.late += 1;
    town.record(EventKind::JobLate, &[number, job.index as f64, late_by as f64, job.start as f64]);
    involve_coworkers(town, setup, seat, relation_event::EMPLOYMENT_HELP, EventKind::EmploymentHelpedWhenLate);
}

fn charge_absence(town: &mut Town, setup: &Setup, seat: usize, job: &JobRow) {
    let (rule, tick, ticks_per_day) = (&setup.config.employment, town.tick, town.ticks_per_day);
    let citizen = town.citizen_mut(seat);
    let shift = &mut citizen.shift;
    shift.absence_charged = true;
    citizen.wallet = fmax(citizen.wallet - rule.absence_penalty, 0.0);
    citizen.fitness.violations[BUCKETS - 1] += 1;
    shift.absences.push(tick);
    forget_old_absences(shift, tick, ticks_per_day);
    let absences = shift.absent_shifts_7d();
    let is_last_warning = absences == rule.max_absent_shifts - 1;
    shift.warned |= is_last_warning;
    let values = [citizen.number as f64, job.index as f64, absences as f64];
    town.record(EventKind::ShiftAbsent, &values);
    if is_last_warning {
        town.record(EventKind::EmploymentWarning, &values);
    }
    involve_coworkers(town, setup, seat, relation_event::EMPLOYMENT_SHIFT_TAKEN, EventKind::EmploymentTookMyShift);
}

fn involve_coworkers(town: &mut Town, setup: &Setup, seat: usize, relation: usize, kind: EventKind) {
    let job = town.citizen(seat).job;
    let mut values = [0.0; MAX_SEATS + 1];
    values[0] = town.citizen(seat).number as f64;
    let mut count = 1;
    for other in town.living() {
        let coworker = town.citizen(other);
        if other != seat && coworker.job == job && coworker.shift.is_on_shift {
            values[count] = coworker.number as f64;
            count += 1;
            apply_event(town, setup, seat, other, relation);
        }
    }
    if count > 1 {
        town.record(kind, &values[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::work_shifts;
    use crate::codes::shift_state;
    use crate::setup::Setup;
    use crate::systems::small_town::{small_setup, town_with};
    use crate::tables::rows::JobRow;

    const WAGE: f64 = 0.5;

    fn setup_with_job() -> Setup {
        let mut setup = small_setup();
        setup.tables.map.zone_of[9] = 1; // the rest of the street belongs to zone 0
        let (start, end) = (100, 200);
        setup.tables.jobs.push(JobRow {
            index: 0,
            start,
            end,
            wage_rate: WAGE,
            lateness_penalty: 0.1,
            tile: 9,
            zone: 1,
        });
        setup.config.employment.grace_ticks = 5;
        setup.config.employment.absent_cutoff = 30;
        setup.config.employment.absence_slack = 20;
        setup
    }

    #[test]
    fn who_does_not_come_is_late_and_then_absent() {
        let setup = setup_with_job();
        let mut town = town_with(&setup, &[10]);
        town.citizen_mut(0).job = 0;
        let mut states = Vec::new();
        for tick in [70, 80, 105, 106, 130, 131, 200] {
            town.tick = tick;
            work_shifts(&mut town, &setup);
            states.push(town.citizen(0).shift.state);
        }
        use shift_state::{ABSENT, AWAIT_START, LATE, POST_SHIFT, PRE_SHIFT};
        assert_eq!(states, [PRE_SHIFT, AWAIT_START, AWAIT_START, LATE, LATE, ABSENT, POST_SHIFT]);
        assert_eq!(town.citizen(0).shift.absences, [131]);
        assert_eq!(town.citizen(0).tally.lateness_counter, 1);
        assert_eq!(town.citizen(0).tally.wages_withheld, 3.0 * WAGE);
    }

    #[test]
    fn who_comes_in_time_is_paid_until_it_has_been_away_for_too_long() {
        let setup = setup_with_job();
        let mut town = town_with(&setup, &[9]);
        town.citizen_mut(0).job = 0;
        town.tick = 100;
        work_shifts(&mut town, &setup);
        assert!(town.citizen(0).facts.is_paid);
        assert_eq!(town.citizen(0).facts.first_paid_arrival, 100);

        town.citizen_mut(0).tile = 10;
        town.tick = 120;
        work_shifts(&mut town, &setup);
        assert_eq!(town.citizen(0).shift.state, shift_state::ON_TIME);
        town.tick = 121;
        work_shifts(&mut town, &setup);
        assert_eq!(town.citizen(0).shift.state, shift_state::ABSENT);
        assert_eq!(town.citizen(0).wallet, 100.0 + WAGE - setup.config.employment.absence_penalty);
    }
}
