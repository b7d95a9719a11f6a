//! Solid obstacles push hulls out.

use kernel::numerics::{atan2, clamp, fmin, hyp};

use crate::codes::damage_type;
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Outputs, Plugin};
use crate::records::ResolvedShape;
use crate::resolve::shapes::contains;
use crate::state::Battle;

const RESTITUTION: f64 = 1.1;
const HARMLESS_MS: f64 = 1.5;
const KILOJOULES_PER_DAMAGE: f64 = 500.0;
const DAMAGE_CAP: f64 = 0.3; // of hp_max
const ROUNDING_M: f64 = 1.0; // far more than rounding can add to the circle around a polygon

/// Direction out of an obstacle, and how deep a hull is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// East.
    pub nx: f64,
    /// North.
    pub ny: f64,
    /// How far out the hull must go.
    pub depth_m: f64,
}

impl Contact {
    fn along(dx: f64, dy: f64, distance: f64, depth_m: f64) -> Self {
        if distance == 0.0 {
            return Self { nx: 1.0, ny: 0.0, depth_m };
        }
        Self { nx: dx / distance, ny: dy / distance, depth_m }
    }
}

/// Parts a unit from every solid obstacle of its layers, in the map's order.
pub fn push_out_of_obstacles(battle: &mut Battle, unit: usize, outputs: &mut Outputs) {
    for index in 0..battle.map().obstacles.len() {
        let obstacle = &battle.map().obstacles[index];
        let own = &battle.units[unit];
        if !obstacle.solid || obstacle.layers_mask & own.layers_mask() == 0 {
            continue;
        }
        if let Some(contact) = find_contact(&obstacle.shape, own.x(), own.y(), own.spec.hull.radius_m) {
            let transform = &mut battle.units[unit].transform;
            transform.x += contact.nx * contact.depth_m;
            transform.y += contact.ny * contact.depth_m;
            bounce(battle, unit, contact, outputs);
        }
    }
}

/// How a disc touches a shape, `None` if it does not.
#[inline]
#[must_use]
pub fn find_contact(shape: &ResolvedShape, x: f64, y: f64, radius_m: f64) -> Option<Contact> {
    let (dx, dy) = (x - shape.x, y - shape.y);
    let reach_m = shape.radius_m + radius_m + ROUNDING_M;
    if dx.abs() > reach_m || dy.abs() > reach_m {
        return None;
    }
    if shape.vertices.is_empty() {
        let distance = hyp(dx, dy);
        let depth = shape.radius_m + radius_m - distance;
        return (depth > 0.0).then(|| Contact::along(dx, dy, distance, depth));
    }
    let [px, py] = closest_boundary_point(shape, x, y);
    let distance = hyp(x - px, y - py);
    if contains(shape, x, y) {
        return Some(Contact::along(px - x, py - y, distance, distance + radius_m));
    }
    (distance < radius_m).then(|| Contact::along(x - px, y - py, distance, radius_m - distance))
}

/// Point of a polygon's edges nearest to a point; ties go to the earlier edge, from the last vertex to the first.
#[must_use]
pub fn closest_boundary_point(shape: &ResolvedShape, x: f64, y: f64) -> [f64; 2] {
    let [mut ax, mut ay] = shape.vertices[shape.vertices.len() - 1];
    let mut best = [ax, ay];
    let mut best_squared = (x - ax) * (x - ax) + (y - ay) * (y - ay);
    for &[bx, by] in &shape.vertices {
        let (dx, dy) = (bx - ax, by - ay);
        let along = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
        let (px, py) = (ax + along * dx, ay + along * dy);
        let squared = (x - px) * (x - px) + (y - py) * (y - py);
        if squared < best_squared {
            (best, best_squared) = ([px, py], squared);
        }
        (ax, ay) = (bx, by);
    }
    best
}

fn bounce(battle: &mut Battle, unit: usize, contact: Contact, outputs: &mut Outputs) {
    let own = &mut battle.units[unit];
    let outward = own.motion.vx * contact.nx + own.motion.vy * contact.ny;
    if outward < 0.0 {
        own.motion.vx -= RESTITUTION * outward * contact.nx;
        own.motion.vy -= RESTITUTION * outward * contact.ny;
        let inward = -outward;
        if inward > HARMLESS_MS {
            own.scratch.mishaps += 1;
            own.tally.collisions += 1;
            let (id, hull) = (own.id(), &own.spec.hull);
            let energy_kj = 0.5 * hull.mass_t * (inward * inward);
            let amount = fmin(energy_kj / KILOJOULES_PER_DAMAGE, DAMAGE_CAP * hull.hp_max);
            let harm = Damage::new(id, id, amount, damage_type::KINETIC, atan2(-contact.ny, -contact.nx));
            let cause = battle.record(News { source: id, f0: energy_kj, ..News::of(EventKind::Collision) });
            outputs.emit(Plugin::Helm, Damage { ignores_armour: true, cause, ..harm });
        }
    }
}
