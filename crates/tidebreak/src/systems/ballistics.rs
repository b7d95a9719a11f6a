//! Where a gunner aims, how far rounds scatter around that, and how long the next load takes.

use kernel::numerics::{ceil, fmax, hyp};

use crate::records::ResolvedWeapon;

const LEAD_PASSES: usize = 2;
const FATIGUE_ON_GUNNERY: f64 = 0.3;
/// By size: small hulls roll most.
const SEA_ON_SPREAD: [f64; 4] = [1.0, 0.7, 0.4, 0.2];
const SEA_STATE_ON_SPREAD: f64 = 0.04;

/// Skill that is left of a tired gun crew.
#[must_use]
pub fn effective_gunnery(gunnery: f64, fatigue: f64) -> f64 {
    gunnery * (1.0 - FATIGUE_ON_GUNNERY * fatigue)
}

/// Where the target will be when something launched now arrives, after two corrections of the flight time.
///
/// `velocity_ms` is zero where it is unknown; what does not fly is aimed at the target itself.
#[must_use]
pub fn lead_point(own: (f64, f64), target: (f64, f64), velocity_ms: (f64, f64), speed_ms: f64) -> (f64, f64) {
    if speed_ms == 0.0 {
        return target;
    }
    let (mut x, mut y) = target;
    let mut flight_s = hyp(x - own.0, y - own.1) / speed_ms;
    for _ in 0..LEAD_PASSES {
        x = target.0 + velocity_ms.0 * flight_s;
        y = target.1 + velocity_ms.1 * flight_s;
        flight_s = hyp(x - own.0, y - own.1) / speed_ms;
    }
    (x, y)
}

/// What decides how far rounds scatter, besides weapon and range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aiming {
    /// The effective one.
    pub gunnery: f64,
    /// Of the hull.
    pub size: i64,
    /// Where the ship is.
    pub sea_state: f64,
    /// Of the ship.
    pub morale: f64,
}

/// Standard deviation of a salvo's fall along either axis.
#[must_use]
pub fn gun_spread_m(weapon: &ResolvedWeapon, range_m: f64, aiming: &Aiming) -> f64 {
    let scatter = range_m * weapon.spread_rad * (1.5 - aiming.gunnery);
    let rolling = 1.0 + SEA_STATE_ON_SPREAD * SEA_ON_SPREAD[aiming.size as usize] * aiming.sea_state;
    fmax(weapon.spread_min_m, scatter * rolling * (1.2 - 0.4 * aiming.morale))
}

/// Standard deviation of a depth-charge pattern along either axis.
#[must_use]
pub fn charge_spread_m(weapon: &ResolvedWeapon, range_m: f64) -> f64 {
    fmax(weapon.spread_min_m, weapon.spread_rad * range_m)
}

/// Ticks until the mount can fire again; `gunnery` is the effective one, the others are usable fractions.
#[must_use]
pub fn reload_ticks(weapon: &ResolvedWeapon, gunnery: f64, weapons: f64, power: f64) -> i64 {
    let skill = 1.25 - 0.5 * gunnery;
    ceil(weapon.cooldown_s as f64 * skill * (1.0 + 0.5 * (1.0 - weapons)) * (1.0 + 0.3 * (1.0 - power))) as i64
}
