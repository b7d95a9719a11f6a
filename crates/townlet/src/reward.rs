//! The reward engine: what a tick was worth to a citizen, part by part, and what keeps it within bounds.

use kernel::numerics::{clamp, fmax};

use crate::codes::exit_reason;
use crate::config::features::{CuriositySwitch, Stage};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::kpis::RewardBreakdown;
use crate::state::town::Town;
use crate::systems::fitness::note_fitness;
use crate::systems::ties::tie_to;

const TOO_NEEDY_TO_SOCIALISE: f64 = 0.85;
const SPEAKER_BLAME: f64 = 0.5;
const LISTENER_BLAME: f64 = 0.25;

/// Pays every citizen, those who leave this tick among them; after exits are known, before anybody is removed.
pub fn pay_rewards(town: &mut Town, setup: &Setup) {
    let (tick, collapse_ticks) = (town.tick, town.rules.collapse_ticks);
    for seat in town.in_turn() {
        let intrinsic = town.intrinsic[seat];
        let citizen = town.citizen_mut(seat);
        let mut reward = components(citizen, setup, tick, intrinsic);
        if setup.config.features.behavior.reward_multipliers {
            apply_bias(setup, citizen, &mut reward);
        }
        reward.guardrail_active = is_near_death(setup, citizen, tick, collapse_ticks);
        bound(setup, citizen, &mut reward);
        note_fitness(citizen, reward.total);
        town.report.rewards[seat] = Some(reward);
    }
}

fn components(citizen: &mut Citizen, setup: &Setup, tick: i64, intrinsic: f64) -> RewardBreakdown {
    let rule = &setup.config.rewards;
    let deficits = citizen.needs.map(|need| 1.0 - need);
    let (mut pain, mut potential) = (0.0, 0.0);
    for (weight, deficit) in rule.needs_weights.values().into_iter().zip(deficits) {
        pain += weight * (deficit * deficit);
        potential += weight * deficit;
    }
    let facts = &citizen.facts;
    let paid = f64::from(u8::from(facts.is_paid));
    let withheld = f64::from(u8::from(facts.is_withheld));
    let mut reward = RewardBreakdown {
        survival: rule.survival_tick,
        needs_penalty: -rule.homeostasis_scale * pain,
        wage: rule.wage_rate * (paid - rule.withheld_factor * withheld),
        punctuality: punctuality(setup, citizen),
        terminal_penalty: terminal(setup, citizen),
        ..RewardBreakdown::default()
    };
    reward.shaping = shaping(setup, citizen, -potential);
    social(setup, citizen, &mut reward, tick, deficits.iter().any(|&deficit| deficit > TOO_NEEDY_TO_SOCIALISE));
    if setup.config.features.training.curiosity == CuriositySwitch::PhaseA {
        reward.curiosity = setup.config.curiosity.phase_A_weight * intrinsic;
    }
    reward
}

fn shaping(setup: &Setup, citizen: &mut Citizen, potential: f64) -> f64 {
    let (rule, account) = (&setup.config.shaping, &mut citizen.account);
    let (before, had_one) = (account.potential, account.has_potential);
    (account.potential, account.has_potential) = (potential, true);
    if !rule.use_potential || !had_one || citizen.facts.exit_reason >= 0 {
        return 0.0;
    }
    rule.scale * (setup.config.ppo.gamma * potential - before)
}

fn punctuality(setup: &Setup, citizen: &Citizen) -> f64 {
    let (arrival, rule) = (citizen.facts.first_paid_arrival, &setup.config.rewards);
    if arrival < 0 {
        return 0.0;
    }
    let missed_by = (arrival - setup.tables.jobs[citizen.job as usize].start).abs();
    rule.punctuality_bonus * fmax(1.0 - missed_by as f64 / rule.punctuality_window as f64, 0.0)
}

fn social(setup: &Setup, citizen: &mut Citizen, reward: &mut RewardBreakdown, tick: i64, is_needy: bool) {
    let (stage, rule) = (setup.config.features.stages.social_rewards, &setup.config.rewards.social);
    if stage < Stage::C1 {
        return;
    }
    let facts = &citizen.facts;
    if !is_needy {
        for chat in &facts.chats {
            let mut factor = 1.0;
            if stage >= Stage::C3 {
                let (trust, familiarity) =
                    tie_to(citizen, chat.other as usize).map_or((0.0, 0.0), |tie| (tie.trust, tie.familiarity));
                factor = 1.0 + rule.C1_coeff_trust * trust + rule.C1_coeff_fam * familiarity;
            }
            reward.social_bonus += rule.C1_chat_base * chat.quality * factor;
        }
    }
    reward.social_penalty = -rule.C1_chat_base
        * (SPEAKER_BLAME * facts.failed_as_speaker as f64 + LISTENER_BLAME * facts.failed_as_listener as f64);
    let has_waited = tick - citizen.account.avoidance_tick > rule.avoid_window_ticks;
    if stage >= Stage::C2 && facts.has_avoided && has_waited && !is_needy {
        reward.social_avoidance = rule.C2_avoid_conflict;
        citizen.account.avoidance_tick = tick;
    }
}

