//! What all scripts share: where to steer in spite of edges, torpedoes and friends, and the order that comes of it.

use kernel::numerics::{HALF_PI, atan2, clamp, fmax, fmin, hyp, norm2pi, sincos, wrap};

use super::targeting::{best_track, fire_groups};
use crate::codes::{dc_focus, munition_kind};
use crate::components::Munition;
use crate::orders::{Groups, Order};
use crate::sensing::incoming::sensed_munitions;
use crate::state::{Battle, Unit};
use crate::systems::support::can_launch_decoy;

/// Radians off course at which the rudder is hard over.
pub const RUDDER_SPAN: f64 = 0.35;
/// Distance to an edge at which a ship turns away.
pub const EDGE_M: f64 = 600.0;
/// Distance within which a torpedo is dodged.
pub const DODGE_M: f64 = 1_200.0;
const DODGE_DEAF_M: f64 = 600.0;
/// The same, for submarines.
pub const DODGE_SUBMARINE_M: f64 = 900.0;
/// Radius of a search, as a share of the way from the middle to the nearest edge.
pub const SEARCH_CIRCLE: f64 = 0.5;
const SEARCH_OUTWARD: f64 = 2.0; // quarter turns off the middle at most: from within the circle, straight out
const CLEARANCE_M: f64 = 250.0; // between hulls of a team
const CLEARANCE_URGE: f64 = 2.0; // at touching hulls, against 1 for the wanted heading
/// Fire or flood from which damage control turns to it.
pub const WORTH_A_FOCUS: f64 = 0.3;

/// Where a script wants to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// In the world.
    pub heading: f64,
    /// -0.4 to 1.
    pub throttle: f64,
}

impl Course {
    /// A course.
    #[inline]
    #[must_use]
    pub const fn new(heading: f64, throttle: f64) -> Self {
        Self { heading, throttle }
    }
}

/// The order of a script that wants this course and this posture; torpedoes, edges and friends come first.
#[must_use]
pub fn sail(battle: &Battle, unit: usize, course: Course, emissions: Option<i64>) -> Order {
    let own = &battle.units[unit];
    let order = hold_fire(battle, unit, course, emissions, true);
    match best_track(battle, own) {
        Some(target) => Order { groups: fire_groups(battle, own, target), ..order },
        None => order,
    }
}

/// The same order without a shot, and without regard to friends unless it keeps clear of them.
#[must_use]
pub fn hold_fire(battle: &Battle, unit: usize, course: Course, emissions: Option<i64>, keeps_clear: bool) -> Order {
    let own = &battle.units[unit];
    let threat = torpedo_to_dodge(battle, own);
    let course = match threat {
        Some(torpedo) => Course::new(atan2(own.transform.y - torpedo.y, own.transform.x - torpedo.x), 1.0),
        None if is_near_closed_edge(battle, own) => Course::new(bearing_to_center(battle, own), course.throttle),
        None if keeps_clear => Course::new(clear_of_mates(battle, own, course.heading), course.throttle),
        None => course,
    };
    Order {
        throttle: course.throttle,
        rudder: rudder_toward(own, course.heading),
        emissions: emissions.filter(|&code| code != own.posture.emissions),
        groups: Groups::NONE,
        track_id: best_track(battle, own).map_or(0, |target| target.track_id),
        focus: focus_needed(own),
        decoy: threat.is_some() && can_launch_decoy(battle, unit),
        ..Order::default()
    }
}

/// Rudder that brings the unit onto a heading.
#[inline]
#[must_use]
pub fn rudder_toward(unit: &Unit, heading: f64) -> f64 {
    clamp(wrap(heading - unit.transform.heading) / RUDDER_SPAN, -1.0, 1.0)
}

