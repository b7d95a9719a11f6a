//! What the station sells: fuel, supplies and a full overhaul.

use kernel::numerics::fmin;

use crate::constants::{
    BUY_TICKS, DECOY_COST, FUEL_COSTS, FUEL_MAX, FUEL_PORTIONS, HULL_MAX, OVERHAUL_COST, OVERHAUL_TICKS,
    REPAIR_KIT_COST, STABILIZER_COST, TOOL_MAX,
};
use crate::events::{Deed, Event, Happenings, Item};
use crate::state::State;

/// Buys the fuel portion of this size: 0 small, 1 medium, 2 large.
pub(crate) fn buy_fuel(state: &mut State, size: u8, happenings: &mut Happenings) -> u8 {
    let size = usize::from(size);
    let before = state.ship.fuel;
    state.ship.fuel = fmin(FUEL_MAX, before + FUEL_PORTIONS[size]);
    let quantity = state.ship.fuel - before;
    buy(state, Item::Fuel, quantity, FUEL_COSTS[size], happenings)
}

/// Buys a repair kit.
pub(crate) fn buy_repair_kit(state: &mut State, happenings: &mut Happenings) -> u8 {
    state.ship.repair_kits += 1;
    buy(state, Item::RepairKit, 1.0, REPAIR_KIT_COST, happenings)
}

/// Buys a stabilizer.
pub(crate) fn buy_stabilizer(state: &mut State, happenings: &mut Happenings) -> u8 {
    state.ship.stabilizers += 1;
    buy(state, Item::Stabilizer, 1.0, STABILIZER_COST, happenings)
}

/// Buys a decoy.
pub(crate) fn buy_decoy(state: &mut State, happenings: &mut Happenings) -> u8 {
    state.ship.decoys += 1;
    buy(state, Item::Decoy, 1.0, DECOY_COST, happenings)
}

/// Restores hull and tool.
pub(crate) fn overhaul(state: &mut State, happenings: &mut Happenings) -> u8 {
    state.ship.hull = HULL_MAX;
    state.ship.tool = TOOL_MAX;
    spend(state, OVERHAUL_COST);
    happenings.note(Event::Overhaul);
    happenings.deed = Deed::Overhaul { cost: OVERHAUL_COST };
    OVERHAUL_TICKS
}

fn buy(state: &mut State, item: Item, quantity: f64, cost: f64, happenings: &mut Happenings) -> u8 {
    spend(state, cost);
    happenings.note(Event::Buy);
    happenings.deed = Deed::Buy { item, quantity, cost };
    BUY_TICKS
}

fn spend(state: &mut State, cost: f64) {
    state.ship.credits -= cost;
    state.counters.total_spend += cost;
}
