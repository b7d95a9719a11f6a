//! What options aim at: which object to use next, and how.

use crate::codes::{NOBODY, NOTHING, item, need, role};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::affordances::money_cost;
use crate::systems::presence::{distance_to, own_fridge, own_stove};
use crate::tables::affordances::AffordanceRow;
use crate::tables::paths::UNREACHABLE;

/// Need from which on nobody looks after it.
pub const SATISFIED: f64 = 0.95;
const EAT_TICKS: i64 = 15;
const COOK_AND_EAT_TICKS: i64 = 55;
const SHOWER_TURN_TICKS: i64 = 30;
const COOLDOWN_PENALTY: i64 = 1000;
const ENOUGH_FOOD: i64 = 2;

/// An object and the rank of the affordance to start there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Index of the object.
    pub object: i64,
    /// Which of `Interact0` to `Interact3` starts it.
    pub rank: i64,
}

impl Target {
    const fn of(object: i64, row: &AffordanceRow) -> Self {
        Self { object, rank: row.rank }
    }
}

/// The affordance of a role, `None` if the manifest has none.
#[inline]
#[must_use]
pub fn row_of(setup: &Setup, role: usize) -> Option<&AffordanceRow> {
    let index = setup.tables.roles[role];
    if index == NOTHING { None } else { Some(&setup.tables.affordances[index as usize]) }
}

/// The next step towards a meal, `None` if there is no way to one.
#[must_use]
pub fn fed_target(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let eat = row_of(setup, role::EAT)?;
    let fridge = own_fridge(town, setup, citizen.seat as usize);
    if fridge != NOTHING && town.objects[fridge as usize].stock[item::MEALS] >= 1 {
        return Some(Target::of(fridge, eat));
    }
    let cafe = nearest(town, setup, citizen, role::EAT, eat, true);
    if cafe != NOTHING {
        let is_starving = citizen.needs[need::HUNGER] < setup.config.behavior.critical_threshold;
        if is_starving || is_cafe_quicker(town, setup, citizen, cafe) {
            return Some(Target::of(cafe, eat));
        }
    }
    if let Some(cooking) = cook_target(town, setup, citizen) {
        return Some(cooking);
    }
    if cafe != NOTHING { Some(Target::of(cafe, eat)) } else { buy_target(town, setup, citizen) }
}

/// The own stove, if there is something to cook, room for the meal, and power.
#[must_use]
pub fn cook_target(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let cook = row_of(setup, role::COOK)?;
    let seat = citizen.seat as usize;
    let (stove, fridge) = (own_stove(town, setup, seat), own_fridge(town, setup, seat));
    if stove == NOTHING || fridge == NOTHING || !town.has_power() {
        return None;
    }
    let fridge = fridge as usize;
    let has_room = town.objects[fridge].stock[item::MEALS] < setup.tables.objects[fridge].caps[item::MEALS];
    (has_room && citizen.inventory[item::FOOD_RAW] >= 1).then_some(Target::of(stove, cook))
}

/// The nearest till with goods in stock, if the citizen can pay there.
#[must_use]
pub fn buy_target(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let buy = row_of(setup, role::BUY)?;
    let shop = nearest(town, setup, citizen, role::BUY, buy, false);
    (shop != NOTHING).then_some(Target::of(shop, buy))
}

/// Buying while supplies are low, else cooking, else buying.
#[must_use]
pub fn shop_target(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let buying = buy_target(town, setup, citizen);
    if buying.is_some() && citizen.inventory[item::FOOD_RAW] < ENOUGH_FOOD {
        return buying;
    }
    cook_target(town, setup, citizen).or(buying)
}

/// The own bed.
#[must_use]
pub fn sleep_target(setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let sleep = row_of(setup, role::SLEEP)?;
    (citizen.bed != NOTHING).then_some(Target::of(citizen.bed, sleep))
}

/// The shower that is free soonest; who holds one or waits for one stays with it.
#[must_use]
pub fn clean_target(town: &Town, setup: &Setup, citizen: &Citizen) -> Option<Target> {
    let shower = row_of(setup, role::SHOWER)?;
    let seat = citizen.seat as usize;
    let taken = if citizen.holding == NOTHING { citizen.queued } else { citizen.holding };
    if taken != NOTHING && setup.tables.objects[taken as usize].r#type == shower.r#type {
        return Some(Target::of(taken, shower));
    }
    let (mut best, mut best_cost) = (NOTHING, 0);
    for &index in &setup.tables.open_to[role::SHOWER][citizen.home as usize] {
        let (row, state) = (&setup.tables.objects[index as usize], &town.objects[index as usize]);
        let turns = state.queue.len() as i64 + i64::from(state.holder != NOBODY);
        let penalty = if state.cooldowns[seat] > town.tick { COOLDOWN_PENALTY } else { 0 };
        let cost = SHOWER_TURN_TICKS * turns + distance_to(town, setup, seat, row.use_tile) + penalty;
        if best == NOTHING || cost < best_cost {
            (best, best_cost) = (index, cost);
        }
    }
    (best != NOTHING).then_some(Target::of(best, shower))
}

/// Whether a shower can be paid, works, and is not on cooldown everywhere.
#[must_use]
pub fn can_shower(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    let Some(shower) = row_of(setup, role::SHOWER) else { return false };
    if (shower.needs_power && !town.has_power()) || (shower.needs_water && !town.has_water()) {
        return false;
    }
    setup.tables.open_to[role::SHOWER][citizen.home as usize].iter().any(|&index| {
        citizen.wallet >= money_cost(town, setup, shower, index as usize)
            && town.objects[index as usize].cooldowns[citizen.seat as usize] <= town.tick
    })
}

/// The nearest object for an affordance that has the stock and that the citizen can pay, -1 for none.
fn nearest(
    town: &Town,
    setup: &Setup,
    citizen: &Citizen,
    role: usize,
    row: &AffordanceRow,
    is_public_only: bool,
) -> i64 {
    let (mut best, mut best_distance) = (NOTHING, UNREACHABLE);
    for &index in &setup.tables.open_to[role][citizen.home as usize] {
        let place = &setup.tables.objects[index as usize];
        if place.is_residents && is_public_only {
            continue;
        }
        let held = &town.objects[index as usize].stock;
        if held.iter().zip(&row.stock_costs).any(|(have, cost)| have < cost) {
            continue;
        }
        let distance = setup.tables.paths.field(place.use_tile)[citizen.at()];
        if distance < best_distance && citizen.wallet >= money_cost(town, setup, row, index as usize) {
            (best, best_distance) = (index, distance);
        }
    }
    best
}

fn is_cafe_quicker(town: &Town, setup: &Setup, citizen: &Citizen, cafe: i64) -> bool {
    let seat = citizen.seat as usize;
    let stove = own_stove(town, setup, seat);
    if stove == NOTHING {
        return true;
    }
    let to = |object: i64| distance_to(town, setup, seat, setup.tables.objects[object as usize].use_tile);
    to(cafe) + EAT_TICKS < to(stove) + COOK_AND_EAT_TICKS
}
