//! Objectives against enemies: DESTROY, DISABLE, RAID, INTERCEPT, CAPTURE.

use kernel::numerics::fmax;

use crate::codes::{boarding_status, size_class, system, unit_status};
use crate::judge::standing::{Case, SUNK, Standing, distance_between, hp_share, is_asset_lost, is_lost, share};
use crate::state::Unit;
use crate::systems::compartments::usable;

const RAID_PAR: f64 = 0.5; // of the enemies' starting cost
const RAID_ENOUGH: f64 = 0.25;
const INTERCEPT_REACH_M: f64 = 500.0;
const CAPTURE_SLOWED: f64 = 0.3;
const CAPTURE_BOARDED: f64 = 0.7;

/// Sink the target.
pub fn judge_destroy(case: &Case<'_>, standing: &mut Standing) {
    let target = case.target();
    standing.progress = 1.0 - hp_share(target);
    if target.has(SUNK) {
        standing.complete();
    } else if target.has(unit_status::EXITED) || !case.unit.is_effective() {
        standing.fail();
    }
}

/// Stop the target without sinking it.
pub fn judge_disable(case: &Case<'_>, standing: &mut Standing) {
    let target = case.target();
    let hurt = fmax(1.0 - usable(target, system::PROPULSION), 1.0 - usable(target, system::WEAPONS));
    standing.progress = fmax(hurt, 1.0 - hp_share(target));
    let is_out = target.has(unit_status::DISABLED | unit_status::SURRENDERED | unit_status::CAPTURED);
    let is_crippled = target.has(unit_status::MOBILITY_DISABLED) && target.has(unit_status::WEAPONS_DISABLED);
    if target.has(SUNK | unit_status::EXITED) {
        standing.fail();
    } else if is_out || is_crippled {
        standing.complete();
    }
}

/// Do damage and get away; `value_a` is the cost of what was damaged and taken.
pub fn judge_raid(case: &Case<'_>, standing: &mut Standing) {
    standing.value_a += case.unit.scratch.dealt + case.unit.scratch.captured_cost;
    standing.progress = share(standing.value_a, RAID_PAR * enemy_cost(case));
    if is_lost(case.unit) {
        standing.fail();
    } else if case.unit.has(unit_status::EXITED) {
        settle_raid(case, standing);
        if standing.progress < RAID_ENOUGH {
            standing.fail();
        }
    }
}

/// At the end, a raid that did enough is done; its progress stays what it was.
pub fn settle_raid(case: &Case<'_>, standing: &mut Standing) {
    if !is_lost(case.unit) && standing.progress >= RAID_ENOUGH {
        let progress = standing.progress;
        standing.complete();
        standing.progress = progress;
    }
}

fn enemy_cost(case: &Case<'_>) -> f64 {
    let mut total = 0.0;
    for spec in &case.battle.spec.units {
        if case.battle.are_enemies(case.unit.team(), spec.team) {
            total += spec.hull.cost;
        }
    }
    total
}

/// Stop every target, before it reaches the asset if there is one.
pub fn judge_intercept(case: &Case<'_>, standing: &mut Standing) {
    let targets = &case.task.target_ids;
    let stopped = targets.iter().filter(|&&target| !case.battle.unit(target).is_effective()).count();
    standing.progress = share(stopped as f64, targets.len() as f64);
    if case.task.asset_id != 0 && is_asset_reached(case) {
        standing.fail();
    } else if stopped == targets.len() {
        standing.complete();
    }
}

fn is_asset_reached(case: &Case<'_>) -> bool {
    let asset = case.asset();
    is_asset_lost(asset)
        || case.task.target_ids.iter().any(|&target| {
            let target = case.battle.unit(target);
            target.is_effective() && distance_between(target, asset) <= INTERCEPT_REACH_M
        })
}

/// Take the target, or gain a foothold on a city.
pub fn judge_capture(case: &Case<'_>, standing: &mut Standing) {
    let (target, team) = (case.target(), case.unit.team());
    let target_id = target.id();
    let boards = |unit: &&Unit| unit.team() == team && unit.boarding.target_id == target_id;
    let (mut boarded, mut has_foothold) = (0.0, false);
    for boarder in case.battle.units.iter().filter(boards) {
        boarded = fmax(boarded, boarding_progress(boarder, target));
        has_foothold |= boarder.boarding.status == boarding_status::ESTABLISHED;
    }
    standing.progress = CAPTURE_SLOWED * (1.0 - usable(target, system::PROPULSION)) + CAPTURE_BOARDED * boarded;
    let is_taken = target.has(unit_status::CAPTURED) && target.memory.captor_team == team;
    if is_taken || (target.identity.size == size_class::XL && has_foothold) {
        standing.complete();
    } else if target.has(SUNK | unit_status::EXITED) {
        standing.fail();
    }
}

fn boarding_progress(boarder: &Unit, target: &Unit) -> f64 {
    if target.identity.size == size_class::L {
        let [bridge, cic, engineering] = boarder.boarding.progress;
        return (bridge + cic + engineering) / 3.0;
    }
    share(boarder.boarding.transferred, fmax(1.0, boarder.spec.crew.marines as f64))
}
