//! Stage 3: from what was selected to what is done.

use crate::codes::{NOTHING, OPTIONS, primitive};
use crate::config::policy::ActionLevel;
use crate::decisions::expansion::expand;
use crate::decisions::guards::guarded;
use crate::decisions::options::{is_bound, is_feasible, option_mask, take_option};
use crate::decisions::primitives::{is_valid, primitive_mask};
use crate::setup::Setup;
use crate::state::town::Town;

/// Writes what a citizen may select, at the configured level; never all zero.
pub fn action_mask(town: &Town, setup: &Setup, seat: usize, mask: &mut [u8]) {
    let citizen = town.citizen(seat);
    if uses_options(setup) {
        option_mask(town, setup, citizen, mask);
    } else {
        primitive_mask(town, setup, citizen, mask);
    }
}

/// Turns selections, one per seat, into primitives; `town.report` has those, and says what was replaced.
pub fn decide(town: &mut Town, setup: &Setup, selections: &[i64]) {
    for seat in town.living() {
        let wanted = selections[seat];
        let step = if town.citizen(seat).is_possessed {
            possessed_step(town, setup, seat)
        } else if uses_options(setup) {
            select_option(town, setup, seat, wanted);
            expand(town, setup, seat)
        } else {
            select_primitive(town, setup, seat, wanted)
        };
        town.report.primitives[seat] = guarded(town, setup, seat, step);
        town.citizen_mut(seat).ctx_reset = false;
    }
}

#[inline]
fn uses_options(setup: &Setup) -> bool {
    setup.config.policy_runtime.action_level == ActionLevel::Option
}

fn select_option(town: &mut Town, setup: &Setup, seat: usize, wanted: i64) {
    let citizen = town.citizen(seat);
    let is_running = citizen.is_running;
    let mut option = wanted;
    if is_bound(town, setup, citizen) {
        option = citizen.plan.option;
        town.report.commit_enforced[seat] |= wanted != option;
    } else if !(0..OPTIONS as i64).contains(&wanted) || !is_feasible(town, setup, citizen, wanted) {
        option = replace_invalid(town, seat);
    }
    town.report.effective[seat] = option;
    if !is_running {
        take_option(town, setup, seat, option);
    }
}

fn select_primitive(town: &mut Town, setup: &Setup, seat: usize, wanted: i64) -> i64 {
    let is_valid = is_valid(town, setup, town.citizen(seat), wanted);
    let step = if is_valid { wanted } else { replace_invalid(town, seat) };
    town.report.effective[seat] = step;
    step
}

fn possessed_step(town: &mut Town, setup: &Setup, seat: usize) -> i64 {
    let wanted = town.citizen(seat).possessed_primitive;
    let is_valid = wanted != NOTHING && is_valid(town, setup, town.citizen(seat), wanted);
    town.citizen_mut(seat).possessed_primitive = NOTHING;
    if is_valid { wanted } else { primitive::WAIT }
}

fn replace_invalid(town: &mut Town, seat: usize) -> i64 {
    town.report.invalid[seat] = true;
    town.citizen_mut(seat).tally.invalid_actions += 1;
    0
}