fn terminal(setup: &Setup, citizen: &Citizen) -> f64 {
    let rule = &setup.config.rewards;
    if citizen.facts.is_rescued {
        return rule.faint_penalty;
    }
    match citizen.facts.exit_reason {
        exit_reason::FAINT => rule.faint_penalty,
        exit_reason::EVICTION | exit_reason::UNEMPLOYMENT => rule.eviction_penalty,
        exit_reason::NEGLECT | exit_reason::AGE_OUT => rule.exit_penalty,
        _ => 0.0,
    }
}

fn apply_bias(setup: &Setup, citizen: &Citizen, reward: &mut RewardBreakdown) {
    let profile = &setup.tables.profiles[citizen.profile as usize];
    reward.social_bonus = biased(reward.social_bonus, profile.social_bias);
    reward.social_penalty = biased(reward.social_penalty, profile.social_bias);
    reward.social_avoidance = biased(reward.social_avoidance, profile.social_bias);
    reward.wage = biased(reward.wage, profile.employment_bias);
    reward.punctuality = biased(reward.punctuality, profile.employment_bias);
    reward.survival = biased(reward.survival, profile.survival_bias);
}

fn biased(value: f64, factor: f64) -> f64 {
    if value >= 0.0 { value * factor } else { value / factor }
}

/// Applies the guards in their order: death window, clip per tick, terminal penalty, clip per episode.
fn bound(setup: &Setup, citizen: &mut Citizen, reward: &mut RewardBreakdown) {
    let (rule, account) = (&setup.config.rewards.clip, &mut citizen.account);
    let whole = sum(reward);
    let subtotal = if reward.guardrail_active && whole > 0.0 { 0.0 } else { whole };
    let clipped = clamp(subtotal, -rule.clip_per_tick, rule.clip_per_tick);
    let with_terminal = clipped + reward.terminal_penalty;
    let reached = account.episode_sum + with_terminal;
    let after = clamp(reached, -rule.clip_per_episode, rule.clip_per_episode);
    // Only a clip that binds goes through the running sum: a difference of sums would round the total.
    reward.total = if after == reached { with_terminal } else { after - account.episode_sum };
    reward.clipped = clipped != subtotal || after != reached;
    reward.clip_adjustment = reward.total - (whole + reward.terminal_penalty);
    account.episode_sum = after;
}

/// Sum of all parts but the terminal penalty, in their order.
fn sum(reward: &RewardBreakdown) -> f64 {
    reward.survival
        + reward.needs_penalty
        + reward.shaping
        + reward.wage
        + reward.punctuality
        + reward.social_bonus
        + reward.social_penalty
        + reward.social_avoidance
        + reward.curiosity
}

fn is_near_death(setup: &Setup, citizen: &Citizen, tick: i64, collapse_ticks: i64) -> bool {
    let (within, decline) = (setup.config.rewards.clip.no_positive_within_death_ticks, &citizen.decline);
    citizen.facts.exit_reason >= 0
        || citizen.facts.is_rescued
        || (decline.collapse_streak > 0 && decline.collapse_streak >= collapse_ticks - within)
        || tick - decline.deferred_tick <= within
}

#[cfg(test)]
mod tests {
    use super::pay_rewards;
    use crate::codes::exit_reason;
    use crate::state::kpis::RewardBreakdown;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn shaping_is_paid_from_the_second_tick_on() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8]);
        let mut pay = |need: f64| {
            town.citizen_mut(0).needs = [need; 3];
            pay_rewards(&mut town, &setup);
            town.report.rewards[0].expect("everybody is paid").shaping
        };
        assert_eq!(pay(0.5), 0.0);
        let (weights, gamma) = (setup.config.rewards.needs_weights.values(), setup.config.ppo.gamma);
        let potential = |deficit: f64| -weights.iter().fold(0.0, |sum, weight| sum + weight * deficit);
        assert_eq!(pay(0.75), setup.config.shaping.scale * (gamma * potential(0.25) - potential(0.5)));
    }

    #[test]
    fn nothing_good_is_paid_to_who_leaves_and_the_penalty_escapes_the_clip() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8]);
        town.citizen_mut(0).needs = [1.0; 3];
        town.citizen_mut(0).facts.exit_reason = exit_reason::EVICTION;
        pay_rewards(&mut town, &setup);

        let reward: RewardBreakdown = town.report.rewards[0].expect("everybody is paid");
        assert!(reward.guardrail_active && !reward.clipped);
        assert_eq!(reward.total, setup.config.rewards.eviction_penalty);
        let parts = reward.survival + reward.needs_penalty + reward.terminal_penalty;
        assert_eq!(reward.clip_adjustment, reward.total - parts);
    }

    #[test]
    fn an_episode_pays_no_more_than_its_clip() {
        let setup = small_setup();
        let most = setup.config.rewards.clip.clip_per_episode;
        let mut town = town_with(&setup, &[8]);
        town.citizen_mut(0).needs = [1.0; 3];
        town.citizen_mut(0).account.episode_sum = most - 0.001;
        pay_rewards(&mut town, &setup);

        let reward = town.report.rewards[0].expect("everybody is paid");
        assert!(reward.clipped);
        assert_eq!(reward.total, most - (most - 0.001));
        assert_eq!(town.citizen(0).account.episode_sum, most);
    }
}
