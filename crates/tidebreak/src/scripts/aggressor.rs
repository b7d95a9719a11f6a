//! Closes to gun range and circles; hunts submarines from above.

use kernel::numerics::norm2pi;

use super::course::{Course, sail, search_heading};
use super::targeting::{best_track, is_below, longest_range_m};
use crate::codes::{emissions, weapon_group};
use crate::components::Track;
use crate::contacts::{estimated_bearing, estimated_range};
use crate::orders::Order;
use crate::state::{Battle, Unit};

const CLOSE_SHARE: f64 = 0.45; // of the longest gun's range
const BROADSIDE: f64 = 1.35;
const BROADSIDE_THROTTLE: f64 = 0.85;
const HUNT_THROTTLE: f64 = 0.65;
const STALK_M: f64 = 2_500.0;
const STALK_THROTTLE: f64 = 0.5;
const OVERHEAD_M: f64 = 500.0;
const OVERHEAD_CIRCLE: f64 = 0.6;
const SEARCH_THROTTLE: f64 = 1.0; // faster than a submarine can slip away

/// Attacks the best contact; without one, looks for it around the middle of the map.
#[must_use]
pub fn aggressor(battle: &Battle, unit: usize) -> Order {
    sail(battle, unit, attack_course(battle, &battle.units[unit]), Some(emissions::ACTIVE))
}

/// Course of an attack.
#[must_use]
pub fn attack_course(battle: &Battle, unit: &Unit) -> Course {
    let Some(target) = best_track(battle, unit) else {
        return Course::new(search_heading(battle, unit), SEARCH_THROTTLE);
    };
    if is_below(target) {
        return hunt(unit, target);
    }
    let bearing = estimated_bearing(unit, target);
    if estimated_range(unit, target) > CLOSE_SHARE * longest_range_m(battle, unit, weapon_group::GUN) {
        return Course::new(norm2pi(bearing), 1.0);
    }
    Course::new(norm2pi(bearing + BROADSIDE), BROADSIDE_THROTTLE)
}

fn hunt(unit: &Unit, target: &Track) -> Course {
    let (bearing, range_m) = (estimated_bearing(unit, target), estimated_range(unit, target));
    if range_m > OVERHEAD_M {
        return Course::new(norm2pi(bearing), if range_m < STALK_M { STALK_THROTTLE } else { HUNT_THROTTLE });
    }
    Course::new(norm2pi(bearing + OVERHEAD_CIRCLE), STALK_THROTTLE)
}
