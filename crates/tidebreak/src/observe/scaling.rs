//! Numbers as observations show them: relative to the unit and within -1 to 1.

use kernel::numerics::{atan2, clamp, sincos, wrap};

use crate::state::{Battle, Unit};

/// Brings a value into -1 to 1 and rounds it, once, to what the row holds; a zero has no sign, for a restored state does
/// not know it.
#[inline]
#[must_use]
pub const fn clip(value: f64) -> f32 {
    (clamp(value, -1.0, 1.0) + 0.0) as f32
}

/// 1 if something is so, else 0.
#[inline]
#[must_use]
pub const fn flag(is_so: bool) -> f32 {
    if is_so { 1.0 } else { 0.0 }
}

/// Half the larger side of the map, meters.
#[inline]
#[must_use]
pub fn half_side(battle: &Battle) -> f64 {
    let area = battle.map();
    let (width_m, height_m) = (area.max_x - area.min_x, area.max_y - area.min_y);
    (if height_m > width_m { height_m } else { width_m }) / 2.0
}

/// Sine and cosine of the relative bearing of a point, positive to port.
#[inline]
#[must_use]
pub fn relative_direction(unit: &Unit, x: f64, y: f64) -> (f64, f64) {
    sincos(wrap(atan2(y - unit.transform.y, x - unit.transform.x) - unit.transform.heading))
}
