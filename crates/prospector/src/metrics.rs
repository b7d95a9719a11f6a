//! The metrics of the contract, computed from a state.

use kernel::numerics::fmax;

use crate::ending::{is_destroyed, is_stranded};
use crate::state::State;
use crate::tables::N_METRICS;

/// Metrics in column order.
#[inline(always)]
pub(crate) fn metrics_of(state: &State) -> [f64; N_METRICS] {
    let counters = &state.counters;
    let credits = state.ship.credits;
    // A ship starts without credits, and purchases are already out of them.
    let net_profit = credits;
    let is_lost = is_destroyed(state) | is_stranded(state);
    [
        credits,
        net_profit,
        net_profit / fmax(1.0, f64::from(state.ticks)),
        if is_lost { 0.0 } else { 1.0 },
        f64::from(counters.overheat_ticks),
        f64::from(counters.pirate_encounters),
        counters.value_lost_to_pirates,
        counters.fuel_used,
        counters.hull_damage,
        counters.tool_wear,
        f64::from(counters.scan_count),
        f64::from(counters.mining_ticks),
        // The sum is 0 before the first step, whatever it is divided by.
        counters.utilization_sum / f64::from(counters.utilization_ticks.max(1)),
    ]
}
