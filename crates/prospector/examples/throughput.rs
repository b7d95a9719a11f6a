//! Decisions per second of one batch on one core, with random valid actions and auto-resets; prints a line per repeat.

use std::time::{Duration, Instant};

use kernel::batch::{AnyBatch, Batch};
use kernel::pcg32::Pcg32;
use kernel::rows::{Rows, Shape};
use prospector::{Config, Prospector};

const COPIES: usize = 1024;
const STEPS_PER_REPEAT: usize = 1000;
const REPEATS: usize = 5;

/// Buffers of a batch, as a caller would own them.
struct Buffers {
    obs: Vec<f32>,
    masks: Vec<u8>,
    floats: Vec<f32>,
    flags: [Vec<u8>; 4],
    metrics: Vec<f32>,
    dt: Vec<u16>,
    events: Vec<u64>,
    final_obs: Vec<f32>,
}

impl Buffers {
    fn new(shape: Shape) -> Self {
        Self {
            obs: vec![0.0; COPIES * shape.obs],
            masks: vec![0; COPIES * shape.options],
            floats: vec![0.0; COPIES],
            flags: std::array::from_fn(|_| vec![0; COPIES]),
            metrics: vec![0.0; COPIES * shape.metrics],
            dt: vec![0; COPIES],
            events: vec![0; COPIES],
            final_obs: vec![0.0; COPIES * shape.obs],
        }
    }

    fn rows(&mut self) -> Rows<'_> {
        let [terminated, truncated, alive, episode_start] = &mut self.flags;
        Rows {
            obs: &mut self.obs,
            obs_u8: &mut [],
            masks: &mut self.masks,
            rewards: &mut self.floats,
            terminated,
            truncated,
            alive,
            episode_start,
            metrics: &mut self.metrics,
            dt: &mut self.dt,
            events: &mut self.events,
            final_obs: &mut self.final_obs,
            final_obs_u8: &mut [],
        }
    }
}

/// Chooses uniformly among the valid actions of each row.
fn choose(masks: &[u8], actions: &mut [i32], rng: &mut Pcg32) {
    for (mask, action) in masks.chunks_exact(masks.len() / actions.len()).zip(actions) {
        let valid = mask.iter().map(|&bit| i64::from(bit)).sum();
        let mut left = rng.randint_exclusive(0, valid);
        let place = mask.iter().position(|&bit| {
            left -= i64::from(bit);
            left < 0
        });
        *action = place.map_or(0, |place| place as i32);
    }
}

fn main() -> Result<(), String> {
    let prototype = Prospector::new(Config::default());
    let mut batch = Batch::new(prototype, COPIES, 7, 1, b"{}")?;
    let mut buffers = Buffers::new(batch.shape());
    let mut actions = vec![0; COPIES];
    let mut rng = Pcg32::from_seed(0, 0);
    batch.reset(&(0..COPIES).collect::<Vec<_>>(), None, buffers.rows())?;
    for _ in 0..REPEATS {
        let mut stepping = Duration::ZERO;
        let mut episodes = 0;
        for _ in 0..STEPS_PER_REPEAT {
            choose(&buffers.masks, &mut actions, &mut rng);
            let start = Instant::now();
            batch.step(&actions, buffers.rows())?;
            stepping += start.elapsed();
            episodes += buffers.flags[3].iter().map(|&starts| usize::from(starts)).sum::<usize>();
        }
        let decisions = (COPIES * STEPS_PER_REPEAT) as f64;
        println!(
            "{:.3} million decisions/s, {:.1} decisions per episode",
            decisions / stepping.as_secs_f64() / 1e6,
            decisions / episodes as f64
        );
    }
    Ok(())
}
