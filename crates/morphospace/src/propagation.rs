//! One step of spreading, drifting and fading.

use kernel::numerics::{clamp, exp, fmin};

use crate::bricks::Bricks;
use crate::constants::{
    ALPHA_MAX, BRICK_CELLS, COURANT_MAX, DRIFT_SHARE, DYNAMIC_RULES, FIRST_DYNAMIC, N_DYNAMIC, SMOKE,
};
use crate::domain::neighbors;
use crate::settings::Settings;
use crate::statics::Statics;
use crate::stencil::{Patch, Stencil};

/// What a step multiplies with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    alpha: [f32; N_DYNAMIC],
    keep: [f32; N_DYNAMIC],
    seconds: f64,
    cell_m: f64,
}

impl Rates {
    pub fn new(settings: &Settings, cell_m: f64) -> Self {
        let seconds = f64::from(settings.field_period);
        Self {
            alpha: settings.diffusivity.map(|kappa| fmin(ALPHA_MAX, kappa * seconds / (cell_m * cell_m)) as f32),
            keep: settings.decay.map(|decay| exp(-decay * seconds) as f32),
            seconds,
            cell_m,
        }
    }

    /// Share of a cell that smoke drifts in one step.
    fn courant(&self, wind_ms: f64) -> f32 {
        clamp(DRIFT_SHARE * wind_ms * self.seconds / self.cell_m, -COURANT_MAX, COURANT_MAX) as f32
    }
}

/// Advances every brick by one step, from the front to the back buffer, and swaps them; says how many cells it computed.
///
/// A field that is at its default in a brick and in the four around it would come out at its default, so it is passed
/// over.
pub(crate) fn propagate(bricks: &mut Bricks, statics: &Statics, rates: &Rates, wind: [f64; 2]) -> usize {
    let courant = wind.map(|component| rates.courant(component));
    let mut updates = 0;
    for key in bricks.keys.iter() {
        let Some(slot) = bricks.slot(key) else { continue };
        let around = neighbors(key).map(|neighbor| neighbor.and_then(|neighbor| bricks.slot(neighbor)));
        let active = &bricks.front.active;
        let touched = around.iter().flatten().fold(active[slot], |fields, &near| fields | active[near]);
        let closed = statics.closed(key);
        let defaults = *bricks.defaults_of(key);
        let mut still_active = 0;
        for (field, rule) in DYNAMIC_RULES.iter().enumerate() {
            let out = &mut bricks.back.cells[slot][field];
            if touched >> field & 1 == 0 {
                if bricks.back.active[slot] >> field & 1 == 1 {
                    *out = [defaults[field]; BRICK_CELLS];
                }
                continue;
            }
            let front = &bricks.front.cells;
            let beside = around.map(|near| near.map(|near| &front[near][field]));
            let patch = Patch::around(&front[slot][field], beside, defaults[field]);
            let stencil = Stencil {
                alpha: rates.alpha[field],
                courant,
                keep: rates.keep[field],
                default: defaults[field],
                low: rule.low,
                high: rule.high,
            };
            stencil.apply(&patch, closed, field == SMOKE - FIRST_DYNAMIC, out);
            updates += BRICK_CELLS;
            still_active |= u8::from(out.iter().any(|&cell| cell != defaults[field])) << field;
        }
        bricks.back.active[slot] = still_active;
        bricks.changed.insert(key);
    }
    bricks.swap();
    updates
}
