//! What is counted for a unit, in the order of the contract's metric table.

use crate::contract::N_METRICS;
use crate::reward::{cost_margin, has_won};
use crate::state::{Battle, NO_WINNER};

/// The metrics of the unit at a place as they stand; `win` stays 0 until the battle is over.
#[must_use]
pub fn unit_metrics(battle: &Battle, place: usize) -> [f64; N_METRICS] {
    let unit = &battle.units[place];
    let (tally, memory) = (&unit.tally, &unit.memory);
    [
        win(battle, unit.identity.team),
        if unit.is_effective() { 1.0 } else { 0.0 },
        cost_margin(battle, unit.identity.team),
        tally.damage_dealt,
        tally.damage_taken,
        tally.kills as f64,
        tally.shots.iter().sum::<i64>() as f64,
        tally.hits as f64,
        if battle.tick > 0 { memory.contacts_sum as f64 / battle.tick as f64 } else { 0.0 },
        memory.invalid_orders as f64,
        battle.tick as f64,
    ]
}

fn win(battle: &Battle, team: i64) -> f64 {
    if !battle.outcome.is_over() {
        return 0.0;
    }
    if battle.outcome.winner == NO_WINNER {
        return 0.5;
    }
    if has_won(battle, team) { 1.0 } else { 0.0 }
}
