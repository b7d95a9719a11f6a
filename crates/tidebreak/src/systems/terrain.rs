//! The sea bed and the edges of the map.

use kernel::numerics::{clamp, fmin};

use crate::codes::{damage_type, layer, unit_status};
use crate::components::IN_TRANSIT;
use crate::events::{EventKind, NO_EVENT, News};
use crate::outputs::{Damage, Outputs, Plugin};
use crate::resolve::terrain::{allows, depth_at};
use crate::state::{Battle, Unit};

const REBOUND: f64 = -0.2;
const DAMAGE_SHARE: f64 = 0.01; // of hp_max at the reference speed
const REFERENCE_MS: f64 = 5.0;
const DAMAGE_CAP: f64 = 0.2; // of hp_max
const EVENT_EVERY_TICKS: i64 = 10;
const CLEARANCE_M: f64 = 0.5;

/// Depth at a point, meters.
#[inline]
#[must_use]
pub fn depth_below(battle: &Battle, x: f64, y: f64) -> f64 {
    let area = battle.map();
    depth_at(&area.depth, [area.min_x, area.min_y, area.max_x, area.max_y], x, y)
}

/// Puts a unit that has run aground back to where it was, and tells whether it is stuck.
pub fn keep_off_ground(battle: &mut Battle, unit: usize, before: [f64; 2], outputs: &mut Outputs) {
    let own = &battle.units[unit];
    let mut depth = depth_below(battle, own.x(), own.y());
    if !can_float(own, depth) {
        let transform = &mut battle.units[unit].transform;
        [transform.x, transform.y] = before;
        run_aground(battle, unit, outputs);
        depth = depth_below(battle, before[0], before[1]);
    } else if !own.has(unit_status::GROUNDED) {
        return;
    }
    let own = &mut battle.units[unit];
    if depth - own.spec.hull.draught_m < CLEARANCE_M {
        own.mark(unit_status::GROUNDED);
    } else {
        own.unmark(unit_status::GROUNDED);
    }
}

#[inline]
fn can_float(unit: &Unit, depth: f64) -> bool {
    let state = &unit.layer;
    let deeper = if state.mode == IN_TRANSIT { state.layer.max(state.target_layer) } else { state.layer };
    let is_too_shallow = deeper == layer::SURFACE && depth < unit.spec.hull.draught_m;
    allows(depth, deeper) && !is_too_shallow
}

#[cold]
fn run_aground(battle: &mut Battle, unit: usize, outputs: &mut Outputs) {
    let tick = battle.tick;
    let own = &battle.units[unit];
    let (id, speed, heading, hp_max) = (own.id(), own.speed(), own.heading(), own.spec.hull.hp_max);
    let pace = speed / REFERENCE_MS;
    let mut cause = NO_EVENT;
    if tick - own.memory.grounding_at >= EVENT_EVERY_TICKS {
        cause = battle.record(News { source: id, f0: speed, ..News::of(EventKind::Grounding) });
        let own = &mut battle.units[unit];
        own.memory.grounding_at = tick;
        own.scratch.mishaps += 1;
    }
    let motion = &mut battle.units[unit].motion;
    motion.vx *= REBOUND;
    motion.vy *= REBOUND;
    let amount = fmin(DAMAGE_SHARE * hp_max * (pace * pace), DAMAGE_CAP * hp_max);
    let harm = Damage::new(id, id, amount, damage_type::KINETIC, heading);
    outputs.emit(Plugin::Helm, Damage { cause, ..harm });
}

/// Holds a unit at a closed edge; lets it leave over an open one.
pub fn keep_in_bounds(battle: &mut Battle, unit: usize) {
    let area = battle.map();
    let (min_x, min_y, max_x, max_y) = (area.min_x, area.min_y, area.max_x, area.max_y);
    let own = &battle.units[unit];
    let (x, y) = (own.x(), own.y());
    if min_x <= x && x <= max_x && min_y <= y && y <= max_y {
        return;
    }
    if area.edges_open {
        let source = own.id();
        battle.units[unit].mark(unit_status::EXITED);
        battle.record(News { source, ..News::of(EventKind::Exited) });
        return;
    }
    let own = &mut battle.units[unit];
    let (held_x, held_y) = (clamp(x, min_x, max_x), clamp(y, min_y, max_y));
    if held_x != x {
        (own.transform.x, own.motion.vx) = (held_x, 0.0);
    }
    if held_y != y {
        (own.transform.y, own.motion.vy) = (held_y, 0.0);
    }
}
