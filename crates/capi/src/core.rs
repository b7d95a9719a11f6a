//! One world without auto-reset: the state behind an `abp_core` handle, in safe Rust.

use kernel::simulation::Simulation;
use kernel::snapshot::{self, SnapshotError};
use kernel::state_hash::{WordReader, WordWriter, hash_words};
use prospector::tables::{N_ACTIONS, N_METRICS, OBS_DIM};
use prospector::{Config, Prospector};

use crate::config_json;
use crate::status::Status;

/// `flags`: the episode ended by the rules.
pub const ABP_FLAG_TERMINATED: u8 = 1;
/// `flags`: the episode was cut off by the time limit.
pub const ABP_FLAG_TRUNCATED: u8 = 2;
/// `flags`: the received action was invalid and a hold took its place.
pub const ABP_FLAG_INVALID_ACTION: u8 = 4;

/// `abp_step_result` of the header. It has no padding, so equal results are equal byte for byte.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct StepResult {
    /// Reward under the configured profile.
    pub reward: f64,
    /// Random numbers consumed since the reset.
    pub rng_draws: u64,
    /// Metrics in the order of the table.
    pub metrics: [f64; N_METRICS],
    /// Observation the step led to.
    pub obs: [f32; OBS_DIM],
    /// Bit = place in the event table.
    pub event_bits: u32,
    /// The action that was sent.
    pub action_received: i32,
    /// Ticks the step took.
    pub dt: u16,
    /// The action that was executed.
    pub action: u8,
    /// `ABP_FLAG_*`.
    pub flags: u8,
    /// Always 0.
    pub reserved: [u8; 4],
}

/// Where the episode came from: the words a snapshot holds before the world's own.
///
/// A core never advances a sequence, but it hands one on that came with a restored snapshot.
type SeedSequence = [u64; 3]; // base, index of the copy, episodes since the base

/// One world.
#[derive(Clone, Debug)]
pub struct Core {
    simulation: Prospector,
    sequence: SeedSequence,
}

impl Core {
    /// Opens the episode of a seed under a valid configuration.
    #[must_use]
    pub fn new(config: Config, seed: u64) -> Self {
        let mut core = Self { simulation: Prospector::new(config), sequence: [seed, 0, 0] };
        core.reset(seed);
        core
    }

    /// Opens another episode.
    pub fn reset(&mut self, seed: u64) {
        self.simulation.reset(seed);
        self.sequence = [seed, 0, 0];
    }

    /// Whether the episode has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.simulation.is_over()
    }

    /// Observation for the next decision.
    #[must_use]
    pub fn observation(&self) -> &[f32; OBS_DIM] {
        self.simulation.observation()
    }

    /// 1 for every action that is valid now, 0 for the others.
    #[must_use]
    pub fn mask(&self) -> [u8; N_ACTIONS] {
        let mut mask = [0; N_ACTIONS];
        self.simulation.mask(&mut mask);
        mask
    }

    /// Advances by one decision.
    ///
    /// # Errors
    /// When the episode is over; nothing changes then.
    pub fn step(&mut self, action: i32) -> Result<StepResult, Status> {
        let outcome = self.simulation.step_one(action).map_err(|_| Status::EpisodeOver)?;
        let flags = [
            (outcome.terminated, ABP_FLAG_TERMINATED),
            (outcome.truncated, ABP_FLAG_TRUNCATED),
            (outcome.invalid_action, ABP_FLAG_INVALID_ACTION),
        ];
        Ok(StepResult {
            reward: outcome.reward,
            rng_draws: outcome.draws,
            metrics: outcome.metrics,
            obs: *self.simulation.observation(),
            event_bits: outcome.events,
            action_received: action,
            dt: outcome.dt,
            action: outcome.action,
            flags: flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, flag)| flags | flag),
            reserved: [0; 4],
        })
    }

    /// Complete state in the frame every side of the platform reads.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut words = WordWriter::new();
        words.unsigneds(&self.sequence);
        self.simulation.write_words(&mut words);
        let header = config_json::canonical(self.simulation.config());
        snapshot::pack(Prospector::MAGIC, Prospector::SNAPSHOT_VERSION, header.as_bytes(), words.as_slice())
    }

    /// Continues from a snapshot.
    ///
    /// # Errors
    /// When the bytes are no snapshot of this world and configuration; nothing changes then.
    pub fn restore(&mut self, data: &[u8]) -> Result<(), Status> {
        let (header, words) =
            snapshot::unpack(data, Prospector::MAGIC, Prospector::SNAPSHOT_VERSION).map_err(refusal)?;
        if header != config_json::canonical(self.simulation.config()).as_bytes() {
            return Err(Status::OtherConfig);
        }
        *self = self.continued(&words).map_err(refusal)?;
        Ok(())
    }

    fn continued(&self, words: &[u64]) -> Result<Self, SnapshotError> {
        let mut reader = WordReader::new(words);
        let sequence = [reader.unsigned()?, reader.unsigned()?, reader.unsigned()?];
        let mut simulation = self.simulation.clone();
        simulation.read_words(&mut reader)?;
        reader.finish()?;
        Ok(Self { simulation, sequence })
    }

    /// Hash of the canonical state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut words = WordWriter::new();
        self.simulation.write_words(&mut words);
        hash_words(words.as_slice())
    }
}

fn refusal(_: SnapshotError) -> Status {
    Status::BadSnapshot
}
