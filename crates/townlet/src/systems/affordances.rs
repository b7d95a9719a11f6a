//! Affordances: starting one, advancing those that run, and ending them well or badly.

use std::ops::Deref;
use std::sync::Arc;

use crate::codes::{NOBODY, NOTHING, apply_mode, fail_reason, option, role};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::conditions::{holds, operand_value};
use crate::systems::handover::hand_over;
use crate::systems::hooks::{run_after, run_before, run_fail};
use crate::systems::needs::change_need;
use crate::systems::prices::amount_of;
use crate::systems::queues::{may_use, release};
use crate::tables::affordances::{AffordanceRow, CONDITIONS_PER_AFFORDANCE, DEFAULT_COOLDOWN};

const REFUNDED: [i64; 2] = [fail_reason::UTILITY_OUTAGE, fail_reason::OBJECT_REMOVED];
/// By role, the option that ends when its affordance is done.
const ENDS_OPTION: [(usize, i64); 5] = [
    (role::EAT, option::GET_FED),
    (role::COOK, option::SHOP_GROCERIES),
    (role::SHOWER, option::GET_CLEAN),
    (role::SLEEP, option::SLEEP),
    (role::BUY, option::SHOP_GROCERIES),
];

/// Why something cannot be started: the place of the failing condition, -1 where what it costs is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Place among the conditions of the affordance.
    pub condition: i64,
}

/// Coins an affordance costs at an object now.
#[must_use]
pub fn money_cost(town: &Town, setup: &Setup, row: &AffordanceRow, object: usize) -> f64 {
    amount_of(town, setup, &row.money) * setup.tables.objects[object].price_factor
}

/// The first thing that keeps a citizen from starting an affordance at an object.
#[must_use]
pub fn obstacle_to(town: &Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize) -> Option<Obstacle> {
    let failing = row.conditions.iter().position(|condition| !holds(town, setup, condition, seat, object));
    match failing {
        Some(place) => Some(Obstacle { condition: place as i64 }),
        None if can_afford(town, setup, seat, row, object) => None,
        None => Some(Obstacle { condition: NOTHING }),
    }
}

/// Starts the affordance of a rank at the object a citizen holds and stands at.
///
/// Returns whether it runs now. If not, the reservation is gone and it has been told why.
pub fn start(town: &mut Town, setup: &Setup, seat: usize, rank: usize) -> bool {
    let object = town.citizen(seat).holding as usize;
    let rows = &setup.tables.by_type[setup.tables.objects[object].r#type as usize];
    let Some(&index) = rows.get(rank) else {
        refuse(town, setup, seat, object, NOTHING, fail_reason::MISSING_SPEC);
        return false;
    };
    let row = &setup.tables.affordances[index];
    if let Some(obstacle) = obstacle_to(town, setup, seat, row, object) {
        tell_obstacle(town, setup, seat, row, object, obstacle);
        run_fail(town, row, seat, object);
        refuse(town, setup, seat, object, row.index, fail_reason::PRECONDITION_FAILED);
        return false;
    }
    run_before(town, row, seat);
    take_costs(town, setup, seat, row, object);
    let state = &mut town.objects[object];
    state.running = row.index;
    state.remaining = row.duration;
    let citizen = town.citizen_mut(seat);
    citizen.is_running = true;
    let number = citizen.number;
    town.record(EventKind::AffordanceStart, &[number as f64, object as f64, row.index as f64, row.duration as f64]);
    true
}

/// Advances everything that runs by one tick, in object order; what has run its time is finished.
pub fn advance_affordances(town: &mut Town, setup: &Setup) {
    for object in 0..town.objects.len() {
        let Some(row) = running(town, setup, object) else {
            continue;
        };
        let seat = town.objects[object].holder as usize;
        if row.mode == apply_mode::SPREAD {
            for (need, effect) in row.effects.iter().enumerate() {
                let delta = amount_of(town, setup, effect) / row.duration as f64;
                change_need(town, setup, seat, need, delta);
            }
        }
        let state = &mut town.objects[object];
        state.remaining -= 1;
        if state.remaining == 0 {
            finish(town, setup, seat, &row, object);
        }
    }
}

/// Ends what a citizen is doing before its time, and releases what it holds.
pub fn fail_running(town: &mut Town, setup: &Setup, seat: usize, reason: i64) {
    let citizen = town.citizen(seat);
    if !citizen.is_running {
        return;
    }
    let object = citizen.holding as usize;
    let Some(row) = running(town, setup, object) else {
        return;
    };
    if REFUNDED.contains(&reason) {
        refund(town, seat, &row, object);
    }
    stop(town, seat, object);
    run_fail(town, &row, seat, object);
    refuse(town, setup, seat, object, row.index, reason);
}

/// Ends everything that runs and needs a utility that is off.
pub fn fail_without_utilities(town: &mut Town, setup: &Setup) {
    let (has_power, has_water) = (town.has_power(), town.has_water());
    for object in 0..town.objects.len() {
        let is_without = running(town, setup, object)
            .is_some_and(|row| (row.needs_power && !has_power) || (row.needs_water && !has_water));
        if is_without {
            fail_running(town, setup, town.objects[object].holder as usize, fail_reason::UTILITY_OUTAGE);
        }
    }
}

/// The row of what is running: one of the tables, or one that a reload has since changed or taken away.
#[derive(Debug)]
pub enum RunningRow<'setup> {
    /// As the tables have it.
    Current(&'setup AffordanceRow),
    /// As it was when it began.
    Kept(Arc<AffordanceRow>),
}

impl Deref for RunningRow<'_> {
    type Target = AffordanceRow;

    #[inline]
    fn deref(&self) -> &AffordanceRow {
        match self {
            Self::Current(row) => row,
            Self::Kept(row) => row,
        }
    }
}

