//! What a unit is told to do, as far as it knows where that is.

use kernel::numerics::{PI, atan2, fmax, hyp, wrap};

use super::knowledge::known_place;
use super::scaling::{clip, flag, half_side, relative_direction};
use crate::codes::objective_status;
use crate::layout::env;
use crate::records::ResolvedObjective;
use crate::state::{Battle, Unit};

const SPEED_SCALE_MS: f64 = 30.0;

/// Fills in the objective; without one only the deadline says that there is none.
pub fn show_objective(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    obs[env::DEADLINE] = 1.0;
    let Some(task) = &unit.spec.objective else { return };
    obs[env::OBJECTIVE_TYPE + task.r#type as usize] = 1.0;
    let target_id = shown_target(unit, task);
    if target_id != 0 {
        show_unit(battle, unit, target_id, &mut obs[env::HAS_TARGET..]);
    }
    if task.asset_id != 0 {
        show_unit(battle, unit, task.asset_id, &mut obs[env::HAS_ASSET..]);
    }
    show_zone(battle, unit, task, obs);
    show_destination(battle, unit, task, obs);
    obs[env::PRIORITY] = clip(task.priority);
    if task.deadline_ticks > 0 {
        let left = (task.deadline_ticks - battle.tick) as f64 / task.deadline_ticks as f64;
        obs[env::DEADLINE] = clip(fmax(0.0, left));
    }
    obs[env::PROGRESS] = clip(unit.objective.progress);
    obs[env::OBJECTIVE_ACTIVE] = flag(unit.objective.status == objective_status::ACTIVE);
    obs[env::OBJECTIVE_COMPLETED] = flag(unit.objective.status == objective_status::COMPLETED);
}

/// Of several targets the first that is tracked, else the first.
fn shown_target(unit: &Unit, task: &ResolvedObjective) -> i64 {
    let Some(&first) = task.target_ids.first() else { return task.target_id };
    if task.target_id != 0 {
        return task.target_id;
    }
    let tracked = task.target_ids.iter().find(|&&target_id| unit.tracks.of_target(target_id).is_some());
    tracked.copied().unwrap_or(first)
}

fn show_unit(battle: &Battle, unit: &Unit, other_id: i64, obs: &mut [f32]) {
    let known = known_place(battle, unit, other_id);
    let (sine, cosine) = relative_direction(unit, known.x, known.y);
    obs[0] = flag(known.is_held);
    obs[1] = clip(sine);
    obs[2] = clip(cosine);
    obs[3] = far(battle, unit, known.x, known.y);
    if let Some([vx, vy]) = known.velocity {
        obs[4] = clip(wrap(atan2(vy, vx) - unit.transform.heading) / PI);
        obs[5] = clip((hyp(vx, vy) - unit.speed()) / SPEED_SCALE_MS);
    }
}

fn show_zone(battle: &Battle, unit: &Unit, task: &ResolvedObjective, obs: &mut [f32]) {
    let Some(zone) = &task.zone else { return };
    let (mut x, mut y) = (zone.x, zone.y);
    if task.zone_relative_id != 0 {
        let anchor = known_place(battle, unit, task.zone_relative_id);
        (x, y) = (anchor.x + x, anchor.y + y);
    }
    let (sine, cosine) = relative_direction(unit, x, y);
    obs[env::HAS_ZONE] = 1.0;
    obs[env::ZONE] = clip(sine);
    obs[env::ZONE + 1] = clip(cosine);
    obs[env::ZONE + 2] = far(battle, unit, x, y);
    obs[env::ZONE + 3] = clip(zone.radius_m / half_side(battle));
}

fn show_destination(battle: &Battle, unit: &Unit, task: &ResolvedObjective, obs: &mut [f32]) {
    let Some((x, y)) = destination(battle, unit, task) else { return };
    let (sine, cosine) = relative_direction(unit, x, y);
    obs[env::HAS_DESTINATION] = 1.0;
    obs[env::DESTINATION] = clip(sine);
    obs[env::DESTINATION + 1] = clip(cosine);
    obs[env::DESTINATION + 2] = far(battle, unit, x, y);
}

fn destination(battle: &Battle, unit: &Unit, task: &ResolvedObjective) -> Option<(f64, f64)> {
    let fallback = task.destination_x.zip(task.destination_y);
    if task.destination_id == 0 {
        return fallback;
    }
    let known = known_place(battle, unit, task.destination_id);
    if known.is_held || fallback.is_none() { Some((known.x, known.y)) } else { fallback }
}

fn far(battle: &Battle, unit: &Unit, x: f64, y: f64) -> f32 {
    clip(hyp(x - unit.transform.x, y - unit.transform.y) / (2.0 * half_side(battle)))
}