/// Nearest hostile torpedo that is sensed and too close; of equally near ones that with the lowest id.
#[must_use]
pub fn torpedo_to_dodge<'a>(battle: &'a Battle, unit: &'a Unit) -> Option<&'a Munition> {
    let reach_m = if unit.spec.hull.is_submarine {
        DODGE_SUBMARINE_M
    } else if unit.spec.sensors.di_db.is_some() {
        DODGE_M
    } else {
        DODGE_DEAF_M
    };
    let mut nearest = None;
    let mut nearest_m = f64::INFINITY;
    for (distance_m, place) in sensed_munitions(battle, unit) {
        let munition = &battle.munitions[place];
        let (dx, dy) = (munition.x - unit.transform.x, munition.y - unit.transform.y);
        let is_close = munition.kind == munition_kind::TORPEDO && dx * dx + dy * dy <= reach_m * reach_m;
        if is_close && distance_m < nearest_m {
            (nearest, nearest_m) = (Some(munition), distance_m);
        }
    }
    nearest
}

/// Whether an edge that cannot be crossed is close.
#[must_use]
pub fn is_near_closed_edge(battle: &Battle, unit: &Unit) -> bool {
    let (area, place) = (battle.map(), &unit.transform);
    if area.edges_open {
        return false;
    }
    let across_m = fmin(place.x - area.min_x, area.max_x - place.x);
    fmin(across_m, fmin(place.y - area.min_y, area.max_y - place.y)) < EDGE_M
}

/// World bearing of the middle of the map.
#[must_use]
pub fn bearing_to_center(battle: &Battle, unit: &Unit) -> f64 {
    let (area, place) = (battle.map(), &unit.transform);
    atan2((area.min_y + area.max_y) / 2.0 - place.y, (area.min_x + area.max_x) / 2.0 - place.x)
}

/// Heading without a contact: circle the middle of the map at a distance, where more of the sea is heard.
#[must_use]
pub fn search_heading(battle: &Battle, unit: &Unit) -> f64 {
    let (area, place) = (battle.map(), &unit.transform);
    let circle_m = SEARCH_CIRCLE * fmin(area.max_x - area.min_x, area.max_y - area.min_y) / 2.0;
    let (center_x, center_y) = ((area.min_x + area.max_x) / 2.0, (area.min_y + area.max_y) / 2.0);
    let center_m = hyp(center_x - place.x, center_y - place.y);
    norm2pi(around(bearing_to_center(battle, unit), center_m, circle_m))
}

/// Bearing that leads onto a circle around a point at this bearing and distance, and then along it.
#[must_use]
pub fn around(bearing: f64, distance_m: f64, circle_m: f64) -> f64 {
    bearing - HALF_PI * fmin(circle_m / fmax(distance_m, 1.0), SEARCH_OUTWARD)
}

/// A heading, bent away from the team-mates in the same layer whom the link places too close.
#[must_use]
pub fn clear_of_mates(battle: &Battle, unit: &Unit, heading: f64) -> f64 {
    let (mut push_x, mut push_y) = (0.0, 0.0);
    for fix in &unit.memory.mate_fixes {
        let (dx, dy) = (unit.transform.x - fix.x, unit.transform.y - fix.y);
        let apart_m = hyp(dx, dy);
        let gap_m = apart_m - unit.spec.hull.radius_m - battle.unit(fix.unit_id).spec.hull.radius_m;
        if fix.layer == unit.layer.layer && gap_m < CLEARANCE_M && apart_m > 0.0 {
            let push = CLEARANCE_URGE * (1.0 - gap_m / CLEARANCE_M) / apart_m;
            push_x += push * dx;
            push_y += push * dy;
        }
    }
    if push_x == 0.0 && push_y == 0.0 {
        return heading;
    }
    let (sine, cosine) = sincos(heading);
    norm2pi(atan2(sine + push_y, cosine + push_x))
}

/// What damage control should turn to; `None` if it already does.
#[must_use]
pub fn focus_needed(unit: &Unit) -> Option<i64> {
    let wanted = if unit.hull.fire > WORTH_A_FOCUS {
        dc_focus::FIRE
    } else if unit.hull.flood > WORTH_A_FOCUS {
        dc_focus::FLOOD
    } else {
        dc_focus::BALANCED
    };
    (unit.posture.dc_focus != wanted).then_some(wanted)
}
