//! One copy of the world, for a batch and for single steps.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::mem::offset_of;
use std::sync::Arc;

use kernel::memory;
use kernel::pcg32::Pcg32;
use kernel::record::StepRecord;
use kernel::rows::{Rows, Shape};
use kernel::simulation::{Progress, Simulation};
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::config::Config;
use crate::constants::RNG_STREAM;
use crate::metrics::metrics_of;
use crate::record::{self, Summary};
use crate::rules::Rules;
use crate::state::State;
use crate::step::{LastStep, advance};
use crate::tables::{N_ACTIONS, N_METRICS, OBS_DIM};
use crate::view::View;

/// One copy of the world.
#[derive(Clone, Debug)]
#[repr(C)] // what every step touches comes first
pub struct Prospector {
    view: View,
    rules: Arc<Rules>,
    /// Whether the episode has not been stepped yet, so that `closing` tells what the last step left behind.
    is_fresh: bool,
    last: LastStep,
    state: State,
    closing: Box<Summary>,
}

/// What came of a single step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Reward under the configured profile.
    pub reward: f64,
    /// Whether the episode ended by the rules.
    pub terminated: bool,
    /// Whether the episode was cut off by the time limit.
    pub truncated: bool,
    /// Whether the received action was invalid and a hold took its place.
    pub invalid_action: bool,
    /// Ticks the step took.
    pub dt: u16,
    /// The action that was executed.
    pub action: u8,
    /// Event bits.
    pub events: u32,
    /// Metrics in column order.
    pub metrics: [f64; N_METRICS],
    /// Random numbers consumed since seeding.
    pub draws: u64,
}

/// A finished episode was stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpisodeOver;

impl Display for EpisodeOver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the episode is over; reset before the next step")
    }
}

impl Error for EpisodeOver {}

impl Prospector {
    /// A copy without an episode: it must be reset before it is stepped.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let state = State::unstarted();
        Self {
            view: View::blank(),
            rules: Arc::new(Rules::new(config)),
            is_fresh: true,
            last: LastStep::NONE,
            closing: Box::new(Summary::of(&state)),
            state,
        }
    }

    /// The configuration of this copy.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.rules.config
    }

    /// Advances by one decision outside a batch; any integer may be sent, and those that are no valid action hold.
    ///
    /// # Errors
    /// When the episode is over; nothing changes then.
    pub fn step_one(&mut self, action: i32) -> Result<Outcome, EpisodeOver> {
        self.try_step(action)?;
        let LastStep { ending, is_invalid, dt, action, reward, happenings, .. } = &self.last;
        Ok(Outcome {
            reward: *reward,
            terminated: ending.is_terminated(),
            truncated: ending.is_truncated(),
            invalid_action: *is_invalid,
            dt: u16::from(*dt),
            action: *action,
            events: happenings.bits,
            metrics: self.metrics(),
            draws: self.draws(),
        })
    }

    /// Observation for the next decision.
    #[must_use]
    pub fn observation(&self) -> &[f32; OBS_DIM] {
        &self.view.row
    }

    /// Writes 1 for every action that is valid now, 0 for the others.
    pub fn mask(&self, mask: &mut [u8; N_ACTIONS]) {
        self.view.valid.write_mask(mask);
    }

    /// Metrics of the present state, in column order.
    #[must_use]
    pub fn metrics(&self) -> [f64; N_METRICS] {
        metrics_of(&self.state)
    }

    /// Random numbers consumed since seeding.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.state.rng.draws()
    }

    /// Keeps what the last step left behind before its state is overwritten.
    fn keep_closing(&mut self) {
        if !self.is_fresh {
            *self.closing = Summary::of(&self.state);
            self.is_fresh = true;
        }
    }

    #[inline]
    fn try_step(&mut self, action: i32) -> Result<(), EpisodeOver> {
        if self.state.is_over {
            return Err(EpisodeOver);
        }
        self.is_fresh = false;
        advance(&mut self.state, &mut self.view, &self.rules, action, &mut self.last);
        Ok(())
    }
}

impl Simulation for Prospector {
    const MAGIC: [u8; 4] = *b"PRSP";
    const SNAPSHOT_VERSION: u16 = 1;
    const TOUCHED_BYTES: usize = offset_of!(Self, state.belt.nodes);

    fn shape(&self) -> Shape {
        Shape { agents: 1, heads: 1, options: N_ACTIONS, obs: OBS_DIM, obs_u8: 0, metrics: N_METRICS }
    }

    fn reset(&mut self, seed: u64) {
        self.keep_closing();
        self.state.start(seed, self.rules.config.time_max);
        self.view.show_all(&self.state, &self.rules);
    }

    /// # Panics
    /// When the episode is over: a batch resets a copy in the step that ends it.
    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Progress {
        if let Err(error) = self.try_step(actions[0]) {
            panic!("{error}");
        }
        let LastStep { ending, dt, reward, happenings, .. } = &self.last;
        rows.rewards[0] = *reward as f32;
        rows.terminated[0] = u8::from(ending.is_terminated());
        rows.truncated[0] = u8::from(ending.is_truncated());
        rows.dt[0] = u16::from(*dt);
        rows.events[0] = u64::from(happenings.bits);
        self.write_metrics(rows.metrics);
        if self.state.is_over {
            rows.final_obs.copy_from_slice(&self.view.row);
            return Progress::Over;
        }
        Progress::Running
    }

    fn expect_step(&self) {
        // A copy that failed in a step may be anywhere.
        if let Some(here) = self.state.belt.nodes.get(usize::from(self.state.ship.node)) {
            memory::expect(here, 1); // the line of it that a step without travel needs
        }
    }

    fn observe(&self, rows: &mut Rows<'_>) {
        rows.obs.copy_from_slice(&self.view.row);
        let (mask, _) = rows.masks.as_chunks_mut::<N_ACTIONS>();
        self.mask(&mut mask[0]);
        rows.alive[0] = 1;
    }

    fn write_metrics(&self, metrics: &mut [f32]) {
        let (rows, _) = metrics.as_chunks_mut::<N_METRICS>();
        rows[0] = self.metrics().map(|metric| metric as f32);
    }

    fn is_over(&self) -> bool {
        self.state.is_over
    }

    fn episode_seed(&self) -> u64 {
        self.state.seed
    }

    fn step_record(&self) -> StepRecord {
        let after = if self.is_fresh { *self.closing } else { Summary::of(&self.state) };
        record::step_record(&self.last, &after, self.rules.config.reward_profile)
    }

    fn reward_parts(&self) -> &[f64] {
        self.last.terms.of_profile(self.rules.config.reward_profile)
    }

    fn opening_record(&self) -> StepRecord {
        record::opening_record(&Summary::of(&self.state))
    }

    fn write_words(&self, words: &mut WordWriter) {
        self.state.write_words(words);
    }

    fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        let state = State::read_words(words, &self.rules.config)?;
        self.keep_closing();
        self.state = state;
        self.view = View::blank();
        self.view.show_all(&self.state, &self.rules);
        Ok(())
    }

    fn reseed(&mut self, seed: u64) {
        self.state.rng = Pcg32::from_seed(seed, RNG_STREAM);
    }
}
