//! Seeds of battles.

const SEED_MAX: u64 = (1 << 53) - 1;

/// The battle's seed in an episode: 64 bits brought into 1 to 2^53 - 1.
#[must_use]
pub const fn battle_seed(episode_seed: u64) -> u64 {
    1 + episode_seed % SEED_MAX
}
