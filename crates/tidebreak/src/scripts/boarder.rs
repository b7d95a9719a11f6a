//! Cripples a ship and takes it.

use kernel::numerics::{fmin, hyp};

use super::aggressor::aggressor;
use super::course::{Course, hold_fire};
use super::targeting::{best_track, is_below};
use crate::codes::{emissions, track_quality, unit_kind, unit_status};
use crate::components::Track;
use crate::contacts::{estimated_bearing, estimated_range};
use crate::orders::Order;
use crate::state::Battle;

const SLOW_MS: f64 = 4.0;
const SURE_HITS: i64 = 4; // measurements from which a track's velocity counts as known
const ORDER_M: f64 = 3_000.0;
const BRAKE_M: f64 = 1_000.0;
const ALONGSIDE_MS: f64 = 2.0;

/// Fights until the target lies still, then comes alongside without shooting at it.
#[must_use]
pub fn boarder(battle: &Battle, unit: usize) -> Order {
    let own = &battle.units[unit];
    let target = match best_track(battle, own) {
        Some(target) if own.crew.marines > 0.0 && is_ripe(battle, target) => target,
        _ => return aggressor(battle, unit),
    };
    let range_m = estimated_range(own, target);
    let is_far = range_m > BRAKE_M;
    let throttle = if is_far { 1.0 } else { creeping_throttle(own.class_speed(), hyp(target.vx, target.vy)) };
    let course = Course::new(estimated_bearing(own, target), throttle);
    // Those who lie alongside already do not keep others from it.
    let order = hold_fire(battle, unit, course, Some(emissions::ACTIVE), is_far);
    let may_order = target.quality >= track_quality::Q1 && range_m <= ORDER_M && battle.rules().boarding;
    Order { board_id: if may_order { target.target_id } else { 0 }, ..order }
}

fn is_ripe(battle: &Battle, target: &Track) -> bool {
    let Some(victim) = battle.find_unit(target.target_id) else { return false };
    if is_below(target) || victim.identity.kind == unit_kind::SQUADRON {
        return false;
    }
    let has_seen_it = target.quality >= track_quality::Q2;
    if has_seen_it && victim.has(unit_status::MOBILITY_DISABLED | unit_status::SURRENDERED) {
        return true;
    }
    let is_velocity_known = target.hits >= SURE_HITS && !target.bearing_only;
    is_velocity_known && hyp(target.vx, target.vy) < SLOW_MS
}

/// Throttle that in the end gains on the target slowly enough to latch: speed grows with its root.
fn creeping_throttle(full_ms: f64, target_ms: f64) -> f64 {
    let share = if full_ms > 0.0 { (target_ms + ALONGSIDE_MS) / full_ms } else { 0.0 };
    fmin(share * share, 1.0)
}
