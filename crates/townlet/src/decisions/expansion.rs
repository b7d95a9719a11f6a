//! From an option to the next step: the primitive controller under every policy.

use crate::codes::{NEEDS, NOTHING, option, personality_trait, primitive};
use crate::decisions::nearness::{chebyshev, manhattan};
use crate::decisions::primitives::{FIRST_INTERACT, FIRST_MOVE};
use crate::decisions::targets::{Target, clean_target, fed_target, shop_target, sleep_target};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::appointments::has_appointment;
use crate::systems::conflicts::avoided_seats;
use crate::systems::presence::{stand_tile, zone_of};
use crate::systems::talking::listener_for;
use crate::tables::paths::STAY;

/// Time of day from which on people meet in the park.
pub const PARK_FROM: i64 = 600;
/// Time of day until which people meet in the park.
pub const PARK_UNTIL: i64 = 880;
/// Neighbors in a zone stand this many places apart.
pub const STAND_STRIDE: i64 = 3;
const SOCIAL_STRIDE: i64 = 7;
const SOCIAL_MOVE_TICKS: i64 = 200;
const FULL_TILE_COST: f64 = 0.5;

/// A step, and the tile it leads to in the end (-1 for none).
type Step = (i64, i64);

/// The primitive that the current option comes to; the goal of the plan is set on the way.
pub fn expand(town: &mut Town, setup: &Setup, seat: usize) -> i64 {
    let citizen = town.citizen(seat);
    if citizen.is_running {
        return primitive::WAIT;
    }
    let (mut step, goal) = step_of(town, setup, citizen);
    if step == primitive::WAIT && would_chat(town, setup, citizen) {
        step = primitive::TALK;
    }
    town.citizen_mut(seat).plan.goal = goal;
    step
}

/// Where a citizen goes for company, -1 if there is no such place.
#[must_use]
pub fn social_zone(town: &Town, setup: &Setup, citizen: &Citizen) -> i64 {
    if has_appointment(town, citizen) {
        citizen.appointment.zone
    } else if (PARK_FROM..PARK_UNTIL).contains(&town.tod()) {
        setup.tables.park_zone
    } else {
        setup.tables.cafe_zone
    }
}

/// Extroversion from which on a citizen seeks company.
#[must_use]
pub fn chat_threshold(setup: &Setup, citizen: &Citizen) -> f64 {
    let threshold = setup.config.behavior.chat_min_extroversion;
    if setup.config.features.behavior.personality_profiles {
        threshold / setup.tables.profiles[citizen.profile as usize].chat_preference
    } else {
        threshold
    }
}

/// Needs below which a citizen looks after itself; at night it sleeps earlier.
#[must_use]
pub fn need_thresholds(setup: &Setup, citizen: &Citizen, is_night: bool) -> [f64; NEEDS] {
    let rule = &setup.config.behavior;
    let energy = if is_night { rule.night_energy_threshold } else { rule.energy_threshold };
    let mut thresholds = [rule.hunger_threshold, rule.hygiene_threshold, energy];
    if setup.config.features.behavior.reward_multipliers {
        let factors = &setup.tables.profiles[citizen.profile as usize].need_factors;
        thresholds.iter_mut().zip(factors).for_each(|(threshold, factor)| *threshold *= factor);
    }
    thresholds
}

fn step_of(town: &Town, setup: &Setup, citizen: &Citizen) -> Step {
    let target = match citizen.plan.option {
        option::GET_FED => fed_target(town, setup, citizen),
        option::GET_CLEAN => clean_target(town, setup, citizen),
        option::SHOP_GROCERIES => shop_target(town, setup, citizen),
        option::SLEEP => sleep_target(setup, citizen),
        option::GO_TO_WORK if citizen.job == NOTHING => return (primitive::WAIT, NOTHING),
        option::GO_TO_WORK => {
            let zone = setup.tables.jobs[citizen.job as usize].zone;
            return stand(town, setup, citizen, zone, citizen.seat * STAND_STRIDE);
        }
        option::SOCIALISE => return socialise(town, setup, citizen),
        option::AVOID_RIVALS => return (keep_away(town, setup, citizen), NOTHING),
        _ => return stand(town, setup, citizen, citizen.home, citizen.seat * STAND_STRIDE),
    };
    match target {
        Some(target) => use_object(town, setup, citizen, target),
        None => (primitive::WAIT, citizen.plan.goal),
    }
}

fn use_object(town: &Town, setup: &Setup, citizen: &Citizen, target: Target) -> Step {
    let object = target.object as usize;
    let (place, state) = (&setup.tables.objects[object], &town.objects[object]);
    let interaction = (FIRST_INTERACT + target.rank, place.use_tile);
    if citizen.holding == target.object {
        return if citizen.tile == place.use_tile { interaction } else { walk(town, setup, citizen, place.use_tile) };
    }
    if citizen.queued == target.object {
        let waiting_at = state.place_of(citizen.seat as usize).min(place.queue_tiles.len() as i64 - 1);
        return walk(town, setup, citizen, place.queue_tiles[waiting_at as usize]);
    }
    if citizen.holding != NOTHING || citizen.queued != NOTHING {
        // An interaction would be with that one, and others wait for it in vain.
        return (primitive::RELEASE, citizen.plan.goal);
    }
    // Where two objects are near, an interaction is with the nearer one: walk on until that is the target.
    if setup.tables.reach[citizen.at()] == target.object {
        interaction
    } else {
        walk(town, setup, citizen, place.use_tile)
    }
}

fn stand(town: &Town, setup: &Setup, citizen: &Citizen, zone: i64, number: i64) -> Step {
    if zone == NOTHING {
        return (primitive::WAIT, NOTHING);
    }
    walk(town, setup, citizen, stand_tile(setup, zone, number))
}

