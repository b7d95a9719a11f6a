//! The configuration of a town, as the readable tier has checked it; sections nothing here reads are left out.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

pub mod economy;
pub mod employment;
pub mod features;
pub mod happenings;
pub mod policy;
pub mod rewards;
pub mod social;
pub mod world;

use serde::Deserialize;

use crate::config::economy::Economy;
use crate::config::employment::Employment;
use crate::config::features::Features;
use crate::config::happenings::{Lifecycle, Perturbations};
use crate::config::policy::{Behavior, EmbeddingAllocator, Observations, PolicyRuntime};
use crate::config::rewards::{Curiosity, Ppo, Rewards, Shaping, Stability};
use crate::config::social::{Conflict, Personalities, QueueFairness, Relationships};
use crate::config::world::WorldSection;

/// One town's settings.
#[derive(Clone, Debug, Deserialize)]
pub struct SimulationConfig {
    pub world: WorldSection,
    pub features: Features,
    pub rewards: Rewards,
    pub shaping: Shaping,
    pub curiosity: Curiosity,
    pub economy: Economy,
    pub employment: Employment,
    pub queue_fairness: QueueFairness,
    pub conflict: Conflict,
    pub relationships: Relationships,
    pub personalities: Personalities,
    pub embedding_allocator: EmbeddingAllocator,
    pub observations: Observations,
    pub policy_runtime: PolicyRuntime,
    pub behavior: Behavior,
    pub perturbations: Perturbations,
    pub lifecycle: Lifecycle,
    pub stability: Stability,
    pub ppo: Ppo,
    /// Length of an episode, in a batch.
    pub episode_ticks: i64,
}
