//! One decision, in the order of section 8 of the spec.

use kernel::numerics::fmax;

use crate::constants::CASH_OUT_TICKS;
use crate::ending::Ending;
use crate::events::{Event, Happenings, MineMode, ScanMode};
use crate::reward::{Before, Deal, Terms};
use crate::rules::Rules;
use crate::state::State;
use crate::systems::{
    exposure, heat, limits, listening, mining, pirates, refining, scanning, selling, shopping, travel, upkeep,
};
use crate::tables::act;
use crate::view::View;

/// The last decision and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastStep {
    pub received: i32,
    pub action: u8,
    pub is_invalid: bool,
    pub dt: u8,
    pub ending: Ending,
    pub reward: f64,
    pub terms: Terms,
    pub happenings: Happenings,
}

impl LastStep {
    pub const NONE: Self = Self {
        received: -1,
        action: act::HOLD_DRIFT,
        is_invalid: false,
        dt: 0,
        ending: Ending { is_destroyed: false, is_stranded: false, is_cashed_out: false, is_time_up: false },
        reward: 0.0,
        terms: Terms::NONE,
        happenings: Happenings::NOTHING,
    };
}

/// Advances a running episode by one decision.
#[inline]
pub(crate) fn advance(state: &mut State, view: &mut View, rules: &Rules, received: i32, last: &mut LastStep) {
    let before = Before::of(state, &rules.config);
    let happenings = &mut last.happenings;
    happenings.clear();
    let is_invalid = !view.valid.contains(received);
    let action = if is_invalid { act::HOLD_DRIFT } else { received as u8 };
    if is_invalid {
        happenings.note(Event::InvalidAction);
    }
    let dt = perform(state, view, rules, action, happenings);
    pass_time(state, rules, dt, happenings);
    count(state, &before, dt);
    let ending = Ending::of(state, action == act::CASH_OUT_END_EPISODE);
    if ending.is_over() {
        state.is_over = true;
        ending.note(happenings);
    }
    let deal = Deal { action, is_invalid, dt: f64::from(dt), ending };
    last.received = received;
    last.action = action;
    last.is_invalid = is_invalid;
    last.dt = dt;
    last.ending = ending;
    last.terms = Terms::of(&before, state, &deal, &rules.config);
    last.reward = last.terms.sum();
    view.show_step(state, rules);
}

