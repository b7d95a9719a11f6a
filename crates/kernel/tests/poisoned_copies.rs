//! A copy whose step panics is out until it is reset; the others go on.

use std::panic;

use kernel::batch::{AnyBatch, Batch};
use kernel::record::StepRecord;
use kernel::rows::{Rows, Shape};
use kernel::simulation::{Progress, Simulation};
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

const SHAPE: Shape = Shape { agents: 1, heads: 1, options: 2, obs: 1, obs_u8: 0, metrics: 0 };
const FATAL: i32 = 1;

/// Counts its steps and panics when it is told to.
#[derive(Clone)]
struct Counter {
    steps: u64,
}

impl Simulation for Counter {
    const MAGIC: [u8; 4] = *b"CNTR";
    const SNAPSHOT_VERSION: u16 = 1;

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
}

/// Buffers of a batch of counters.
struct Arrays {
    floats: [Vec<f32>; 3],
    bytes: [Vec<u8>; 5],
    dt: Vec<u16>,
    events: Vec<u64>,
}

impl Arrays {
    fn new(copies: usize) -> Self {
        let mut bytes: [Vec<u8>; 5] = std::array::from_fn(|_| vec![0; copies]);
        bytes[0] = vec![0; copies * SHAPE.options];
        Self { floats: std::array::from_fn(|_| vec![0.0; copies]), bytes, dt: vec![0; copies], events: vec![0; copies] }
    }

    fn rows(&mut self) -> Rows<'_> {
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

#[test]
fn a_copy_that_panicked_is_named_until_it_is_reset_and_the_others_go_on() {
    let mut batch = Batch::new(Counter { steps: 0 }, 3, 1, 1, b"{}").expect("one thread needs no pool");
    let mut arrays = Arrays::new(3);
    batch.reset(&[0, 1, 2], None, arrays.rows()).expect("the copies exist");

    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let failed = batch.step(&[0, FATAL, 0], arrays.rows());
    panic::set_hook(hook);
    let after = batch.step(&[0, 0, 0], arrays.rows());

    assert!(failed.is_err_and(|reason| reason.starts_with("C900 copy 1 ")));
    assert!(after.is_err_and(|reason| reason.starts_with("C900 copy 1 ")));
    assert_eq!([batch.state_words(0), batch.state_words(2)], [vec![2], vec![2]]);

    batch.reset(&[1], None, arrays.rows()).expect("the copy exists");

    assert_eq!(batch.step(&[0, 0, 0], arrays.rows()), Ok(()));
    assert_eq!(batch.state_words(1), vec![1]);
}
