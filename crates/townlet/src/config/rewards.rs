//! `rewards`, `shaping`, `curiosity`, and what of `ppo` and `stability` a town reads.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

use crate::config::world::ByNeed;

#[derive(Clone, Copy, Debug, Deserialize)]
#[expect(non_snake_case, reason = "named as in the configuration")]
pub struct SocialRewards {
    pub C1_chat_base: f64,
    pub C1_coeff_trust: f64,
    pub C1_coeff_fam: f64,
    pub C2_avoid_conflict: f64,
    pub avoid_window_ticks: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct RewardClip {
    pub clip_per_tick: f64,
    pub clip_per_episode: f64,
    pub no_positive_within_death_ticks: i64,
}

/// The terms of the reward.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Rewards {
    pub needs_weights: ByNeed,
    pub decay_rates: ByNeed,
    pub homeostasis_scale: f64,
    pub survival_tick: f64,
    pub wage_rate: f64,
    pub withheld_factor: f64,
    pub punctuality_bonus: f64,
    pub punctuality_window: i64,
    pub faint_penalty: f64,
    pub eviction_penalty: f64,
    pub exit_penalty: f64,
    pub social: SocialRewards,
    pub clip: RewardClip,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Shaping {
    pub use_potential: bool,
    pub scale: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[expect(non_snake_case, reason = "named as in the configuration")]
pub struct Curiosity {
    pub phase_A_weight: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Ppo {
    pub gamma: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct StarvationRule {
    pub hunger_threshold: f64,
    pub min_duration_ticks: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Stability {
    pub starvation: StarvationRule,
}
