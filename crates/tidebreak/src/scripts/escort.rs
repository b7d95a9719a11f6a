//! Stays between its charge and the nearest threat.

use kernel::numerics::{atan2, hyp, norm2pi, sincos};

use super::aggressor::attack_course;
use super::course::{Course, sail};
use super::targeting::best_track;
use crate::codes::emissions;
use crate::components::Track;
use crate::contacts::estimated_range;
use crate::orders::Order;
use crate::state::{Battle, Unit};

const STATION_M: f64 = 1_000.0; // from the charge, inside the 1,500 that the script must keep
const ON_STATION_M: f64 = 300.0;
const ENGAGE_M: f64 = 6_000.0;
const KEEP_THROTTLE: f64 = 0.4;

/// Attacks what comes near; otherwise keeps station.
#[must_use]
pub fn escort(battle: &Battle, unit: usize) -> Order {
    let own = &battle.units[unit];
    let threat = best_track(battle, own).filter(|threat| estimated_range(own, threat) < ENGAGE_M);
    let course = match asset(battle, own) {
        Some(asset) if threat.is_none() => station_course(own, asset, best_track(battle, own)),
        _ => attack_course(battle, own),
    };
    sail(battle, unit, course, Some(emissions::ACTIVE))
}

fn asset<'a>(battle: &'a Battle, unit: &Unit) -> Option<&'a Unit> {
    let task = unit.spec.objective.as_ref()?;
    battle.find_unit(task.asset_id).filter(|asset| asset.is_present())
}

fn station_course(unit: &Unit, asset: &Unit, threat: Option<&Track>) -> Course {
    let (own, charge) = (&unit.transform, &asset.transform);
    let bearing = threat.map_or(charge.heading, |threat| atan2(threat.y - charge.y, threat.x - charge.x));
    let (sine, cosine) = sincos(bearing);
    let dx = charge.x + STATION_M * cosine - own.x;
    let dy = charge.y + STATION_M * sine - own.y;
    if hyp(dx, dy) > ON_STATION_M {
        return Course::new(norm2pi(atan2(dy, dx)), 1.0);
    }
    Course::new(charge.heading, KEEP_THROTTLE)
}
