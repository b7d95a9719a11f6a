//! Runs for its destination or the nearest way out.

use kernel::numerics::{HALF_PI, PI, atan2, norm2pi};

use super::course::{Course, sail};
use super::targeting::best_track;
use crate::contacts::estimated_bearing;
use crate::judge::journeys::destination;
use crate::judge::standing::Case;
use crate::orders::Order;
use crate::state::{Battle, Unit};
use crate::systems::support::can_launch_decoy;

const PINGED_TICKS: i64 = 10;

/// Goes, at full speed, and throws decoys when somebody's sonar finds it.
#[must_use]
pub fn evader(battle: &Battle, unit: usize) -> Order {
    let order = sail(battle, unit, Course::new(heading(battle, unit), 1.0), None);
    let is_pinged = battle.tick - battle.units[unit].contact_memory.pinged_at <= PINGED_TICKS;
    Order { decoy: order.decoy || (is_pinged && can_launch_decoy(battle, unit)), ..order }
}

fn heading(battle: &Battle, unit: usize) -> f64 {
    let own = &battle.units[unit];
    let goal = own.spec.objective.as_ref().and_then(|task| destination(&Case { battle, unit: own, task }));
    if let Some((x, y)) = goal {
        return norm2pi(atan2(y - own.transform.y, x - own.transform.x));
    }
    if battle.map().edges_open {
        return nearest_edge_heading(battle, own);
    }
    match best_track(battle, own) {
        Some(threat) => norm2pi(estimated_bearing(own, threat) + PI),
        None => own.transform.heading,
    }
}

/// Heading to the nearest edge; ties go east, north, west, south.
#[must_use]
pub fn nearest_edge_heading(battle: &Battle, unit: &Unit) -> f64 {
    let (area, place) = (battle.map(), &unit.transform);
    let ways = [
        (area.max_x - place.x, 0.0),
        (area.max_y - place.y, HALF_PI),
        (place.x - area.min_x, PI),
        (place.y - area.min_y, PI + HALF_PI),
    ];
    let (mut nearest_m, mut heading) = ways[0];
    for (distance_m, candidate) in ways {
        if distance_m < nearest_m {
            (nearest_m, heading) = (distance_m, candidate);
        }
    }
    heading
}
