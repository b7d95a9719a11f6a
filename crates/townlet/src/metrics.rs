//! The metrics of a seat: those of the town, then those of its citizen.

use crate::codes::NEEDS;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::departures::lived_days;
use crate::systems::kpis::latest_row;

/// Metrics of the whole town.
pub const TOWN_METRICS: usize = 8;
/// Metrics of a citizen.
pub const CITIZEN_METRICS: usize = 4;
/// Metrics of a seat.
pub const METRICS: usize = TOWN_METRICS + CITIZEN_METRICS;

/// Metrics of the whole town, over the day so far; at midnight over the day that has ended.
#[must_use]
pub fn town_metrics(town: &Town, setup: &Setup) -> [f64; TOWN_METRICS] {
    let row = latest_row(town, setup);
    [
        row.self_sufficiency,
        row.starvation_incidents,
        row.attendance,
        row.lateness,
        row.relationship_coverage,
        row.conflict_escalation,
        row.option_thrash,
        row.exits_per_day,
    ]
}

/// Metrics of one citizen.
#[must_use]
pub fn citizen_metrics(town: &Town, seat: usize) -> [f64; CITIZEN_METRICS] {
    let citizen = town.citizen(seat);
    let mut total = 0.0;
    for need in citizen.needs {
        total += need;
    }
    [lived_days(town, seat), total / NEEDS as f64, citizen.wallet, citizen.tally.wages_earned]
}
