//! Objectives: judged from the true state at the end of every tick.

use crate::codes::{objective_status, objective_type};
use crate::events::{EventKind, News};
use crate::judge::attacks::{judge_capture, judge_destroy, judge_disable, judge_intercept, judge_raid, settle_raid};
use crate::judge::guards::{judge_loiter, judge_protect, judge_screen, settle_protect, settle_screen};
use crate::judge::journeys::{judge_deliver, judge_evacuate, judge_evade, judge_recover};
use crate::judge::standing::{Case, Standing};
use crate::judge::watches::{judge_scout, judge_shadow};
use crate::outputs::{Emitter, ObjectiveUpdate, Outputs};
use crate::state::{Battle, Unit};

type Judge = fn(&Case<'_>, &mut Standing);

const PROGRESS_WORTH: f64 = 0.5;
const COMPLETED_WORTH: f64 = 1.0;
const EFFECTIVE_BONUS: f64 = 1.2;
const FAILED_WORTH: f64 = -0.5;

/// Judges by `objective_type`.
const JUDGES: [Judge; 14] = [
    judge_destroy,
    judge_disable,
    judge_raid,
    judge_intercept,
    judge_protect,
    judge_screen,
    judge_capture,
    judge_evade,
    judge_shadow,
    judge_loiter,
    judge_scout,
    judge_deliver,
    judge_recover,
    judge_evacuate,
];

/// Says how the unit's objective stands now; a deadline is the end for objectives that last until the end.
pub fn judge_objective(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let unit = &battle.units[unit];
    let Some(case) = open_case(battle, unit) else { return };
    let mut standing = Standing::of(&unit.objective);
    JUDGES[case.task.r#type as usize](&case, &mut standing);
    let is_active = standing.status == objective_status::ACTIVE;
    if is_active && (0..=case.elapsed_ticks()).contains(&case.task.deadline_ticks) {
        settle(&case, &mut standing);
        if standing.status == objective_status::ACTIVE {
            standing.fail();
        }
    }
    emit.emit(update(unit, &standing));
}

/// Writes down how objectives stand, and what that is worth.
pub fn resolve_objectives(battle: &mut Battle, outputs: &mut Outputs) {
    let updates = outputs.take::<ObjectiveUpdate>();
    for (_, update) in &updates {
        write(battle, update);
    }
    outputs.put_back(updates);
}

/// At the end of the battle, completes what had to last until then.
pub fn settle_objectives(battle: &mut Battle) {
    for place in 0..battle.units.len() {
        let unit = &battle.units[place];
        let Some(case) = open_case(battle, unit) else { continue };
        let mut standing = Standing::of(&unit.objective);
        settle(&case, &mut standing);
        let update = update(unit, &standing);
        write(battle, &update);
    }
}

fn open_case<'a>(battle: &'a Battle, unit: &'a Unit) -> Option<Case<'a>> {
    let task = unit.spec.objective.as_ref()?;
    (unit.objective.status == objective_status::ACTIVE).then_some(Case { battle, unit, task })
}

fn settle(case: &Case<'_>, standing: &mut Standing) {
    match case.task.r#type {
        objective_type::RAID => settle_raid(case, standing),
        objective_type::PROTECT => settle_protect(case, standing),
        objective_type::SCREEN => settle_screen(case, standing),
        _ => {}
    }
}

fn update(unit: &Unit, standing: &Standing) -> ObjectiveUpdate {
    ObjectiveUpdate {
        source: unit.identity.id,
        status: standing.status,
        time_on: standing.time_on,
        value_a: standing.value_a,
        value_b: standing.value_b,
        value_c: standing.value_c,
        progress: standing.progress,
    }
}

fn write(battle: &mut Battle, update: &ObjectiveUpdate) {
    let unit = battle.unit_mut(update.source);
    let is_effective = unit.is_effective();
    let objective = &mut unit.objective;
    let delta = update.progress - objective.progress;
    unit.scratch.objective_delta += delta;
    objective.reward_sum += PROGRESS_WORTH * delta;
    objective.status = update.status;
    objective.time_on = update.time_on;
    objective.progress = update.progress;
    objective.value_a = update.value_a;
    objective.value_b = update.value_b;
    objective.value_c = update.value_c;
    let kind = match update.status {
        objective_status::COMPLETED => {
            unit.scratch.objective_result = 1;
            objective.reward_sum += COMPLETED_WORTH * if is_effective { EFFECTIVE_BONUS } else { 1.0 };
            EventKind::ObjectiveCompleted
        }
        objective_status::FAILED => {
            unit.scratch.objective_result = -1;
            objective.reward_sum += FAILED_WORTH;
            EventKind::ObjectiveFailed
        }
        _ => return,
    };
    let i0 = objective.r#type;
    battle.record(News { source: update.source, f0: update.progress, i0, ..News::of(kind) });
}
