//! One copy of a batch: its episodes follow one another by a sequence of seeds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::rows::Rows;
use crate::seeds::episode_seed;
use crate::simulation::{Progress, Simulation};

/// Where a copy is in its sequence of episode seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeedSequence {
    pub base: u64,
    pub index: u64,
    pub count: u64,
}

impl SeedSequence {
    fn restart(&mut self, seed: u64) -> u64 {
        self.base = seed;
        self.count = 0;
        seed
    }

    fn advance(&mut self) -> u64 {
        self.count += 1;
        episode_seed(self.base, self.index, self.count)
    }
}

/// A simulation with what a batch keeps beside it.
#[derive(Clone, Debug)]
pub(super) struct Copy<S> {
    pub simulation: S,
    pub sequence: SeedSequence,
    /// Whether it has been stepped since an explicit reset.
    pub has_stepped: bool,
    /// Whether a step panicked, so that nothing but a reset can be asked of it.
    pub is_poisoned: bool,
}

impl<S: Simulation> Copy<S> {
    pub fn reset(&mut self, seed: Option<u64>, rows: &mut Rows<'_>) {
        let seed = match seed {
            Some(seed) => {
                self.simulation.drop_carried();
                self.sequence.restart(seed)
            }
            None => self.sequence.advance(),
        };
        self.simulation.reset(seed);
        self.has_stepped = false;
        self.is_poisoned = false;
        self.write_opening(rows);
        rows.episode_start.fill(1);
    }

    pub fn write_opening(&self, rows: &mut Rows<'_>) {
        rows.clear_step();
        self.simulation.write_metrics(rows.metrics);
        self.simulation.observe(rows);
    }

    /// Goes on in a state that stands in for the opening of its episode; the record of the last step stays.
    pub fn start_in(&mut self, simulation: S, rows: &mut Rows<'_>) {
        self.simulation = simulation;
        self.is_poisoned = false;
        rows.episode_start.fill(1);
        self.simulation.observe(rows);
    }

    /// Opens an episode in another copy's configuration, as the first of a sequence; the record of the last step stays.
    pub fn reopen_as(&mut self, prototype: &S, base: u64, rows: &mut Rows<'_>) -> Result<(), String> {
        let mut sequence = SeedSequence { base, index: 0, count: 0 };
        self.simulation.reset_as(prototype, sequence.advance())?;
        self.sequence = sequence;
        self.is_poisoned = false;
        rows.episode_start.fill(1);
        self.simulation.observe(rows);
        Ok(())
    }

    /// Steps, and keeps a panic from spreading: the copy is poisoned then, and this says so.
    #[inline(always)] // called for every copy of every step
    pub fn try_step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> bool {
        if !self.is_poisoned {
            let step = AssertUnwindSafe(|| self.step(actions, rows));
            self.is_poisoned = catch_unwind(step).is_err();
        }
        self.is_poisoned
    }

    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) {
        rows.episode_start.fill(0);
        self.has_stepped = true;
        if self.simulation.step(actions, rows) == Progress::Over {
            let seed = self.sequence.advance();
            self.simulation.reset(seed);
            rows.episode_start.fill(1);
        }
        self.simulation.observe(rows);
    }
}
