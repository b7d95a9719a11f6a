//! The exit queue: who has been absent too often loses their place in town, slowly and under review.

use crate::codes::exit_path;
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::employment::ExitEntry;
use crate::state::town::{SeatList, Town};

/// Lets the citizen on a seat leave for unemployment unless the lifecycle holds it back.
///
/// It is told whether an operator has approved the exit, which nothing holds back.
pub type TryExit<'a> = &'a mut dyn FnMut(&mut Town, usize, bool) -> bool;

/// Lets the queue take in and let go.
pub fn work_exit_queue(town: &mut Town, setup: &Setup, try_exit: TryExit<'_>) {
    for place in 0..town.employment.approvals.len() {
        let seat = town.employment.approvals[place] as usize;
        execute(town, seat, exit_path::MANUAL_APPROVE, try_exit);
    }
    town.employment.approvals.clear();
    take_in(town, setup);
    for seat in overdue(town, setup) {
        execute(town, seat, exit_path::AUTO_REVIEW, try_exit);
    }
    while let Some(entry) = town.employment.queue.first() {
        let seat = entry.seat as usize;
        let is_full = town.employment.exits_today >= town.rules.daily_exit_cap;
        if is_full || !execute(town, seat, exit_path::DAILY_CAP, try_exit) {
            break;
        }
    }
}

/// Takes a citizen out of the queue.
pub fn leave_exit_queue(town: &mut Town, seat: usize) {
    town.citizen_mut(seat).decline.is_exit_pending = false;
    town.employment.queue.retain(|entry| entry.seat != seat as i64);
}

fn take_in(town: &mut Town, setup: &Setup) {
    let rule = &setup.config.employment;
    for seat in town.in_turn() {
        let citizen = town.citizen(seat);
        let is_due = citizen.shift.absent_shifts_7d() >= rule.max_absent_shifts;
        if !is_due || citizen.decline.is_exit_pending || citizen.facts.exit_reason >= 0 {
            continue;
        }
        let waiting = town.employment.queue.len() as i64;
        if waiting >= rule.exit_queue_limit {
            if !town.employment.overflow_told {
                town.employment.overflow_told = true;
                let values = [waiting as f64, rule.exit_queue_limit as f64];
                town.record(EventKind::EmploymentExitQueueOverflow, &values);
            }
            continue;
        }
        town.employment.queue.push(ExitEntry { seat: seat as i64, since_tick: town.tick });
        let citizen = town.citizen_mut(seat);
        citizen.decline.is_exit_pending = true;
        let number = citizen.number as f64;
        town.record(EventKind::EmploymentExitPending, &[number, (waiting + 1) as f64]);
    }
}

/// Who has waited for longer than the review takes.
fn overdue(town: &Town, setup: &Setup) -> SeatList {
    let oldest = town.tick - setup.config.employment.exit_review_window;
    let mut seats = SeatList::default();
    for entry in town.employment.queue.iter().filter(|entry| entry.since_tick < oldest) {
        seats.push(entry.seat as usize);
    }
    seats
}

fn execute(town: &mut Town, seat: usize, path: i64, try_exit: TryExit<'_>) -> bool {
    let job = town.citizen(seat).job;
    if !try_exit(town, seat, path == exit_path::MANUAL_APPROVE) {
        return false;
    }
    leave_exit_queue(town, seat);
    town.employment.exits_today += 1;
    let number = town.citizen(seat).number as f64;
    town.record(EventKind::EmploymentExitProcessed, &[number, job as f64, path as f64]);
    true
}
