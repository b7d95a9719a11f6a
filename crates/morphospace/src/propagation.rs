//! One step of spreading, drifting and fading.

use kernel::numerics::{clamp, exp, fmin};

use crate::bricks::Bricks;
use crate::constants::{
    ALPHA_MAX, BRICK_CELLS, COURANT_MAX, DRIFT_SHARE, DYNAMIC_RULES, FIRST_DYNAMIC, LAYER_BRICKS, N_DYNAMIC, N_LAYERS,
    SMOKE,
};
use crate::domain::neighbors;
use crate::growth::Activity;
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
    let stencils = stencils(bricks, rates, wind);
    let spreading = fields_where(|field| stencils[0][field].spreads());
    let mut updates = 0;
    bricks.active = Default::default();
    bricks.back.restart();
    for key in bricks.keys.iter() {
        let (slot, layer) = (bricks.source(key), key / LAYER_BRICKS);
        // Beyond the domain nothing flows, so that it does not matter what is read there.
        let around = neighbors(key).map(|neighbor| neighbor.map_or(slot, |neighbor| bricks.source(neighbor)));
        let Bricks { front, back, .. } = &mut *bricks;
        back.rest(slot, layer);
        let beside = around.iter().fold(0, |fields, &near| fields | front.active(near));
        let touched = front.active(slot) | beside & spreading;
        let mut activity = Activity::default();
        for (field, stencil) in stencils[layer].iter().enumerate().filter(|(field, _)| touched >> field & 1 == 1) {
            let (own, out) = (front.cells(slot, field), back.next_page());
            let furthest = if spreading >> field & 1 == 1 {
                let beside = around.map(|near| front.cells(near, field));
                stencil.spread(&Patch::around(own, beside), statics.closed(key), out)
            } else {
                stencil.fade(own, out)
            };
            if furthest > 0.0 {
                back.keep_page(slot, field);
                activity.note(field, furthest);
            }
            updates += BRICK_CELLS;
        }
        bricks.note_step(key, slot, &activity);
    }
    bricks.swap();
    updates
}

/// What a step does to each field of each layer.
fn stencils(bricks: &Bricks, rates: &Rates, wind: [f64; 2]) -> [[Stencil; N_DYNAMIC]; N_LAYERS] {
    let courant = wind.map(|component| rates.courant(component));
    std::array::from_fn(|layer| {
        std::array::from_fn(|field| Stencil {
            alpha: rates.alpha[field],
            courant: (field == SMOKE - FIRST_DYNAMIC).then_some(courant),
            keep: rates.keep[field],
            default: bricks.defaults(layer)[field],
            low: DYNAMIC_RULES[field].low,
            high: DYNAMIC_RULES[field].high,
        })
    })
}

fn fields_where(is_so: impl Fn(usize) -> bool) -> u8 {
    (0..N_DYNAMIC).fold(0, |bits, field| bits | u8::from(is_so(field)) << field)
}
