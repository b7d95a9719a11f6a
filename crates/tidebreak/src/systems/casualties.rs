//! People lost to hits and to boarders.

use kernel::numerics::{floor, fmin};

use crate::state::Unit;

/// Share of the crew that a hull's worth of damage costs.
const LOSS_PER_HULL: f64 = 0.4;
const KILLED_SHARE: f64 = 0.4;
const WOUNDED_SHARE: f64 = 0.6;

/// People that a hit costs, as a real number.
#[must_use]
pub fn crew_loss(crew_start: i64, effective: f64, hp_max: f64) -> f64 {
    crew_start as f64 * LOSS_PER_HULL * effective / hp_max
}

/// Adds to the running loss, which never exceeds the crew, and counts heads anew.
pub fn lose_crew(unit: &mut Unit, loss: f64) {
    let start = unit.spec.crew.crew_start;
    let crew = &mut unit.crew;
    crew.running_loss = fmin(crew.running_loss + loss, start as f64);
    crew.alive = start - floor(crew.running_loss) as i64;
    crew.killed = floor(KILLED_SHARE * crew.running_loss) as i64;
    crew.wounded = floor(WOUNDED_SHARE * crew.running_loss) as i64;
}

/// Share of the first crew that is fit for duty.
#[must_use]
pub fn alive_share(unit: &Unit) -> f64 {
    unit.crew.alive as f64 / unit.spec.crew.crew_start as f64
}
