//! `features`: which parts of the town exist.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// How far something is switched on, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Stage {
    #[serde(rename = "OFF")]
    Off,
    A,
    B,
    C1,
    C2,
    C3,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Stages {
    pub relationships: Stage,
    pub social_rewards: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObservationVariant {
    Full,
    Hybrid,
    Compact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum CuriositySwitch {
    #[serde(rename = "phase_A")]
    PhaseA,
    #[serde(rename = "off")]
    Off,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Systems {
    pub lifecycle: Switch,
    pub observations: ObservationVariant,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct TrainingFeatures {
    pub curiosity: CuriositySwitch,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct BehaviorFeatures {
    pub personality_profiles: bool,
    pub reward_multipliers: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct ObservationFeatures {
    pub personality_channels: bool,
}

/// Every switch of the town.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Features {
    pub stages: Stages,
    pub systems: Systems,
    pub training: TrainingFeatures,
    pub relationship_modifiers: bool,
    pub behavior: BehaviorFeatures,
    pub observations: ObservationFeatures,
}

impl Features {
    /// Whether ties exist at all.
    #[inline]
    #[must_use]
    pub fn has_relationships(&self) -> bool {
        self.stages.relationships != Stage::Off
    }

    /// Whether ties are part of the observation.
    #[inline]
    #[must_use]
    pub fn observes_relationships(&self) -> bool {
        self.stages.relationships >= Stage::B
    }
}