fn walk(town: &Town, setup: &Setup, citizen: &Citizen, goal: i64) -> Step {
    if citizen.tile == goal {
        return (primitive::WAIT, goal);
    }
    let direction = setup.tables.paths.next_dir(goal, citizen.tile, &town.occupancy);
    (if direction == STAY { primitive::WAIT } else { FIRST_MOVE + direction }, goal)
}

fn socialise(town: &Town, setup: &Setup, citizen: &Citizen) -> Step {
    let seat = citizen.seat as usize;
    let zone = social_zone(town, setup, citizen);
    let number = citizen.seat * SOCIAL_STRIDE + town.tick / SOCIAL_MOVE_TICKS;
    if zone == NOTHING || zone_of(town, setup, seat) != zone {
        return stand(town, setup, citizen, zone, number);
    }
    let goal = stand_tile(setup, zone, number);
    if listener_for(town, setup, seat).is_some() {
        return (primitive::TALK, goal);
    }
    let others = town.citizens().filter(|other| other.seat != citizen.seat);
    let nearest = others
        .filter(|other| setup.tables.map.zone_of[other.at()] == zone)
        .min_by_key(|other| manhattan(setup, citizen.tile, other.tile));
    match nearest {
        Some(nearest) if chebyshev(setup, citizen.tile, nearest.tile) > 1 => {
            (approach(town, setup, citizen, nearest.tile), goal)
        }
        _ => (primitive::WAIT, goal),
    }
}

fn approach(town: &Town, setup: &Setup, citizen: &Citizen, tile: i64) -> i64 {
    let (mut best, mut best_cost) = (primitive::WAIT, f64::INFINITY);
    for (direction, neighbor) in setup.tables.paths.neighbors(citizen.tile) {
        let is_full = town.occupancy[neighbor as usize] != 0;
        let cost = manhattan(setup, neighbor, tile) as f64 + if is_full { FULL_TILE_COST } else { 0.0 };
        if cost < best_cost {
            (best, best_cost) = (FIRST_MOVE + direction, cost);
        }
    }
    best
}

fn keep_away(town: &Town, setup: &Setup, citizen: &Citizen) -> i64 {
    let (mut best, mut best_distance) = (primitive::WAIT, -1);
    for (direction, neighbor) in setup.tables.paths.neighbors(citizen.tile) {
        let rivals = avoided_seats(town, setup, citizen.seat as usize);
        let Some(distance) = rivals.map(|rival| manhattan(setup, neighbor, town.citizen(rival).tile)).min() else {
            return primitive::WAIT;
        };
        if town.occupancy[neighbor as usize] == 0 && distance > best_distance {
            (best, best_distance) = (FIRST_MOVE + direction, distance);
        }
    }
    best
}

fn would_chat(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    if citizen.traits[personality_trait::EXTROVERSION] < chat_threshold(setup, citizen) {
        return false;
    }
    let holding = citizen.holding;
    if holding != NOTHING && citizen.tile == setup.tables.objects[holding as usize].use_tile {
        return false;
    }
    let thresholds = need_thresholds(setup, citizen, false);
    if citizen.needs.iter().zip(thresholds).any(|(&need, least)| need < least) {
        return false;
    }
    listener_for(town, setup, citizen.seat as usize).is_some()
}

#[cfg(test)]
mod tests {
    use super::expand;
    use crate::codes::{NOTHING, option, primitive};
    use crate::setup::Setup;
    use crate::state::town::Town;
    use crate::systems::small_town::{small_setup, town_with};

    fn bather(tile: i64) -> (Setup, Town) {
        let mut setup = small_setup();
        setup.config.features.stages.relationships = crate::config::features::Stage::Off;
        setup.tables.open_to[2] = vec![vec![0, 1]];
        setup.tables.reach[10] = 0;
        let mut town = town_with(&setup, &[tile]);
        let citizen = town.citizen_mut(0);
        (citizen.home, citizen.plan.option) = (0, option::GET_CLEAN);
        (setup, town)
    }

    #[test]
    fn who_is_near_enough_asks_and_who_is_not_walks() {
        let (setup, mut town) = bather(10);
        assert_eq!(expand(&mut town, &setup, 0), primitive::INTERACT_0);
        let (setup, mut town) = bather(8);
        assert_eq!(expand(&mut town, &setup, 0), primitive::MOVE_EAST);
        assert_eq!(town.citizen(0).plan.goal, 10);
    }

    #[test]
    fn who_holds_something_else_lets_go_and_keeps_its_goal() {
        let (setup, mut town) = bather(10);
        town.citizen_mut(0).plan.option = option::SLEEP;
        town.citizen_mut(0).plan.goal = 14;
        assert_eq!(expand(&mut town, &setup, 0), primitive::WAIT, "there is nothing to sleep in");
        assert_eq!(town.citizen(0).plan.goal, 14);

        town.citizen_mut(0).plan.option = option::GET_CLEAN;
        let mut other = setup;
        other.tables.objects[1].r#type = 1;
        town.citizen_mut(0).queued = 1;
        assert_eq!(expand(&mut town, &other, 0), primitive::RELEASE);
        assert_eq!(town.citizen(0).plan.goal, 14);
    }

    #[test]
    fn nobody_goes_to_work_without_a_job() {
        let (setup, mut town) = bather(10);
        town.citizen_mut(0).plan.option = option::GO_TO_WORK;
        assert_eq!(expand(&mut town, &setup, 0), primitive::WAIT);
        assert_eq!(town.citizen(0).plan.goal, NOTHING);
    }
}
