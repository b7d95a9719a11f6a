//! What stands between two points, and what disturbs sensing at either of them.

use kernel::numerics::{clamp, fmin};

use super::constants::PATH_SAMPLES;
use crate::codes::zone_effect;
use crate::records::{ResolvedMap, ResolvedShape};
use crate::resolve::shapes::contains;
use crate::resolve::terrain::depth_at;

/// Far more than rounding can move a point.
const SLACK_M: f64 = 1.0;

/// Zones and soft obstacles of a map that something is in, as bits of their places in the map's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    zones: u32,
    obstacles: u128,
}

impl Surroundings {
    /// What disturbs sensing at a point, for something in these layers.
    #[inline]
    #[must_use]
    pub fn of(sea: &ResolvedMap, x: f64, y: f64, layers_mask: i64) -> Self {
        let mut found = Self::default();
        for (place, zone) in sea.zones.iter().enumerate() {
            let is_of_sensing = zone.effect == zone_effect::SENSOR_INTERFERENCE || zone.effect == zone_effect::ECM;
            if is_of_sensing && zone.layers_mask & layers_mask != 0 && contains(&zone.shape, x, y) {
                found.zones |= 1 << place;
            }
        }
        for (place, obstacle) in sea.obstacles.iter().enumerate() {
            if !obstacle.solid && obstacle.layers_mask & layers_mask != 0 && contains(&obstacle.shape, x, y) {
                found.obstacles |= 1 << place;
            }
        }
        found
    }

    /// What disturbs sensing at either of two points.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self { zones: self.zones | other.zones, obstacles: self.obstacles | other.obstacles }
    }

    /// Capped sum of the jamming zones.
    #[inline]
    #[must_use]
    pub fn ecm(self, sea: &ResolvedMap) -> f64 {
        if self.zones == 0 {
            return 0.0;
        }
        fmin(self.zone_sum(sea, zone_effect::ECM), 1.0)
    }

    /// Capped sum of interference zones and soft obstacles.
    #[inline]
    #[must_use]
    pub fn interference(self, sea: &ResolvedMap) -> f64 {
        if self == Self::default() {
            return 0.0;
        }
        let mut total = self.zone_sum(sea, zone_effect::SENSOR_INTERFERENCE);
        for (place, obstacle) in sea.obstacles.iter().enumerate() {
            if self.obstacles >> place & 1 != 0 {
                total += obstacle.intensity;
            }
        }
        fmin(total, 1.0)
    }

    fn zone_sum(self, sea: &ResolvedMap, effect: i64) -> f64 {
        let mut total = 0.0;
        for (place, zone) in sea.zones.iter().enumerate() {
            if self.zones >> place & 1 != 0 && zone.effect == effect {
                total += zone.intensity;
            }
        }
        total
    }
}

/// Points at a quarter, a half and three quarters of the way.
#[inline]
#[must_use]
pub fn path_points(start: [f64; 2], end: [f64; 2]) -> [[f64; 2]; 3] {
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    PATH_SAMPLES.map(|share| [start[0] + share * dx, start[1] + share * dy])
}

/// Whether land or a solid obstacle of the target's layer lies on the line between two points.
#[must_use]
pub fn is_sight_blocked(sea: &ResolvedMap, start: [f64; 2], end: [f64; 2], layer: i64) -> bool {
    for obstacle in &sea.obstacles {
        if obstacle.solid && obstacle.layers_mask >> layer & 1 != 0 && meets(&obstacle.shape, start, end) {
            return true;
        }
    }
    if let Some(uniform_m) = sea.depth.uniform_m {
        return uniform_m <= 0.0;
    }
    let bounds = [sea.min_x, sea.min_y, sea.max_x, sea.max_y];
    path_points(start, end).iter().any(|&[x, y]| depth_at(&sea.depth, bounds, x, y) <= 0.0)
}

fn meets(shape: &ResolvedShape, start: [f64; 2], end: [f64; 2]) -> bool {
    let squared_m = squared_distance([shape.x, shape.y], start, end);
    let Some(&(mut before)) = shape.vertices.last() else {
        return squared_m <= shape.radius_m * shape.radius_m;
    };
    let reach_m = shape.radius_m + SLACK_M;
    if squared_m > reach_m * reach_m {
        return false;
    }
    if contains(shape, start[0], start[1]) || contains(shape, end[0], end[1]) {
        return true;
    }
    for &vertex in &shape.vertices {
        if cross(start, end, before, vertex) {
            return true;
        }
        before = vertex;
    }
    false
}

fn squared_distance(point: [f64; 2], start: [f64; 2], end: [f64; 2]) -> f64 {
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    let length = dx * dx + dy * dy;
    let mut share = 0.0;
    if length > 0.0 {
        share = clamp(((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length, 0.0, 1.0);
    }
    let (off_x, off_y) = (point[0] - (start[0] + share * dx), point[1] - (start[1] + share * dy));
    off_x * off_x + off_y * off_y
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    is_left(a, b, c) != is_left(a, b, d) && is_left(c, d, a) != is_left(c, d, b)
}

fn is_left(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> bool {
    (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0.0
}
