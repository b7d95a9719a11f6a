//! A world that counts its steps, and buffers for batches of it.

use kernel::record::StepRecord;
use kernel::rows::{Rows, Shape};
use kernel::simulation::{Head, Progress, Simulation};
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

const SHAPE: Shape = Shape { agents: 1, heads: 1, options: 2, obs: 1, obs_u8: 0, metrics: 0 };
/// The option that ends in a panic.
pub const FATAL: i32 = 1;

/// Counts its steps and panics when it is told to.
#[derive(Clone)]
pub struct Counter {
    /// Since the reset.
    pub steps: u64,
}

impl Simulation for Counter {
    const MAGIC: [u8; 4] = *b"CNTR";
    const SNAPSHOT_VERSION: u16 = 1;
    const STRICT_HEADS: &'static [Head] = &[Head { name: "fate", options: 2 }];

    fn shape(&self) -> Shape {
        SHAPE
    }

    fn reset(&mut self, _seed: u64) {
        self.steps = 0;
    }

    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Progress {
        assert_ne!(actions[0], FATAL, "told to");
        self.steps += 1;
        rows.rewards[0] = self.steps as f32;
        Progress::Running
    }

    fn observe(&self, rows: &mut Rows<'_>) {
        rows.obs[0] = self.steps as f32;
        rows.alive[0] = 1;
    }

    fn write_metrics(&self, _metrics: &mut [f32]) {}

    fn is_over(&self) -> bool {
        false
    }

    fn episode_seed(&self) -> u64 {
        0
    }

    fn step_record(&self) -> StepRecord {
        self.opening_record()
    }

    fn opening_record(&self) -> StepRecord {
        StepRecord {
            received: vec![None],
            effective: vec![None],
            rewards: vec![0.0],
            reward_terms: vec![Vec::new()],
            terminated: vec![false],
            truncated: vec![false],
            metrics: vec![Vec::new()],
            dt: 0,
            events: Vec::new(),
            event_data: Vec::new(),
            info: Vec::new(),
            draws: 0,
        }
    }

    fn write_words(&self, words: &mut WordWriter) {
        words.unsigned(self.steps);
    }

    fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        self.steps = words.unsigned()?;
        Ok(())
    }

    fn reseed(&mut self, _seed: u64) {}
}

/// Buffers of a batch of counters.
pub struct Arrays {
    floats: [Vec<f32>; 3],
    bytes: [Vec<u8>; 5],
    dt: Vec<u16>,
    events: Vec<u64>,
}

impl Arrays {
    pub fn new(copies: usize) -> Self {
        let mut bytes: [Vec<u8>; 5] = std::array::from_fn(|_| vec![0; copies]);
        bytes[0] = vec![0; copies * SHAPE.options];
        Self { floats: std::array::from_fn(|_| vec![0.0; copies]), bytes, dt: vec![0; copies], events: vec![0; copies] }
    }

    pub fn rows(&mut self) -> Rows<'_> {
        let [obs, rewards, final_obs] = &mut self.floats;
        let [masks, terminated, truncated, alive, episode_start] = &mut self.bytes;
        Rows {
            obs,
            obs_u8: &mut [],
            masks,
            rewards,
            terminated,
            truncated,
            alive,
            episode_start,
            metrics: &mut [],
            dt: &mut self.dt,
            events: &mut self.events,
            final_obs,
            final_obs_u8: &mut [],
        }
    }
}
