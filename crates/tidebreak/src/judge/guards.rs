//! Objectives that keep something: PROTECT, SCREEN, LOITER.

use crate::judge::standing::{Case, Standing, hp_share, is_asset_lost, is_in_zone, share};

const SCREEN_ENOUGH: f64 = 0.6;
const ASSET_HURT: f64 = 0.5; // of hp_max
const AWAY_TICKS: f64 = 60.0;

/// Keep the asset whole until the end.
pub fn judge_protect(case: &Case<'_>, standing: &mut Standing) {
    let limit = case.battle.rules().time_limit_ticks;
    standing.progress = hp_share(case.asset()) * share(case.elapsed_ticks() as f64, limit as f64);
    if is_asset_lost(case.asset()) {
        standing.fail();
    }
}

/// The end has come with the asset still there.
pub fn settle_protect(case: &Case<'_>, standing: &mut Standing) {
    if case.asset().is_present() && !is_asset_lost(case.asset()) {
        standing.complete();
    }
}

/// Stay in place around the asset.
pub fn judge_screen(case: &Case<'_>, standing: &mut Standing) {
    count_zone(case, standing);
    standing.progress = share(standing.time_on as f64, case.elapsed_ticks() as f64);
    if is_asset_lost(case.asset()) || hp_share(case.asset()) < ASSET_HURT || has_strayed(standing) {
        standing.fail();
    }
}

/// The end has come; was the place kept long enough?
pub fn settle_screen(case: &Case<'_>, standing: &mut Standing) {
    if case.asset().is_present() && !is_asset_lost(case.asset()) && standing.progress >= SCREEN_ENOUGH {
        let progress = standing.progress;
        standing.complete();
        standing.progress = progress;
    }
}

/// Spend time in an area.
pub fn judge_loiter(case: &Case<'_>, standing: &mut Standing) {
    count_zone(case, standing);
    standing.progress = share(standing.time_on as f64, case.task.duration_ticks as f64);
    if !case.unit.is_effective() || has_strayed(standing) {
        standing.fail();
    } else if standing.progress >= 1.0 {
        standing.complete();
    }
}

/// `time_on` counts ticks inside; `value_a` those outside in a row, once `value_b` says it has been inside.
fn count_zone(case: &Case<'_>, standing: &mut Standing) {
    if case.unit.is_present() && is_in_zone(case) {
        standing.time_on += 1;
        standing.value_a = 0.0;
        standing.value_b = 1.0;
    } else if standing.value_b == 1.0 {
        standing.value_a += 1.0;
    }
}

fn has_strayed(standing: &Standing) -> bool {
    standing.value_a >= AWAY_TICKS
}
