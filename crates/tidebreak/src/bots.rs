//! The scripted captains that policies learn from, which play from an observation row; the readable tier has all.

mod hunting;
mod stalking;
mod view;
mod wish;

use kernel::bots::Bot;
use kernel::pcg32::Pcg32;

pub use self::view::Hull;
use self::view::View;
use self::wish::{Wish, decide};
use crate::contract::{HEADS, N_OPTIONS};
use crate::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};

const RANDOM_STREAM: u64 = 112;

/// What a captain remembers.
#[derive(Clone, Debug)]
pub struct Memory {
    rng: Pcg32,
    /// Decisions taken in this episode.
    decisions: u64,
}

/// What a captain wants of a moment.
type Plan = fn(&View<'_>, &mut Memory) -> Wish;

/// A captain who carries out one plan, tick after tick.
pub struct Captain {
    plan: Plan,
    /// Classes of ships that come with the world.
    hulls: Vec<Hull>,
}

impl Captain {
    /// The captain of this name.
    ///
    /// # Errors
    /// There is none, or the world has no classes of ships.
    pub fn named(name: &str, hulls: Vec<Hull>) -> Result<Self, String> {
        let plan = match name {
            "hunter" => hunting::hunt,
            "stalker" => stalking::stalk,
            other => return Err(format!("captain '{other}' does not exist here; use 'hunter' or 'stalker'")),
        };
        if hulls.is_empty() {
            return Err("a captain knows at least one class of ships".to_owned());
        }
        Ok(Self { plan, hulls })
    }
}

impl Bot for Captain {
    type Memory = Memory;

    const MEMORY_WORDS: usize = 4;

    fn heads(&self) -> usize {
        HEADS
    }

    fn can_read(&self, obs_width: usize, options: usize) -> bool {
        [OBS_WIDTH, COMPACT_OBS_WIDTH].contains(&obs_width) && options == N_OPTIONS
    }

    fn recall_nothing(&self, episode_seed: u64) -> Memory {
        Memory { rng: Pcg32::from_seed(episode_seed, RANDOM_STREAM), decisions: 0 }
    }

    fn act(&self, memory: &mut Memory, obs: &[f32], mask: &[u8], decision: &mut [i32]) {
        let view = View::of(obs, mask, &self.hulls);
        let wish = (self.plan)(&view, memory);
        decision.copy_from_slice(&decide(&view, &wish));
        memory.decisions += 1;
    }

    fn write_memory(memory: &Memory, words: &mut [u64]) {
        words.copy_from_slice(&[memory.rng.state(), memory.rng.inc(), memory.rng.draws(), memory.decisions]);
    }

    fn read_memory(words: &[u64]) -> Memory {
        Memory { rng: Pcg32::from_parts(words[0], words[1], words[2]), decisions: words[3] }
    }
}
