//! The ship's part of the row.

use kernel::numerics::{fmax, fmin, log1p};

use super::View;
use crate::bounds::clamp;
use crate::constants::{ALERT_MAX, CARGO_MAX, FUEL_MAX, HEAT_MAX, HULL_MAX, N_COMMODITIES, SUPPLIES_MAX, TOOL_MAX};
use crate::rules::Rules;
use crate::state::State;
use crate::tables::obs;

/// Entry n: n supplies as a share of the most a ship carries.
const SUPPLY_SHARES: [f32; SUPPLIES_MAX as usize + 1] = {
    let mut shares = [0.0; SUPPLIES_MAX as usize + 1];
    let mut count = 0;
    while count < shares.len() {
        shares[count] = (count as f64 / SUPPLIES_MAX as f64) as f32;
        count += 1;
    }
    shares
};

impl View {
    /// Every amount lies between 0 and its scale after a step, so its share needs no clamping; only the sum of the hold
    /// may exceed its own by a rounding error.
    #[inline(always)]
    pub(super) fn show_ship(&mut self, state: &State, rules: &Rules) {
        const GAUGES: usize = obs::CREDITS_LOG_NORM;
        let ship = &state.ship;
        let load = fmin(CARGO_MAX, state.hold_total);
        let amounts = [ship.fuel, ship.hull, ship.heat, ship.tool, load, ship.alert, state.time_remaining];
        let scales = [FUEL_MAX, HULL_MAX, HEAT_MAX, TOOL_MAX, CARGO_MAX, ALERT_MAX, rules.config.time_max];
        for gauge in 0..GAUGES {
            self.row[gauge] = (amounts[gauge] / scales[gauge]) as f32;
        }
        for c in 0..N_COMMODITIES {
            self.row[obs::CARGO_BY_COMMODITY_FRAC + c] = (ship.cargo[c] / CARGO_MAX) as f32;
        }
        self.row[obs::REPAIR_KITS_NORM] = SUPPLY_SHARES[usize::from(ship.repair_kits)];
        self.row[obs::STABILIZERS_NORM] = SUPPLY_SHARES[usize::from(ship.stabilizers)];
        self.row[obs::DECOYS_NORM] = SUPPLY_SHARES[usize::from(ship.decoys)];
        if ship.credits.to_bits() != self.shown_credits {
            self.shown_credits = ship.credits.to_bits();
            let share = log1p(fmax(0.0, ship.credits)) / rules.credits_log_cap;
            self.row[obs::CREDITS_LOG_NORM] = clamp(share, 0.0, 1.0) as f32;
        }
    }
}
