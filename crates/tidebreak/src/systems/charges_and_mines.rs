//! What bursts in the water: patterns of depth charges when their time is over, mines when an enemy comes near.

use kernel::numerics::{fmax, hyp};

use crate::codes::unit_kind;
use crate::components::Munition;
use crate::events::NO_EVENT;
use crate::outputs::Outputs;
use crate::state::{Battle, Unit};
use crate::systems::hits::{stamp_underwater, strike};
use crate::systems::salvos::{fall_point, is_exempt};
use crate::systems::seekers::{Prey, PreyList};
use crate::systems::spending::spend;

const CHARGE_BLAST_M: f64 = 60.0;
const MINE_BLAST_M: f64 = 80.0;
const BLAST_PER_HULL_RADIUS: f64 = 0.5;
const BLAST_LEAST_SHARE: f64 = 0.2;

/// Lets time pass; when it is over, lets every charge of the pattern burst. Says whether it ends.
pub fn burst_charge(battle: &mut Battle, place: usize, outputs: &mut Outputs) -> bool {
    let dt = battle.rules().dt_s;
    battle.munitions[place].remaining -= dt;
    if battle.munitions[place].remaining > 0.0 {
        return false;
    }
    let charge = battle.munitions[place];
    let mut hits = 0;
    for burst in 0..charge.rounds {
        let at = fall_point(battle, &charge, burst);
        hits += blast(battle, &charge, at, CHARGE_BLAST_M, outputs);
    }
    spend(battle, &charge, hits > 0, NO_EVENT);
    true
}

/// Goes off when it is armed and an enemy is near; says whether it did.
pub fn trigger_mine(battle: &mut Battle, place: usize, prey: &PreyList, outputs: &mut Outputs) -> bool {
    let mine = battle.munitions[place];
    if battle.tick < mine.armed_at || !prey.for_munition(&mine).any(|unit| triggers(battle, &mine, unit)) {
        return false;
    }
    let hits = blast(battle, &mine, (mine.x, mine.y), MINE_BLAST_M, outputs);
    spend(battle, &mine, hits > 0, NO_EVENT);
    true
}

/// Share of the damage that reaches a hull this far from a burst, inside the blast.
#[must_use]
pub fn blast_share(distance_m: f64, blast_m: f64) -> f64 {
    fmax(BLAST_LEAST_SHARE, 1.0 - distance_m / blast_m)
}

fn triggers(battle: &Battle, mine: &Munition, unit: &Prey) -> bool {
    let trigger_m = battle.spec.weapons[mine.weapon_code as usize].trigger_m;
    hyp(unit.x - mine.x, unit.y - mine.y) <= trigger_m && battle.are_enemies(mine.team, unit.team)
}

/// Damages everything near; says how many hulls felt it.
fn blast(battle: &mut Battle, munition: &Munition, at: (f64, f64), blast_m: f64, outputs: &mut Outputs) -> usize {
    stamp_underwater(munition, at.0, at.1, outputs);
    let mut hits = 0;
    for place in 0..battle.units.len() {
        let unit = &battle.units[place];
        if is_exempt(battle, munition, unit) || !is_in_the_water(munition, unit) {
            continue;
        }
        let distance = hyp(unit.transform.x - at.0, unit.transform.y - at.1);
        let reach_m = blast_m + BLAST_PER_HULL_RADIUS * unit.spec.hull.radius_m;
        if distance < reach_m {
            strike(battle, munition, place, munition.damage * blast_share(distance, reach_m), at, outputs);
            hits += 1;
        }
    }
    hits
}

fn is_in_the_water(munition: &Munition, unit: &Unit) -> bool {
    let in_layer = unit.layers_mask() & munition.target_layers != 0;
    unit.is_present() && in_layer && unit.identity.kind != unit_kind::SQUADRON
}
