//! Keeps the enemy at the far end of its guns.

use kernel::numerics::{HALF_PI, PI, norm2pi};

use super::course::{Course, sail, search_heading};
use super::targeting::{best_track, longest_range_m};
use crate::codes::{emissions, weapon_group};
use crate::contacts::{estimated_bearing, estimated_range};
use crate::orders::Order;
use crate::state::{Battle, Unit};

const TOO_CLOSE: f64 = 0.7; // of the longest gun's range, as is the next
const TOO_FAR: f64 = 0.9;
const HOLD_THROTTLE: f64 = 0.85;
const SEARCH_THROTTLE: f64 = 0.65;

/// Runs when the enemy is near, closes when it is far, circles between.
#[must_use]
pub fn kiter(battle: &Battle, unit: usize) -> Order {
    sail(battle, unit, course(battle, &battle.units[unit]), Some(emissions::ACTIVE))
}

fn course(battle: &Battle, unit: &Unit) -> Course {
    let Some(target) = best_track(battle, unit) else {
        return Course::new(search_heading(battle, unit), SEARCH_THROTTLE);
    };
    let gun_m = longest_range_m(battle, unit, weapon_group::GUN);
    let (bearing, range_m) = (estimated_bearing(unit, target), estimated_range(unit, target));
    if range_m < TOO_CLOSE * gun_m {
        return Course::new(norm2pi(bearing + PI), 1.0);
    }
    if range_m > TOO_FAR * gun_m {
        return Course::new(norm2pi(bearing), 1.0);
    }
    Course::new(norm2pi(bearing + HALF_PI), HOLD_THROTTLE)
}
