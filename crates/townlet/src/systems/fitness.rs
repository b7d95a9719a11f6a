//! The agent fitness index: how well a citizen has done over the last day; for people to look at.

use kernel::numerics::{clamp, fmin};

use crate::codes::NEEDS;
use crate::state::citizen::{BUCKETS, Citizen};
use crate::state::town::Town;

const FULL_RETURN: f64 = 5.0;
const MANY_VIOLATIONS: f64 = 5.0;

/// AFI over the last ten tenths of a day, the open one among them.
#[must_use]
pub fn agent_fitness_index(citizen: &Citizen) -> f64 {
    let fitness = &citizen.fitness;
    let (mut returns, mut deficits) = (0.0, 0.0);
    for place in 0..BUCKETS {
        returns += fitness.returns[place];
        deficits += fitness.deficits[place];
    }
    let ticks: i64 = fitness.ticks.iter().sum();
    let violations: i64 = fitness.violations.iter().sum();
    let mean_deficit = if ticks != 0 { deficits / ticks as f64 } else { 0.0 };
    0.4 * clamp(returns / FULL_RETURN, -1.0, 1.0) + 0.3 * (1.0 - mean_deficit) + 0.2 * citizen.shift.attendance_ratio()
        - 0.1 * fmin(violations as f64 / MANY_VIOLATIONS, 1.0)
}

/// Counts a tick.
pub fn note_fitness(citizen: &mut Citizen, reward: f64) {
    let fitness = &mut citizen.fitness;
    let mut deficit = 0.0;
    for need in citizen.needs {
        deficit += 1.0 - need;
    }
    fitness.returns[BUCKETS - 1] += reward;
    fitness.deficits[BUCKETS - 1] += deficit / NEEDS as f64;
    fitness.ticks[BUCKETS - 1] += 1;
}

/// Whether a tenth of a day ends with this tick.
#[must_use]
pub fn closes_bucket(town: &Town) -> bool {
    let length = (town.ticks_per_day / BUCKETS as i64).max(1);
    (town.tick + 1) % length == 0
}

/// Opens the next tenth of a day when one has ended; the very end of stage 5.
pub fn turn_fitness(town: &mut Town) {
    if !closes_bucket(town) {
        return;
    }
    for citizen in town.citizens_mut() {
        let fitness = &mut citizen.fitness;
        turn(&mut fitness.returns);
        turn(&mut fitness.deficits);
        turn(&mut fitness.ticks);
        turn(&mut fitness.violations);
    }
}

fn turn<T: Copy + Default>(buckets: &mut [T; BUCKETS]) {
    buckets.copy_within(1.., 0);
    buckets[BUCKETS - 1] = T::default();
}
