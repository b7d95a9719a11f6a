//! Which actions are valid: one function for the mask and for the step.

use crate::constants::{
    DECOY_COST, FUEL_COSTS, FUEL_MAX, HULL_MAX, N_COMMODITIES, OVERHAUL_COST, REFINE_INPUTS, REPAIR_KIT_COST,
    STABILIZER_COST, SUPPLIES_MAX, TOOL_MAX,
};
use crate::ship::Ship;
use crate::state::State;
use crate::tables::{N_ACTIONS, act};

/// A set of actions: bit a of the first word stands for action a, bit b of the second for action 64 + b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Actions([u64; 2]);

const ALWAYS: u64 =
    low(act::HOLD_DRIFT) | low(act::EMERGENCY_BURN) | low(act::PASSIVE_THREAT_LISTEN) | low(act::ACTIVE_COOLDOWN);
const SELECTED: u64 = low(act::FOCUSED_SCAN_SELECTED)
    | low(act::DEEP_SCAN_SELECTED)
    | low(act::MINE_CONSERVATIVE_SELECTED)
    | low(act::MINE_STANDARD_SELECTED)
    | low(act::MINE_AGGRESSIVE_SELECTED);
/// Entry b: three sale bits for every commodity whose bit is set in b.
const SALES: [u32; 1 << N_COMMODITIES] = {
    let mut sales = [0; 1 << N_COMMODITIES];
    let mut carried = 0;
    while carried < sales.len() {
        let mut commodity = 0;
        while commodity < N_COMMODITIES {
            sales[carried] |= ((carried as u32 >> commodity & 1) * 0b111) << (3 * commodity);
            commodity += 1;
        }
        carried += 1;
    }
    sales
};

const fn low(action: u8) -> u64 {
    1 << action
}

const fn high(action: u8) -> u64 {
    1 << (action - 64)
}

#[inline]
fn when(condition: bool, actions: u64) -> u64 {
    if condition { actions } else { 0 }
}

impl Actions {
    /// None.
    pub const NONE: Self = Self([0; 2]);

    /// The actions whose precondition holds; `minable` has a bit for every slot whose asteroid is not yet gone.
    #[inline(always)]
    pub fn valid_in(state: &State, minable: u16) -> Self {
        let ship = &state.ship;
        let carried = (0..N_COMMODITIES).fold(0, |bits, c| bits | u64::from(ship.cargo[c] > 0.0) << c);
        let refinable = ship.cargo[REFINE_INPUTS[0]] + ship.cargo[REFINE_INPUTS[1]] > 0.0;
        let has_kit = ship.repair_kits > 0;
        let anywhere = ALWAYS
            | ((1 << state.here().degree) - 1) << act::TRAVEL_NEIGHBOR
            | u64::from(refinable) << act::REFINE_ONBOARD
            | u64::from(has_kit & (ship.tool < TOOL_MAX)) << act::TOOL_MAINTENANCE
            | u64::from(has_kit & (ship.hull < HULL_MAX)) << act::HULL_PATCH
            | carried << act::JETTISON_COMMODITY;
        if ship.is_docked() {
            let [low, high] = at_station(ship, carried as usize);
            return Self([anywhere | low, high]);
        }
        let has_selection = ship.selection.is_some();
        let in_field = low(act::WIDE_SCAN)
            | u64::from(minable) << act::SELECT_ASTEROID
            | when(has_selection, SELECTED)
            | u64::from(has_selection & (ship.stabilizers > 0)) << act::STABILIZE_SELECTED;
        Self([anywhere | in_field, 0])
    }

    /// Whether the action is in the set; numbers that are no action are not.
    #[inline]
    pub fn contains(self, action: i32) -> bool {
        (0..N_ACTIONS as i32).contains(&action) && self.0[action as usize / 64] >> (action % 64) & 1 == 1
    }

    /// Writes 1 for every action of the set and 0 for the others.
    #[inline]
    pub fn write_mask(self, mask: &mut [u8; N_ACTIONS]) {
        let (low, high) = mask.split_at_mut(64);
        let (bytes, _) = low.as_chunks_mut::<8>();
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = SPREAD_BITS[(self.0[0] >> (8 * place)) as usize & 0xFF];
        }
        high.copy_from_slice(&SPREAD_BITS[self.0[1] as usize & 0xFF][..N_ACTIONS - 64]);
    }
}

#[inline(always)]
fn at_station(ship: &Ship, carried: usize) -> [u64; 2] {
    let can_pay = |cost: f64| ship.credits >= cost;
    let has_tank_room = ship.fuel < FUEL_MAX;
    let fuels = FUEL_COSTS.iter().rev().fold(0, |bits, &cost| bits << 1 | u64::from(can_pay(cost) & has_tank_room));
    let is_worn = (ship.hull < HULL_MAX) | (ship.tool < TOOL_MAX);
    let low = low(act::DOCK) | u64::from(SALES[carried]) << act::SELL_COMMODITY | fuels << act::BUY_FUEL_SMALL;
    let high = high(act::CASH_OUT_END_EPISODE)
        | when(can_pay(REPAIR_KIT_COST) & (ship.repair_kits < SUPPLIES_MAX), high(act::BUY_REPAIR_KIT))
        | when(can_pay(STABILIZER_COST) & (ship.stabilizers < SUPPLIES_MAX), high(act::BUY_STABILIZER))
        | when(can_pay(DECOY_COST) & (ship.decoys < SUPPLIES_MAX), high(act::BUY_DECOY))
        | when(can_pay(OVERHAUL_COST) & is_worn, high(act::FULL_REPAIR_OVERHAUL));
    [low, high]
}

/// Byte i of entry b is bit i of b.
const SPREAD_BITS: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut bits = 0;
    while bits < spread.len() {
        let mut bit = 0;
        while bit < 8 {
            spread[bits][bit] = (bits >> bit & 1) as u8;
            bit += 1;
        }
        bits += 1;
    }
    spread
};