/// What runs on an object.
#[inline]
#[must_use]
pub fn running<'setup>(town: &Town, setup: &'setup Setup, object: usize) -> Option<RunningRow<'setup>> {
    let state = &town.objects[object];
    if let Some(kept) = &state.kept {
        return Some(RunningRow::Kept(Arc::clone(kept)));
    }
    (state.running != NOTHING).then(|| RunningRow::Current(&setup.tables.affordances[state.running as usize]))
}

fn finish(town: &mut Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize) {
    let effects = row.effects.each_ref().map(|effect| amount_of(town, setup, effect));
    if row.mode == apply_mode::FINISH {
        for (need, &delta) in effects.iter().enumerate() {
            if delta != 0.0 {
                change_need(town, setup, seat, need, delta);
            }
        }
    }
    give_yields(town, setup, seat, row, object);
    stop(town, seat, object);
    run_after(town, setup, row, seat, object);
    let number = town.citizen(seat).number;
    town.record(
        EventKind::AffordanceFinish,
        &[number as f64, object as f64, row.index as f64, effects[0], effects[1], effects[2]],
    );
    end_option(town, setup, seat, row);
    let is_default = row.cooldown == DEFAULT_COOLDOWN;
    let cooldown = if is_default { setup.config.queue_fairness.cooldown_ticks } else { row.cooldown };
    hand_over(town, setup, object, seat, cooldown);
}

fn end_option(town: &mut Town, setup: &Setup, seat: usize, row: &AffordanceRow) {
    let plan = &mut town.citizen_mut(seat).plan;
    for (role, option) in ENDS_OPTION {
        if row.index != NOTHING && setup.tables.roles[role] == row.index && plan.option == option {
            plan.has_ended = true;
        }
    }
}

fn can_afford(town: &Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize) -> bool {
    let (citizen, state) = (town.citizen(seat), &town.objects[object]);
    citizen.wallet >= money_cost(town, setup, row, object)
        && state.stock.iter().zip(&row.stock_costs).all(|(held, cost)| held >= cost)
        && citizen.inventory.iter().zip(&row.inventory_costs).all(|(held, cost)| held >= cost)
        && may_use(town, setup, seat, object)
        && !(row.is_owner_only && state.owner != seat as i64)
}

fn take_costs(town: &mut Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize) {
    let paid = money_cost(town, setup, row, object);
    let state = &mut town.objects[object];
    state.paid = paid;
    for (held, cost) in state.stock.iter_mut().zip(&row.stock_costs) {
        *held -= cost;
    }
    let citizen = town.citizen_mut(seat);
    citizen.wallet -= paid;
    for (held, cost) in citizen.inventory.iter_mut().zip(&row.inventory_costs) {
        *held -= cost;
    }
}

fn refund(town: &mut Town, seat: usize, row: &AffordanceRow, object: usize) {
    let state = &mut town.objects[object];
    let paid = state.paid;
    for (held, cost) in state.stock.iter_mut().zip(&row.stock_costs) {
        *held += cost;
    }
    let citizen = town.citizen_mut(seat);
    citizen.wallet += paid;
    for (held, cost) in citizen.inventory.iter_mut().zip(&row.inventory_costs) {
        *held += cost;
    }
}

fn give_yields(town: &mut Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize) {
    for (held, count) in town.citizen_mut(seat).inventory.iter_mut().zip(&row.inventory_yields) {
        *held += count;
    }
    put(town, setup, object, &row.stock_yields);
    let linked = setup.tables.objects[object].linked;
    if linked != NOTHING {
        put(town, setup, linked as usize, &row.linked_yields);
    }
}

/// Puts items into an object; what is above the cap already stays.
fn put(town: &mut Town, setup: &Setup, object: usize, yields: &[i64]) {
    let caps = &setup.tables.objects[object].caps;
    for ((held, &cap), &count) in town.objects[object].stock.iter_mut().zip(caps).zip(yields) {
        if count != 0 {
            *held = (*held).max(cap.min(*held + count));
        }
    }
}

fn stop(town: &mut Town, seat: usize, object: usize) {
    let state = &mut town.objects[object];
    state.running = NOTHING;
    state.kept = None;
    state.remaining = 0;
    state.paid = 0.0;
    town.citizen_mut(seat).is_running = false;
}

fn refuse(town: &mut Town, setup: &Setup, seat: usize, object: usize, affordance: i64, reason: i64) {
    let number = town.citizen(seat).number;
    town.record(EventKind::AffordanceFail, &[number as f64, object as f64, affordance as f64, reason as f64]);
    if town.objects[object].holder != NOBODY {
        release(town, setup, object, 0);
    }
}

fn tell_obstacle(town: &mut Town, setup: &Setup, seat: usize, row: &AffordanceRow, object: usize, obstacle: Obstacle) {
    let number = town.citizen(seat).number;
    let mut values = vec![number as f64, object as f64, row.index as f64];
    if obstacle.condition == NOTHING {
        values.push(NOTHING as f64);
    } else {
        values.push((row.index * CONDITIONS_PER_AFFORDANCE + obstacle.condition) as f64);
        let operands = &row.conditions[obstacle.condition as usize].operands;
        values.extend(operands.iter().map(|&operand| operand_value(town, setup, operand, seat, object)));
    }
    town.record(EventKind::AffordancePreconditionFail, &values);
}
