//! The scripted controller: the default policy, the teacher of cloned ones, and the baseline.

use kernel::numerics::{clamp, round_half_up};

use crate::codes::{NOTHING, item, need, option, personality_trait};
use crate::decisions::expansion::{PARK_FROM, PARK_UNTIL, chat_threshold, need_thresholds};
use crate::decisions::nearness::is_avoided_within;
use crate::decisions::options::is_feasible;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::appointments::has_appointment;
use crate::systems::presence::{distance_to, own_fridge};

const EXHAUSTED: f64 = 0.10;
const NIGHT_FROM: i64 = 900;
const NIGHT_UNTIL: i64 = 200;
const NIGHT_BIAS: f64 = 0.3;
const MOST_BUFFER: f64 = 240.0;
const SHOP_AFTER: i64 = 300;
const SHOP_UNTIL: i64 = 900;
const COOK_AFTER: i64 = 250;
const ENOUGH: i64 = 2;
const TOO_CLOSE: i64 = 2;
const MEAL_BEFORE_WORK: f64 = 0.15; // about what hunger loses in a shift that is reached on time

/// The option of the first rule that applies: needs, work, supplies and company, in this order.
#[must_use]
pub fn decide(town: &Town, setup: &Setup, seat: usize) -> i64 {
    let citizen = town.citizen(seat);
    let can = |option: i64| is_feasible(town, setup, citizen, option);
    let critical = setup.config.behavior.critical_threshold;
    if citizen.needs[need::HUNGER] < critical && can(option::GET_FED) {
        return option::GET_FED;
    }
    if citizen.needs[need::ENERGY] < EXHAUSTED {
        return option::SLEEP;
    }
    if is_time_for_work(town, setup, citizen) {
        return option::GO_TO_WORK;
    }
    if let Some(urgent) = most_urgent(town, setup, citizen) {
        return urgent;
    }
    if has_appointment(town, citizen) && can(option::SOCIALISE) {
        return option::SOCIALISE;
    }
    if runs_short(town, setup, citizen) && can(option::SHOP_GROCERIES) {
        return option::SHOP_GROCERIES;
    }
    if seeks_company(town, setup, citizen) && can(option::SOCIALISE) {
        return option::SOCIALISE;
    }
    if is_avoided_within(town, setup, citizen, TOO_CLOSE) {
        return option::AVOID_RIVALS;
    }
    option::IDLE
}

fn is_time_for_work(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    if citizen.job == NOTHING || !is_feasible(town, setup, citizen, option::GO_TO_WORK) {
        return false;
    }
    let job = &setup.tables.jobs[citizen.job as usize];
    let is_biased = setup.config.features.behavior.personality_profiles;
    let affinity = if is_biased { setup.tables.profiles[citizen.profile as usize].work_affinity } else { 1.0 };
    let buffer = setup.config.behavior.job_arrival_buffer as f64 * affinity;
    let buffer = clamp(round_half_up(buffer), 0.0, MOST_BUFFER);
    let travel = distance_to(town, setup, citizen.seat as usize, job.tile);
    let tod = town.tod();
    job.start as f64 - buffer - travel as f64 <= tod as f64 && tod < job.end
}

fn most_urgent(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<i64> {
    let [hunger, hygiene, energy] = citizen.needs;
    let is_night = town.tod() >= NIGHT_FROM || town.tod() < NIGHT_UNTIL;
    let [mut least_hunger, least_hygiene, least_energy] = need_thresholds(setup, citizen, is_night);
    if works_soon(town, setup, citizen) {
        least_hunger += MEAL_BEFORE_WORK;
    }
    let tiredness = energy - if is_night { NIGHT_BIAS } else { 0.0 };
    let candidates = [
        (hunger, hunger < least_hunger, option::GET_FED),
        (tiredness, energy < least_energy, option::SLEEP),
        (hygiene, hygiene < least_hygiene, option::GET_CLEAN),
    ];
    let mut best: Option<(f64, i64)> = None;
    for (key, is_wanted, option) in candidates {
        let is_better = is_wanted && best.is_none_or(|(best_key, _)| key < best_key);
        if is_better && is_feasible(town, setup, citizen, option) {
            best = Some((key, option));
        }
    }
    best.map(|(_, option)| option)
}

/// Whether a shift is near: who sets out for it half hungry starves through it.
fn works_soon(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    citizen.job != NOTHING
        && town.tod() < setup.tables.jobs[citizen.job as usize].start
        && is_feasible(town, setup, citizen, option::GO_TO_WORK)
}

fn runs_short(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    let (food, tod) = (citizen.inventory[item::FOOD_RAW], town.tod());
    let fridge = own_fridge(town, setup, citizen.seat as usize);
    let meals = if fridge == NOTHING { 0 } else { town.objects[fridge as usize].stock[item::MEALS] };
    let needs_food = food < ENOUGH && SHOP_AFTER < tod && tod < SHOP_UNTIL;
    needs_food || (meals < ENOUGH && food > 0 && tod > COOK_AFTER)
}

fn seeks_company(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    (PARK_FROM..PARK_UNTIL).contains(&town.tod())
        && citizen.traits[personality_trait::EXTROVERSION] >= chat_threshold(setup, citizen)
}
