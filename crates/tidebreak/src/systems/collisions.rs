//! Hulls that touch: they are parted, bounce a little, and break what the energy breaks.

use kernel::numerics::{atan2, fmin, hyp};

use crate::codes::{damage_type, unit_kind};
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Outputs, Plugin};
use crate::state::{Battle, Unit};

const RESTITUTION: f64 = 1.1; // 1 stops the approach, the rest bounces
const HARMLESS_MS: f64 = 1.5;
const KILOJOULES_PER_DAMAGE: f64 = 250.0;
const DAMAGE_CAP: f64 = 0.6; // of hp_max

/// What the search for touching pairs needs of a hull, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    x: f64,
    y: f64,
    radius_m: f64,
    unit: usize,
}

/// Resolves every touching pair of hulls, lower id first.
pub fn collide_units(battle: &mut Battle, outputs: &mut Outputs) {
    let mut discs = std::mem::take(&mut outputs.discs);
    discs.clear();
    let hulls = battle.units[..battle.starting_units()].iter().enumerate().filter(|(_, hull)| hull.is_present());
    discs.extend(hulls.map(|(unit, hull)| Disc { x: hull.x(), y: hull.y(), radius_m: hull.spec.hull.radius_m, unit }));
    for first in 0..discs.len() {
        for second in first + 1..discs.len() {
            let (one, other) = (discs[first], discs[second]);
            let reach = one.radius_m + other.radius_m;
            let (dx, dy) = (other.x - one.x, other.y - one.y);
            if dx.abs() > reach || dy.abs() > reach {
                continue;
            }
            let distance = hyp(dx, dy);
            if distance < reach && can_touch(&battle.units[one.unit], &battle.units[other.unit]) {
                let normal = if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
                let pair = [one.unit, other.unit];
                part(battle, pair, reach - distance, normal);
                bounce(battle, pair, normal, outputs);
                for disc in [first, second] {
                    let place = battle.units[discs[disc].unit].transform;
                    (discs[disc].x, discs[disc].y) = (place.x, place.y);
                }
            }
        }
    }
    outputs.discs = discs;
}

fn can_touch(first: &Unit, second: &Unit) -> bool {
    if is_fixed(first) && is_fixed(second) {
        return false;
    }
    let is_attached = (first.is_docked() && first.boarding.target_id == second.id())
        || (second.is_docked() && second.boarding.target_id == first.id());
    !is_attached && first.layers_mask() & second.layers_mask() != 0
}

fn is_fixed(unit: &Unit) -> bool {
    unit.identity.kind == unit_kind::PLATFORM || unit.spec.hull.mass_t == 0.0
}

fn inverse_mass(unit: &Unit) -> f64 {
    if is_fixed(unit) { 0.0 } else { 1.0 / unit.spec.hull.mass_t }
}

fn part(battle: &mut Battle, [first, second]: [usize; 2], overlap: f64, [nx, ny]: [f64; 2]) {
    let (one, other) = (&battle.units[first], &battle.units[second]);
    let first_share = if is_fixed(one) {
        0.0
    } else if is_fixed(other) {
        1.0
    } else {
        other.spec.hull.mass_t / (one.spec.hull.mass_t + other.spec.hull.mass_t)
    };
    let (back, forth) = (overlap * first_share, overlap * (1.0 - first_share));
    let place = &mut battle.units[first].transform;
    place.x -= nx * back;
    place.y -= ny * back;
    let place = &mut battle.units[second].transform;
    place.x += nx * forth;
    place.y += ny * forth;
}

fn bounce(battle: &mut Battle, pair: [usize; 2], normal: [f64; 2], outputs: &mut Outputs) {
    let [first, second] = pair.map(|unit| &battle.units[unit]);
    let [nx, ny] = normal;
    let opening = (second.motion.vx - first.motion.vx) * nx + (second.motion.vy - first.motion.vy) * ny;
    if opening < 0.0 {
        let (inverse_first, inverse_second) = (inverse_mass(first), inverse_mass(second));
        let is_first_contact = !first.scratch.collided_ids.contains(&second.id());
        let impulse = -RESTITUTION * opening / (inverse_first + inverse_second);
        let motion = &mut battle.units[pair[0]].motion;
        motion.vx -= impulse * inverse_first * nx;
        motion.vy -= impulse * inverse_first * ny;
        let motion = &mut battle.units[pair[1]].motion;
        motion.vx += impulse * inverse_second * nx;
        motion.vy += impulse * inverse_second * ny;
        if opening < -HARMLESS_MS && is_first_contact {
            let reduced_mass = 1.0 / (inverse_first + inverse_second);
            break_both(battle, pair, 0.5 * reduced_mass * (opening * opening), normal, outputs);
        }
    }
}

fn break_both(
    battle: &mut Battle,
    [first, second]: [usize; 2],
    energy_kj: f64,
    [nx, ny]: [f64; 2],
    outputs: &mut Outputs,
) {
    let (source, target) = (battle.units[first].id(), battle.units[second].id());
    let cause = battle.record(News { source, target, f0: energy_kj, ..News::of(EventKind::Collision) });
    for (unit, other_id, direction) in [(first, target, atan2(ny, nx)), (second, source, atan2(-ny, -nx))] {
        let own = &mut battle.units[unit];
        own.scratch.collided_ids.push(other_id);
        own.scratch.mishaps += 1;
        own.tally.collisions += 1;
        let amount = fmin(energy_kj / KILOJOULES_PER_DAMAGE, DAMAGE_CAP * own.spec.hull.hp_max);
        let harm = Damage::new(other_id, own.id(), amount, damage_type::KINETIC, direction);
        outputs.emit(Plugin::Helm, Damage { ignores_armour: true, cause, ..harm });
    }
}
