//! What a native world implements; the batch around it owns seeding, auto-reset and threads.

use std::any::Any;

use crate::record::StepRecord;
use crate::rows::{Rows, Shape};
use crate::snapshot::SnapshotError;
use crate::state_hash::{WordReader, WordWriter};

/// Whether a copy goes on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The copy takes another step.
    Running,
    /// The copy has ended; the batch resets it inside the same call.
    Over,
}

/// One choice of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// What messages call it.
    pub name: &'static str,
    /// How many options it has, from 0 on.
    pub options: u32,
}

/// One copy of a world.
pub trait Simulation: Clone + Send + Sync + 'static {
    /// First four bytes of a snapshot.
    const MAGIC: [u8; 4];
    /// Version of the words a snapshot holds.
    const SNAPSHOT_VERSION: u16;
    /// The heads of a world that takes no options but its own; none where a world judges every integer itself.
    const STRICT_HEADS: &'static [Head] = &[];

    /// How much of the copy, from its beginning, every step touches; 0 where asking for it ahead does not pay.
    const TOUCHED_BYTES: usize = 0;

    /// How many numbers the copy reads and writes.
    fn shape(&self) -> Shape;

    /// Starts the episode of this seed. What `step_record` tells stays that of the last step.
    fn reset(&mut self, seed: u64);

    /// Starts the episode of this seed in another copy's configuration, carrying nothing from before. What `step_record` and
    /// `reward_parts` tell stays that of the last step.
    ///
    /// # Errors
    /// When all copies of a batch of this world have one configuration; nothing changes then.
    fn reset_as(&mut self, _prototype: &Self, _seed: u64) -> Result<(), String> {
        Err("all copies of this world have one configuration".to_owned())
    }

    /// Advances by one decision; `actions` holds one option per seat and head.
    ///
    /// Writes rewards, flags, metrics, `dt`, events, and `final_obs` of rows that ended; the batch has
    /// cleared `episode_start` and calls `observe` afterwards.
    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Progress;

    /// Asks for what the next step touches beyond its beginning; the beginning itself is near.
    fn expect_step(&self) {}

    /// Writes observation, mask and `alive` for the next decision.
    fn observe(&self, rows: &mut Rows<'_>);

    /// Writes the metrics of the present state.
    fn write_metrics(&self, metrics: &mut [f32]);

    /// Whether the copy has ended and can only be reset.
    fn is_over(&self) -> bool;

    /// Seed of the running episode.
    fn episode_seed(&self) -> u64;

    /// Tells the last step.
    fn step_record(&self) -> StepRecord;

    /// What the rewards of the last step are made of, seat after seat; nothing where a world does not tell.
    fn reward_parts(&self) -> &[f64] {
        &[]
    }

    /// Writes the actions of the world's expert, one option per seat and head; zeros in a world without an expert.
    fn expert_actions(&self, actions: &mut [i32]) {
        actions.fill(0);
    }

    /// Describes an episode that has not been stepped yet.
    fn opening_record(&self) -> StepRecord;

    /// What a viewer draws of the present state, as JSON; nothing where that is made elsewhere.
    fn picture(&self) -> String {
        String::new()
    }

    /// Writes the canonical state: what the state hash covers.
    fn write_words(&self, words: &mut WordWriter);

    /// Writes what a snapshot holds: the canonical state, and whatever else going on from it needs.
    fn write_snapshot_words(&self, words: &mut WordWriter) {
        self.write_words(words);
    }

    /// Takes over a state written by `write_snapshot_words`.
    fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError>;

    /// Draws everything from now on from another seed. What was drawn stays, and so does `episode_seed`.
    fn reseed(&mut self, seed: u64);

    /// Writes what the copy carries from one episode on to the next; nothing where a world begins every one anew.
    fn write_carried(&self, _words: &mut WordWriter) {}

    /// Takes over what `write_carried` wrote; on an error nothing changes.
    fn read_carried(&mut self, _words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Lets go of what it carries: whoever names a seed begins from nothing.
    fn drop_carried(&mut self) {}

    /// Has the next step go on under another configuration, in the form that the bindings of the world make it.
    ///
    /// # Errors
    /// When the world cannot change while it runs, or not in this way.
    fn stage_reload(&mut self, _reload: &dyn Any) -> Result<(), String> {
        Err("this world takes no other configuration while it runs".to_owned())
    }
}
