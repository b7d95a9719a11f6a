//! Zones of the map: how strongly one kind of them acts at a point.

use kernel::numerics::fmin;

use crate::codes::zone_effect;
use crate::resolve::shapes::contains;
use crate::state::Battle;

/// Sum of the intensities of zones of one kind over a point, at most 1.
///
/// `effect` is a `zone_effect`, `layers_mask` has a bit `1 << layer` for every layer of whatever is at the point.
#[inline]
#[must_use]
pub fn zone_intensity(battle: &Battle, effect: i64, layers_mask: i64, x: f64, y: f64) -> f64 {
    let mut total = 0.0;
    for zone in &battle.map().zones {
        if zone.effect == effect && zone.layers_mask & layers_mask != 0 && contains(&zone.shape, x, y) {
            total += zone.intensity;
        }
    }
    fmin(total, 1.0)
}

/// What CURRENT zones add to the current; zones past a total intensity of 1 add nothing.
#[inline]
#[must_use]
pub fn zone_current(battle: &Battle, layers_mask: i64, x: f64, y: f64) -> (f64, f64) {
    let (mut cx, mut cy, mut left) = (0.0, 0.0, 1.0);
    for zone in &battle.map().zones {
        let is_flowing = zone.effect == zone_effect::CURRENT && zone.layers_mask & layers_mask != 0;
        if is_flowing && contains(&zone.shape, x, y) {
            let share = fmin(zone.intensity, left);
            left -= share;
            cx += zone.vector_x * share;
            cy += zone.vector_y * share;
        }
    }
    (cx, cy)
}
