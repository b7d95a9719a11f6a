//! Many worlds with auto-reset: the state behind an `abp_vec` handle, in safe Rust.

use kernel::batch::{AnyBatch, Batch};
use kernel::rows::Rows;
use prospector::{Config, Prospector};

use crate::config_json;
use crate::status::Status;

/// Most copies a batch may have.
pub const ABP_MAX_COPIES: usize = 1 << 20;
/// Most threads a batch may use.
pub const ABP_MAX_THREADS: usize = 1024;

/// The caller's arrays, one entry or row per copy.
#[allow(missing_docs, reason = "the names are those of the header")]
pub struct Columns<'a> {
    pub obs: &'a mut [f32],
    pub rewards: &'a mut [f32],
    pub terminals: &'a mut [u8],
    pub truncations: &'a mut [u8],
    pub action_masks: &'a mut [u8],
    pub dt: &'a mut [u16],
    pub metrics: &'a mut [f32],
    pub event_bits: &'a mut [u32],
    pub final_obs: &'a mut [f32],
}

/// Copies of one world.
#[derive(Debug)]
pub struct Vector {
    batch: Batch<Prospector>,
    is_reset: bool,
    /// What the kernel writes and this interface does not show, or shows narrower.
    alive: Vec<u8>,
    episode_start: Vec<u8>,
    events: Vec<u64>,
}

impl Vector {
    /// Makes `copies` copies that are stepped by `threads` threads.
    ///
    /// # Errors
    /// When a count is out of range or the threads cannot be started.
    pub fn new(config: Config, copies: usize, seed: u64, threads: usize) -> Result<Self, Status> {
        if !(1..=ABP_MAX_COPIES).contains(&copies) || !(1..=ABP_MAX_THREADS).contains(&threads) {
            return Err(Status::BadCount);
        }
        let header = config_json::canonical(&config);
        let batch = Batch::new(Prospector::new(config), copies, seed, threads, header.as_bytes());
        Ok(Self {
            batch: batch.map_err(|_| Status::BadCount)?,
            is_reset: false,
            alive: vec![0; copies],
            episode_start: vec![0; copies],
            events: vec![0; copies],
        })
    }

    /// Number of copies.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.batch.copies()
    }

    /// Opens an episode in every copy, of its own seed or of the next in its sequence.
    ///
    /// # Errors
    /// When a column does not have one entry or row per copy.
    pub fn reset(&mut self, seeds: Option<&[u64]>, mut columns: Columns<'_>) -> Result<(), Status> {
        let all: Vec<usize> = (0..self.copies()).collect();
        let rows = rows(&mut columns, &mut self.alive, &mut self.episode_start, &mut self.events);
        self.batch.reset(&all, seeds, rows).map_err(|_| Status::BadCount)?;
        self.is_reset = true;
        narrow(&self.events, columns.event_bits);
        Ok(())
    }

    /// Advances every copy by one decision; one that ends opens its next episode in the same call.
    ///
    /// # Errors
    /// Before the first reset, or when a column does not have one entry or row per copy.
    pub fn step(&mut self, actions: &[i32], mut columns: Columns<'_>) -> Result<(), Status> {
        if !self.is_reset {
            return Err(Status::NotReset);
        }
        let rows = rows(&mut columns, &mut self.alive, &mut self.episode_start, &mut self.events);
        self.batch.step(actions, rows).map_err(|_| Status::BadCount)?;
        narrow(&self.events, columns.event_bits);
        Ok(())
    }
}

fn rows<'a>(
    columns: &'a mut Columns<'_>,
    alive: &'a mut [u8],
    episode_start: &'a mut [u8],
    events: &'a mut [u64],
) -> Rows<'a> {
    Rows {
        obs: columns.obs,
        obs_u8: &mut [],
        masks: columns.action_masks,
        rewards: columns.rewards,
        terminated: columns.terminals,
        truncated: columns.truncations,
        alive,
        episode_start,
        metrics: columns.metrics,
        dt: columns.dt,
        events,
        final_obs: columns.final_obs,
        final_obs_u8: &mut [],
    }
}

/// Shows the low half of every event word; the world has no event above it.
fn narrow(events: &[u64], event_bits: &mut [u32]) {
    for (shown, &word) in event_bits.iter_mut().zip(events) {
        *shown = word as u32;
    }
}
