//! The run of a torpedo or missile through one substep, and what it meets on the way.

use crate::codes::munition_kind;
use crate::components::Munition;
use crate::draws::{Stream, uniform};
use crate::events::NO_EVENT;
use crate::outputs::{Outputs, Steer};
use crate::state::Battle;
use crate::systems::hits::{stamp_underwater, strike};
use crate::systems::missiles;
use crate::systems::munitions::SPENT;
use crate::systems::seekers::PreyList;
use crate::systems::spending::spend;
use crate::systems::steering::{advance, path_distance};
use crate::systems::torpedoes;

const DECOY_ABSORBS_M: f64 = 10.0;
const DECOY_DIES_CHANCE: f64 = 0.5;
/// More than rounding can make of a distance: what is farther from the path than this needs no exact answer.
const ROUNDING_M: f64 = 1.0;

type Point = (f64, f64);

/// Moves along the decided heading and goes off on what the path comes near; says whether the munition ends.
///
/// A decoy that dies of it becomes `SPENT`.
pub fn run_and_strike(
    battle: &mut Battle,
    place: usize,
    steer: &Steer,
    prey: &PreyList,
    outputs: &mut Outputs,
) -> bool {
    let dt = battle.rules().dt_s;
    let munition = &mut battle.munitions[place];
    let is_torpedo = munition.kind == munition_kind::TORPEDO;
    munition.remaining -= dt;
    let start = (munition.x, munition.y);
    let is_out_of_fuel = munition.remaining <= 0.0;
    if !is_out_of_fuel {
        move_along(munition, steer, dt);
    }
    let munition = *munition;
    if is_out_of_fuel {
        spend(battle, &munition, false, NO_EVENT);
        return true;
    }
    let end = (munition.x, munition.y);
    if !is_torpedo || torpedoes::is_armed(&munition) {
        if let Some(target) = struck_unit(prey, &munition, start, end) {
            strike(battle, &munition, target, munition.damage, start, outputs);
            if is_torpedo {
                stamp_underwater(&munition, end.0, end.1, outputs);
            }
            spend(battle, &munition, true, NO_EVENT);
            return true;
        }
        if is_absorbed(battle, &munition, prey, start, end) {
            spend(battle, &munition, false, NO_EVENT);
            return true;
        }
    }
    if is_torpedo && torpedoes::is_stopped_by_ground(battle, &munition) {
        spend(battle, &munition, false, NO_EVENT);
        return true;
    }
    false
}

fn move_along(munition: &mut Munition, steer: &Steer, dt: f64) {
    munition.lock_id = steer.lock_id;
    munition.heading = steer.heading;
    munition.search = steer.is_searching;
    let step_m = munition.speed * dt;
    (munition.x, munition.y) = advance(munition.x, munition.y, munition.heading, step_m);
    munition.run += step_m;
}

/// Place of the unit that the path comes nearest to, among those it comes near enough to.
fn struck_unit(prey: &PreyList, munition: &Munition, start: Point, end: Point) -> Option<usize> {
    let is_torpedo = munition.kind == munition_kind::TORPEDO;
    let fuze_m = if is_torpedo { torpedoes::FUZE_M } else { missiles::FUZE_M };
    let stretch_m = (end.0 - start.0).abs() + (end.1 - start.1).abs() + ROUNDING_M;
    let mut struck: Option<usize> = None;
    let mut struck_m = 0.0;
    for unit in prey.for_munition(munition) {
        let near_m = unit.radius_m + fuze_m;
        let box_m = near_m + stretch_m;
        if (unit.x - start.0).abs() > box_m || (unit.y - start.1).abs() > box_m {
            continue;
        }
        let distance = path_distance(start, end, (unit.x, unit.y));
        if distance < near_m && (struck.is_none() || distance < struck_m) {
            (struck, struck_m) = (Some(unit.place), distance);
        }
    }
    struck
}

fn is_absorbed(battle: &mut Battle, munition: &Munition, prey: &PreyList, start: Point, end: Point) -> bool {
    let mut nearest: Option<(f64, usize)> = None;
    for (place, decoy) in prey.decoys_for(battle, munition) {
        let distance = path_distance(start, end, (decoy.x, decoy.y));
        // Decoys come by id, so that the lower one keeps a tie.
        if distance <= DECOY_ABSORBS_M && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, place));
        }
    }
    let Some((_, place)) = nearest else {
        return false;
    };
    let decoy = battle.munitions[place];
    if uniform(battle, Stream::Seeker, munition.id, decoy.id, 1) < DECOY_DIES_CHANCE {
        spend(battle, &decoy, true, munition.fired_event);
        battle.munitions[place].kind = SPENT;
    }
    true
}
