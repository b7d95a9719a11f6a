//! Objectives that lead somewhere: EVADE, DELIVER, RECOVER, EVACUATE.

use kernel::numerics::{fmin, hyp};

use crate::codes::unit_status;
use crate::judge::standing::{Case, Standing, distance_between, is_in_zone, is_lost, relative_speed, share};

const ARRIVAL_M: f64 = 300.0;
const DELIVERY_MS: f64 = 3.0;
const DELIVERY_TICKS: i64 = 10;
const PICKUP_M: f64 = 200.0;
const PICKUP_MS: f64 = 2.0;
const PICKUP_TICKS: f64 = 30.0;

/// Where the unit is to go: a unit while it is there, else the position, None without either.
#[must_use]
pub fn destination(case: &Case<'_>) -> Option<(f64, f64)> {
    let task = case.task;
    if task.destination_id != 0 {
        let goal = case.battle.unit(task.destination_id);
        if goal.is_present() || task.destination_x.is_none() {
            return Some((goal.transform.x, goal.transform.y));
        }
    }
    Some((task.destination_x?, task.destination_y?))
}

/// Meters to the destination, or to the nearest edge without one.
#[must_use]
pub fn distance_to_go(case: &Case<'_>) -> f64 {
    let (place, area) = (case.unit.transform, case.battle.map());
    if let Some((x, y)) = destination(case) {
        return hyp(x - place.x, y - place.y);
    }
    let across = fmin(place.x - area.min_x, area.max_x - place.x);
    fmin(across, fmin(place.y - area.min_y, area.max_y - place.y))
}

/// Leave the map or reach the destination; `value_a` is the distance at the start.
pub fn judge_evade(case: &Case<'_>, standing: &mut Standing) {
    let remaining = distance_to_go(case);
    keep_first(standing, remaining);
    standing.progress = 1.0 - share(remaining, standing.value_a);
    let has_arrived = destination(case).is_some() && remaining <= ARRIVAL_M;
    if case.unit.has(unit_status::EXITED) || has_arrived || is_in_zone(case) {
        standing.complete();
    } else if is_lost(case.unit) {
        standing.fail();
    }
}

/// Come to the destination and stop; `time_on` counts ticks there.
pub fn judge_deliver(case: &Case<'_>, standing: &mut Standing) {
    let remaining = distance_to_go(case);
    keep_first(standing, remaining);
    standing.progress = 1.0 - share(remaining, standing.value_a);
    count_delivery(case, standing, remaining);
    settle_delivery(case, standing);
}

/// Lie alongside the target; `value_b` counts ticks there.
pub fn judge_recover(case: &Case<'_>, standing: &mut Standing) {
    standing.progress = recover_progress(case, standing);
    if standing.value_b >= PICKUP_TICKS {
        standing.complete();
    } else if !case.target().is_present() || !case.unit.is_effective() {
        standing.fail();
    }
}

/// Recover the target, then deliver; `value_c` is the distance to go at pickup.
pub fn judge_evacuate(case: &Case<'_>, standing: &mut Standing) {
    if standing.value_b < PICKUP_TICKS {
        let recovered = recover_progress(case, standing);
        standing.progress = if standing.value_b >= PICKUP_TICKS { 0.5 } else { 0.5 * recovered };
        if !case.unit.is_effective() || !case.target().is_present() {
            standing.fail();
        }
        return;
    }
    let remaining = distance_to_go(case);
    if standing.value_c == 0.0 {
        standing.value_c = remaining;
    }
    standing.progress = 0.5 + 0.5 * (1.0 - share(remaining, standing.value_c));
    count_delivery(case, standing, remaining);
    settle_delivery(case, standing);
}

fn keep_first(standing: &mut Standing, distance_m: f64) {
    if standing.value_a == 0.0 {
        standing.value_a = distance_m;
    }
}

fn count_delivery(case: &Case<'_>, standing: &mut Standing, remaining_m: f64) {
    let is_there = remaining_m <= ARRIVAL_M && case.unit.speed() <= DELIVERY_MS;
    standing.time_on = if is_there { standing.time_on + 1 } else { 0 };
}

fn settle_delivery(case: &Case<'_>, standing: &mut Standing) {
    if !case.unit.is_effective() {
        standing.fail();
    } else if standing.time_on >= DELIVERY_TICKS {
        standing.complete();
    }
}

fn recover_progress(case: &Case<'_>, standing: &mut Standing) -> f64 {
    let target = case.target();
    let distance_m = distance_between(case.unit, target);
    keep_first(standing, distance_m);
    let is_alongside = distance_m <= PICKUP_M && relative_speed(case.unit, target) <= PICKUP_MS;
    standing.value_b = if is_alongside { standing.value_b + 1.0 } else { 0.0 };
    let approach = 1.0 - share(distance_m, standing.value_a);
    0.5 * approach + 0.5 * share(standing.value_b, PICKUP_TICKS)
}
