//! The hooks of affordances that are data; those of modules only look on, and run outside of the core after the tick.

use crate::codes::hook;
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::meals::share_meal;
use crate::tables::affordances::AffordanceRow;

/// Runs the hooks before a start.
pub fn run_before(town: &mut Town, row: &AffordanceRow, seat: usize) {
    let attempts = row.before.iter().filter(|&&code| code < hook::FIRST_CUSTOM).count();
    town.citizen_mut(seat).tally.attempts += attempts as i64;
}

/// Runs the hooks after a success.
pub fn run_after(town: &mut Town, setup: &Setup, row: &AffordanceRow, seat: usize, object: usize) {
    for &code in row.after.iter().filter(|&&code| code < hook::FIRST_CUSTOM) {
        let citizen = town.citizen_mut(seat);
        let number = citizen.number as f64;
        match code {
            hook::FINISH_SHOWER => {
                citizen.tally.showers_taken += 1;
                town.record(EventKind::ShowerComplete, &[number, object as f64]);
            }
            hook::FINISH_EAT => {
                citizen.tally.meals_consumed += 1;
                share_meal(town, setup, seat, object);
            }
            hook::FINISH_COOK => citizen.tally.meals_cooked += 1,
            hook::FINISH_SLEEP => {
                citizen.tally.sleep_sessions += 1;
                town.record(EventKind::SleepComplete, &[number, object as f64]);
            }
            _ => citizen.tally.attempts += 1,
        }
    }
}

/// Runs the hooks of a failure.
pub fn run_fail(town: &mut Town, row: &AffordanceRow, seat: usize, object: usize) {
    if town.has_power() && town.has_water() {
        return;
    }
    for _ in row.fail.iter().filter(|&&code| code == hook::NO_POWER) {
        let number = town.citizen(seat).number;
        town.record(EventKind::ShowerPowerOutage, &[number as f64, object as f64]);
    }
}
