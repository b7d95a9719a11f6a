//! What the bindings ask of a batch, whatever its world.

use std::any::Any;

use super::step_error::StepError;
use crate::record::StepRecord;
use crate::rows::{Rows, Shape};
use crate::snapshot::SnapshotError;
use crate::state_hash::hash_words;

/// An episode that a copy plays in another configuration.
#[derive(Clone, Copy)]
pub struct NewConfig<'a> {
    /// Which copy.
    pub copy: usize,
    /// A batch in that configuration; its first copy stands for all it has.
    pub prototype: &'a dyn AnyBatch,
    /// From which the seeds of the copy's episodes come, as they do for the first copy of a batch.
    pub seed: u64,
}

/// A batch of any native world, as the bindings see it.
pub trait AnyBatch: Any + Send + Sync {
    /// How many numbers one copy reads and writes.
    fn shape(&self) -> Shape;

    /// Number of copies.
    fn copies(&self) -> usize;

    /// Resets the named copies, with their own seeds or the next of their sequences.
    fn reset(&mut self, copies: &[usize], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), String>;

    /// Advances every copy by one decision. Copies never see one another, so the result does not depend on
    /// how many threads run. A strict world refuses an option that does not exist before anything is stepped.
    fn step(&mut self, actions: &[i32], rows: Rows<'_>) -> Result<(), StepError>;

    /// Seed of the episode the copy is in.
    fn episode_seed(&self, copy: usize) -> u64;

    /// Tells the last step of the copy, or its opening if it has not been stepped since an explicit reset.
    fn step_record(&self, copy: usize) -> StepRecord;

    /// Describes the episode the copy has just opened.
    fn opening_record(&self, copy: usize) -> StepRecord;

    /// What a viewer draws of the copy, as JSON; nothing where that is made elsewhere.
    fn picture(&self, copy: usize) -> String;

    /// What the rewards of the last step are made of, row after row; nothing where a world does not tell.
    fn reward_parts(&self) -> Vec<f64>;

    /// Writes the actions of the world's expert for every copy, as `step` takes them.
    fn expert_actions(&self, actions: &mut [i32]) -> Result<(), String>;

    /// Complete state of the copy, seed sequence included.
    fn snapshot(&self, copy: usize) -> Vec<u8>;

    /// Continues from a snapshot and writes the copy's observation and mask; on an error nothing changes.
    fn restore(&mut self, copy: usize, data: &[u8], rows: Rows<'_>) -> Result<(), SnapshotError>;

    /// Replaces the episode that the copy has just opened by one that begins in a stored state.
    ///
    /// The copy keeps its seed sequence and what it carries. Observation, mask and `episode_start` are written; the
    /// outcome of its last step stays. With a seed, everything from now on is drawn from it. On an error nothing changes.
    fn start_from(&mut self, copy: usize, data: &[u8], seed: Option<u64>, rows: Rows<'_>) -> Result<(), SnapshotError>;

    /// Replaces the episodes that copies have just opened by episodes in other configurations.
    ///
    /// Observation, mask and `episode_start` are written; the outcome of the copies' last steps stays. On an error
    /// nothing changes.
    fn reconfigure(&mut self, changes: &[NewConfig<'_>], rows: Rows<'_>) -> Result<(), String>;

    /// The world's canonical state words of the copy.
    fn state_words(&self, copy: usize) -> Vec<u64>;

    /// Hash of the canonical state words.
    fn state_hash(&self, copy: usize) -> u64 {
        hash_words(&self.state_words(copy))
    }

    /// What the copy carries from one episode on to the next.
    fn carried(&self, copy: usize) -> Vec<u64>;

    /// Has the copy carry something else; on an error nothing changes.
    fn carry(&mut self, copy: usize, words: &[u64]) -> Result<(), SnapshotError>;

    /// Has every copy go on under another configuration from the next step on, whose canonical JSON is `header`.
    fn stage_reload(&mut self, reload: &dyn Any, header: &[u8]) -> Result<(), String>;

    /// Keeps the threads that step from sleeping between steps until `rest`; batches split off share them.
    fn stay_awake(&self);

    /// Lets the threads that step sleep when they have nothing to do.
    fn rest(&self);

    /// Hands the copies over to independent batches of these sizes; this one is empty afterwards.
    fn split(&mut self, sizes: &[usize]) -> Result<Vec<Box<dyn AnyBatch>>, String>;
}
