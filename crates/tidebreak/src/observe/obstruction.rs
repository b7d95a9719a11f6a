//! The nearest obstacle or land around a unit, felt for along rays.

use kernel::numerics::{TWO_PI, hyp, sincos};

use crate::records::{ResolvedObstacle, ResolvedShape};
use crate::resolve::shapes::contains;
use crate::state::{Battle, Unit};
use crate::systems::terrain::depth_below;

const RAYS: usize = 16;
/// How far rays reach.
pub const RAY_LENGTH_M: f64 = 5_000.0;
const RAY_STEP_M: f64 = 250.0;
const RAY_SAMPLES: usize = 20;
const SLACK_M: f64 = 1.0; // far more than rounding can move a sample

/// Where something is in the way: the relative bearing of its ray, and how far along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstruction {
    /// Radians, counter-clockwise from ahead.
    pub bearing: f64,
    /// Meters.
    pub range_m: f64,
}

/// The nearest sample in a solid obstacle or on land; of equally near ones that of the first ray.
#[must_use]
pub fn nearest_obstruction(battle: &Battle, unit: &Unit) -> Option<Obstruction> {
    let nearest_m = nearest_shape_m(battle, unit);
    let has_land = battle.map().depth.uniform_m.is_none();
    if nearest_m > RAY_LENGTH_M + SLACK_M && !has_land {
        return None;
    }
    let rays = Rays::of(unit);
    let mut samples = 1..=RAY_SAMPLES;
    samples.find_map(|sample| {
        let range_m = RAY_STEP_M * sample as f64;
        let is_shape_near = nearest_m <= range_m + SLACK_M;
        let mut near = if is_shape_near { rays.near_shapes(battle, unit, range_m) } else { 0 };
        if has_land {
            near = u32::MAX;
        }
        let ray = (0..RAYS).filter(|ray| near >> ray & 1 != 0).find(|&ray| {
            let (x, y) = rays.point(ray, range_m);
            is_on_map(battle, x, y)
                && ((is_shape_near && is_in_shape(battle, unit, x, y))
                    || (has_land && depth_below(battle, x, y) <= 0.0))
        })?;
        Some(Obstruction { bearing: bearing_of(ray), range_m })
    })
}

fn bearing_of(ray: usize) -> f64 {
    TWO_PI * ray as f64 / RAYS as f64
}

/// The rays around a unit.
struct Rays {
    x: f64,
    y: f64,
    directions: [(f64, f64); RAYS],
}

impl Rays {
    fn of(unit: &Unit) -> Self {
        let place = &unit.transform;
        let directions = std::array::from_fn(|ray| sincos(place.heading + TWO_PI * ray as f64 / RAYS as f64));
        Self { x: place.x, y: place.y, directions }
    }

    fn point(&self, ray: usize, range_m: f64) -> (f64, f64) {
        let (sine, cosine) = self.directions[ray];
        (self.x + range_m * cosine, self.y + range_m * sine)
    }

    /// Bit of every ray whose sample at this range may lie in a solid shape: within the circle around it.
    fn near_shapes(&self, battle: &Battle, unit: &Unit, range_m: f64) -> u32 {
        let mut near = 0;
        for shape in solid_shapes(battle, unit) {
            let reach_m = shape.radius_m + SLACK_M;
            let (dx, dy) = (shape.x - self.x, shape.y - self.y);
            let (least_m, most_m) = (range_m - reach_m, range_m + reach_m);
            let squared_m = dx * dx + dy * dy;
            let is_too_near = least_m > 0.0 && squared_m < least_m * least_m;
            if is_too_near || squared_m > most_m * most_m {
                continue;
            }
            for (ray, (sine, cosine)) in self.directions.iter().enumerate() {
                let (off_x, off_y) = (dx - range_m * cosine, dy - range_m * sine);
                near |= u32::from(off_x * off_x + off_y * off_y <= reach_m * reach_m) << ray;
            }
        }
        near
    }
}

/// Least range at which a ray can meet a solid shape of the unit's layers.
fn nearest_shape_m(battle: &Battle, unit: &Unit) -> f64 {
    let mut nearest_m = f64::INFINITY;
    for shape in solid_shapes(battle, unit) {
        let clearance_m = hyp(shape.x - unit.transform.x, shape.y - unit.transform.y) - shape.radius_m;
        if clearance_m < nearest_m {
            nearest_m = clearance_m;
        }
    }
    nearest_m
}

fn is_in_shape(battle: &Battle, unit: &Unit, x: f64, y: f64) -> bool {
    solid_shapes(battle, unit).any(|shape| contains(shape, x, y))
}

fn solid_shapes<'a>(battle: &'a Battle, unit: &Unit) -> impl Iterator<Item = &'a ResolvedShape> {
    let layers_mask = unit.layers_mask();
    let is_in_the_way = move |obstacle: &&ResolvedObstacle| obstacle.solid && obstacle.layers_mask & layers_mask != 0;
    battle.map().obstacles.iter().filter(is_in_the_way).map(|obstacle| &obstacle.shape)
}

fn is_on_map(battle: &Battle, x: f64, y: f64) -> bool {
    let area = battle.map();
    area.min_x <= x && x <= area.max_x && area.min_y <= y && y <= area.max_y
}
