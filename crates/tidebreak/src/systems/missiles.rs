//! What is special about missiles: how far their radar sees, and how near they must pass.

use kernel::numerics::clamp;

/// How near a missile must pass to go off.
pub const FUZE_M: f64 = 12.0;
const REACH_LIMITS: (f64, f64) = (0.5, 1.5);

/// Distance at which a missile sees a target of this radar index: the fourth root of what comes back.
#[must_use]
pub fn missile_reach_m(seeker_m: f64, radar_index: f64) -> f64 {
    seeker_m * clamp((radar_index / 100.0).sqrt().sqrt(), REACH_LIMITS.0, REACH_LIMITS.1)
}
