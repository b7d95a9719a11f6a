//! A submarine that creeps up, shoots and slips away.

use kernel::numerics::norm2pi;

use super::course::{Course, sail, search_heading};
use super::targeting::best_track;
use crate::codes::{emissions, layer, weapon_group};
use crate::components::STEADY;
use crate::contacts::{estimated_bearing, estimated_range};
use crate::orders::Order;
use crate::outputs::LayerDirection;
use crate::state::{Battle, Unit};
use crate::systems::layers::accepts;

const NEAR_M: f64 = 3_500.0;
const FAR_M: f64 = 8_000.0;
const CREEP_THROTTLE: f64 = 0.4;
const HURRY_THROTTLE: f64 = 0.65;
const LURK: f64 = 1.7;
const LURK_THROTTLE: f64 = 0.2;
const SLIP_AWAY: f64 = 2.6;

/// Lies in wait under water.
#[must_use]
pub fn ambusher(battle: &Battle, unit: usize) -> Order {
    let order = sail(battle, unit, course(battle, &battle.units[unit]), Some(emissions::PASSIVE));
    Order { layer: toward_submerged(battle, unit), ..order }
}

fn course(battle: &Battle, unit: &Unit) -> Course {
    let Some(target) = best_track(battle, unit) else {
        return Course::new(search_heading(battle, unit), CREEP_THROTTLE);
    };
    let (bearing, range_m) = (estimated_bearing(unit, target), estimated_range(unit, target));
    if are_tubes_empty(battle, unit) {
        return Course::new(norm2pi(bearing + SLIP_AWAY), CREEP_THROTTLE);
    }
    if range_m > NEAR_M {
        return Course::new(norm2pi(bearing), if range_m > FAR_M { HURRY_THROTTLE } else { CREEP_THROTTLE });
    }
    Course::new(norm2pi(bearing + LURK), LURK_THROTTLE)
}

/// Whether no torpedo tube can fire now; never for a unit without tubes.
#[must_use]
pub fn are_tubes_empty(battle: &Battle, unit: &Unit) -> bool {
    let mut has_tubes = false;
    for (tube, spec) in unit.mounts.iter().zip(&unit.spec.mounts) {
        if battle.spec.weapons[spec.weapon].group == weapon_group::TORPEDO {
            has_tubes = true;
            if tube.ready_at <= battle.tick && tube.ammo != 0 {
                return false;
            }
        }
    }
    has_tubes
}

fn toward_submerged(battle: &Battle, unit: usize) -> Option<LayerDirection> {
    let depth = &battle.units[unit].layer;
    if depth.mode != STEADY || depth.layer == layer::SUBMERGED {
        return None;
    }
    let direction = if depth.layer == layer::SURFACE { LayerDirection::Down } else { LayerDirection::Up };
    accepts(battle, unit, direction).then_some(direction)
}