/// Applies the immediate effect of a valid action, shows what only it can change, and returns its ticks.
#[inline]
fn perform(state: &mut State, view: &mut View, rules: &Rules, action: u8, happenings: &mut Happenings) -> u8 {
    match action {
        ..act::HOLD_DRIFT => {
            let dt = travel::travel(state, rules, action - act::TRAVEL_NEIGHBOR, happenings);
            view.show_place(state);
            dt
        }
        act::HOLD_DRIFT => upkeep::hold(&mut state.ship),
        act::EMERGENCY_BURN => upkeep::burn(&mut state.ship, happenings),
        act::WIDE_SCAN => {
            let dt = scanning::scan_all(state, rules, happenings);
            view.show_asteroids(state);
            dt
        }
        act::FOCUSED_SCAN_SELECTED => scan_selected(state, view, rules, ScanMode::Focused, happenings),
        act::DEEP_SCAN_SELECTED => scan_selected(state, view, rules, ScanMode::Deep, happenings),
        act::PASSIVE_THREAT_LISTEN => {
            let dt = listening::listen(state, happenings);
            view.show_neighbors(state);
            dt
        }
        act::SELECT_ASTEROID..act::MINE_CONSERVATIVE_SELECTED => {
            let dt = scanning::select(state, action - act::SELECT_ASTEROID, happenings);
            view.show_selection(state);
            dt
        }
        act::MINE_CONSERVATIVE_SELECTED => mine_selected(state, view, rules, MineMode::Conservative, happenings),
        act::MINE_STANDARD_SELECTED => mine_selected(state, view, rules, MineMode::Standard, happenings),
        act::MINE_AGGRESSIVE_SELECTED => mine_selected(state, view, rules, MineMode::Aggressive, happenings),
        act::STABILIZE_SELECTED => mining::stabilize(state, selected(state), happenings),
        act::REFINE_ONBOARD => refining::refine(state, happenings),
        act::ACTIVE_COOLDOWN => upkeep::cool_down(&mut state.ship, happenings),
        act::TOOL_MAINTENANCE => upkeep::maintain_tool(&mut state.ship, happenings),
        act::HULL_PATCH => upkeep::patch_hull(&mut state.ship, happenings),
        act::JETTISON_COMMODITY..act::DOCK => upkeep::jettison(state, action - act::JETTISON_COMMODITY, happenings),
        act::DOCK => upkeep::dock(&mut state.ship, happenings),
        act::SELL_COMMODITY..act::BUY_FUEL_SMALL => {
            selling::sell(state, rules, action - act::SELL_COMMODITY, happenings)
        }
        act::BUY_FUEL_SMALL..=act::BUY_FUEL_LARGE => {
            shopping::buy_fuel(state, action - act::BUY_FUEL_SMALL, happenings)
        }
        act::BUY_REPAIR_KIT => shopping::buy_repair_kit(state, happenings),
        act::BUY_STABILIZER => shopping::buy_stabilizer(state, happenings),
        act::BUY_DECOY => shopping::buy_decoy(state, happenings),
        act::FULL_REPAIR_OVERHAUL => shopping::overhaul(state, happenings),
        _ => CASH_OUT_TICKS,
    }
}

/// Slot of the selected asteroid; only actions whose precondition is a selection ask for it.
fn selected(state: &State) -> u8 {
    state.ship.selection.unwrap_or_default()
}

fn scan_selected(state: &mut State, view: &mut View, rules: &Rules, mode: ScanMode, happenings: &mut Happenings) -> u8 {
    let slot = selected(state);
    let dt = scanning::scan_one(state, rules, mode, slot, happenings);
    view.show_asteroid(state, usize::from(slot));
    dt
}

fn mine_selected(state: &mut State, view: &mut View, rules: &Rules, mode: MineMode, happenings: &mut Happenings) -> u8 {
    let slot = selected(state);
    let dt = mining::mine(state, rules, mode, slot, happenings);
    view.show_asteroid(state, usize::from(slot));
    view.show_selection(state);
    dt
}

/// The dynamics of `dt` ticks, whatever the action was.
#[inline]
fn pass_time(state: &mut State, rules: &Rules, dt: u8, happenings: &mut Happenings) {
    let ticks = f64::from(dt);
    state.time_remaining -= ticks;
    heat::cool(state, ticks);
    state.ship.escape_ticks = state.ship.escape_ticks.saturating_sub(dt);
    state.ship.stabilize_ticks = state.ship.stabilize_ticks.map(|left| left.saturating_sub(dt));
    heat::overheat(state, dt, happenings);
    if !state.ship.is_docked() {
        exposure::linger(state, rules, ticks, happenings);
        let pirate = state.here().pirate;
        pirates::check(state, rules, pirate, dt, happenings);
    }
    let ticks_after = f64::from(state.ticks + u32::from(dt));
    state.market.update(ticks_after, dt, rules, &mut state.rng);
    limits::clamp_all(state, rules);
    limits::count_utilization(state, dt);
    state.value_hold();
}

#[inline]
fn count(state: &mut State, before: &Before, dt: u8) {
    let State { ship, counters, ticks, .. } = state;
    *ticks += u32::from(dt);
    counters.fuel_used += fmax(0.0, before.fuel - ship.fuel);
    counters.hull_damage += fmax(0.0, before.hull - ship.hull);
    counters.tool_wear += fmax(0.0, before.tool - ship.tool);
}
