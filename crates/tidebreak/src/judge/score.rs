//! Worth of the teams: starting cost, and how much of it can still fight.

use crate::state::Battle;

/// Cost of everything a team brought.
#[must_use]
pub fn starting_cost(battle: &Battle, team: i64) -> f64 {
    let mut total = 0.0;
    for spec in &battle.spec.units {
        if spec.team == team {
            total += spec.hull.cost;
        }
    }
    total
}

/// Cost of what is still effective.
#[must_use]
pub fn remaining_cost(battle: &Battle, team: i64) -> f64 {
    let mut total = 0.0;
    for unit in &battle.units[..battle.spec.units.len()] {
        if unit.team() == team && unit.is_effective() {
            total += unit.spec.hull.cost;
        }
    }
    total
}

/// Share of its starting cost that is still effective; 1 for a team that cost nothing.
#[must_use]
pub fn remaining_share(battle: &Battle, team: i64) -> f64 {
    let start = starting_cost(battle, team);
    if start > 0.0 { remaining_cost(battle, team) / start } else { 1.0 }
}
