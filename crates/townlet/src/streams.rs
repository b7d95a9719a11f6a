//! The three random streams of a town; nothing else in it draws.

use kernel::pcg32::Pcg32;

/// The streams of one town.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Replacement spawns, chat outcomes, delays of replacements; at the start the first population.
    pub world: Pcg32,
    /// The perturbation scheduler.
    pub events: Pcg32,
    /// Decisions that are sampled; nothing in training.
    pub policy: Pcg32,
}

impl Streams {
    /// Begins the streams of a run: each from SHA-256 of the text `<seed>:<name>`.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        Self {
            world: Pcg32::named(seed, "world"),
            events: Pcg32::named(seed, "events"),
            policy: Pcg32::named(seed, "policy"),
        }
    }

    /// Numbers drawn from all three.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.world.draws() + self.events.draws() + self.policy.draws()
    }
}
