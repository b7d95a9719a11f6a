//! Options: when each may be chosen, when it has ended, and when a citizen is bound to it.

use crate::codes::{NOTHING, OPTIONS, need, option, shift_state};
use crate::decisions::nearness::{AVOID_RADIUS, is_avoided_within};
use crate::decisions::targets::{SATISFIED, can_shower, fed_target, shop_target, sleep_target};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;

/// Ticks after which socialising has lasted long enough.
pub const SOCIAL_TICKS: i64 = 60;
const EARLY_TO_WORK_TICKS: i64 = 200;

/// Whether an option makes sense for a citizen now, whatever it is bound to.
#[must_use]
pub fn is_feasible(town: &Town, setup: &Setup, citizen: &Citizen, option: i64) -> bool {
    match option {
        option::GET_FED => citizen.needs[need::HUNGER] < SATISFIED && fed_target(town, setup, citizen).is_some(),
        option::GET_CLEAN => citizen.needs[need::HYGIENE] < SATISFIED && can_shower(town, setup, citizen),
        option::GO_TO_WORK => has_work(town, setup, citizen),
        option::SHOP_GROCERIES => shop_target(town, setup, citizen).is_some(),
        option::SLEEP => citizen.needs[need::ENERGY] < SATISFIED && sleep_target(setup, citizen).is_some(),
        option::SOCIALISE => setup.config.features.has_relationships(),
        option::AVOID_RIVALS => is_avoided_within(town, setup, citizen, AVOID_RADIUS),
        _ => true,
    }
}

/// One byte per option; only the current one's is set while a citizen is bound to it.
pub fn option_mask(town: &Town, setup: &Setup, citizen: &Citizen, mask: &mut [u8]) {
    let is_bound = is_bound(town, setup, citizen);
    for (option, bit) in (0..OPTIONS as i64).zip(mask) {
        *bit =
            u8::from(if is_bound { option == citizen.plan.option } else { is_feasible(town, setup, citizen, option) });
    }
}

/// Whether a citizen must keep its option: it is doing something, or it has committed itself.
#[must_use]
pub fn is_bound(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    citizen.is_running || is_committed(town, setup, citizen)
}

/// Whether a commitment holds; endings, infeasibility, other critical needs and cleared memories break it.
#[must_use]
pub fn is_committed(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    let plan = &citizen.plan;
    if plan.has_ended || town.tick >= plan.commit_until || citizen.ctx_reset || citizen.is_possessed {
        return false;
    }
    let critical = setup.config.behavior.critical_threshold;
    let served = need_served(plan.option);
    if citizen.needs.iter().enumerate().any(|(need, &value)| value < critical && served != Some(need)) {
        return false;
    }
    is_feasible(town, setup, citizen, plan.option)
}

/// Finds out whose option has ended by its own rule; right before stage 3.
pub fn settle_options(town: &mut Town, setup: &Setup) {
    for seat in town.living() {
        let citizen = town.citizen(seat);
        let plan = &citizen.plan;
        if plan.has_ended || citizen.is_running {
            continue;
        }
        let has_met = plan.chats > 0 || town.tick - plan.since_tick >= SOCIAL_TICKS;
        let option = plan.option;
        let ends_well = option == option::SOCIALISE && has_met;
        if !ends_well && option != option::IDLE && is_feasible(town, setup, citizen, option) {
            continue;
        }
        let citizen = town.citizen_mut(seat);
        citizen.plan.has_ended = true;
        citizen.facts.has_avoided |= option == option::AVOID_RIVALS;
        if option != option::IDLE {
            citizen.plan.goal = NOTHING;
        }
    }
}

/// Lets a citizen set out for an option, or go on with the one it has.
pub fn take_option(town: &mut Town, setup: &Setup, seat: usize, option: i64) {
    let tick = town.tick;
    let citizen = town.citizen_mut(seat);
    let (plan, facts) = (&mut citizen.plan, &mut citizen.facts);
    if option == plan.option && !plan.has_ended {
        return;
    }
    if option != plan.option {
        facts.option_starts += 1;
        facts.premature_switches += i64::from(!plan.has_ended);
    }
    plan.option = option;
    plan.has_ended = false;
    plan.since_tick = tick;
    plan.commit_until = tick + setup.config.policy_runtime.option_commit_ticks;
    plan.chats = 0;
    plan.goal = NOTHING;
}

/// The need an option looks after.
const fn need_served(option: i64) -> Option<usize> {
    match option {
        option::GET_FED => Some(need::HUNGER),
        option::GET_CLEAN => Some(need::HYGIENE),
        option::SLEEP => Some(need::ENERGY),
        _ => None,
    }
}

fn has_work(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    let shift = &citizen.shift;
    if citizen.job == NOTHING || shift.state == shift_state::ABSENT || shift.is_excused {
        return false;
    }
    let job = &setup.tables.jobs[citizen.job as usize];
    (job.start - EARLY_TO_WORK_TICKS..job.end).contains(&town.tod())
}

#[cfg(test)]
mod tests {
    use super::{is_committed, option_mask, settle_options, take_option};
    use crate::codes::{NOTHING, OPTIONS, need, option};
    use crate::setup::Setup;
    use crate::state::town::Town;
    use crate::systems::small_town::{small_setup, town_with};

    /// Somebody at home who has set out for a shower; the second of the two is on cooldown.
    fn bather() -> (Setup, Town) {
        let mut setup = small_setup();
        setup.tables.open_to[2] = vec![vec![0, 1]];
        let mut town = town_with(&setup, &[8]);
        town.objects[1].cooldowns[0] = 1_000_000;
        let citizen = town.citizen_mut(0);
        (citizen.home, citizen.ctx_reset) = (0, false);
        take_option(&mut town, &setup, 0, option::GET_CLEAN);
        (setup, town)
    }

    #[test]
    fn a_commitment_ends_with_its_time_with_its_option_and_with_another_need() {
        let (setup, mut town) = bather();
        let holds = |town: &Town| is_committed(town, &setup, town.citizen(0));
        assert!(holds(&town));

        town.citizen_mut(0).needs[need::HYGIENE] = 0.01;
        assert!(holds(&town), "the option serves this need");
        town.citizen_mut(0).needs[need::ENERGY] = 0.01;
        assert!(!holds(&town));
        town.citizen_mut(0).needs[need::ENERGY] = 0.5;
        town.objects[0].cooldowns[0] = 1;
        assert!(!holds(&town), "no shower can be had");
        town.objects[0].cooldowns[0] = 0;
        town.tick = setup.config.policy_runtime.option_commit_ticks;
        assert!(!holds(&town));
    }

    #[test]
    fn only_the_option_that_binds_can_be_chosen() {
        let (setup, town) = bather();
        let mut mask = [9; OPTIONS];
        option_mask(&town, &setup, town.citizen(0), &mut mask);
        assert_eq!(mask, [0, 0, 1, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn an_option_that_has_become_infeasible_ends_and_forgets_its_goal() {
        let (setup, mut town) = bather();
        town.citizen_mut(0).plan.goal = 10;
        settle_options(&mut town, &setup);
        assert!(!town.citizen(0).plan.has_ended);
        town.economy.outages = [0, 1];
        settle_options(&mut town, &setup);
        assert!(town.citizen(0).plan.has_ended);
        assert_eq!(town.citizen(0).plan.goal, NOTHING);
    }
}
