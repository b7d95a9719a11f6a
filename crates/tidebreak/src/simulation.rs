//! One copy of the arena as a batch drives it: episodes, seats, rewards that wait, snapshots.

mod record;

use std::sync::Arc;

use kernel::record::StepRecord;
use kernel::rows::{Rows, Shape};
use kernel::simulation::{Head, Progress, Simulation};
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::arena::Arena;
use crate::contract::{HEAD_NAMES, HEAD_OFFSETS, HEAD_SIZES, HEADS, N_METRICS, N_OPTIONS, NOOPS};
use crate::decisions::{Decision, check_decision, repeated};
use crate::events::Keeping;
use crate::generation::episodes::{Episode, EpisodePlan};
use crate::generation::seats::EMPTY_SEAT;
use crate::generation::seeds::battle_seed;
use crate::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};
use crate::metrics::unit_metrics;
use crate::observe::row::{compact_observation, observation, observe_unit};
use crate::render::picture;
use crate::reward::{Reward, RewardRule, ending_flags, tick_rewards};
use crate::state::{Battle, Unit};
use crate::words::write_state;

/// What all copies of a batch share.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which battles are fought, and by whom.
    pub plan: EpisodePlan,
    /// Rows per copy.
    pub seats: usize,
    /// Whether the compact observation is shown.
    pub is_compact: bool,
    /// How parts become a reward.
    pub rule: RewardRule,
    /// Whether units that are out wait for the end of the battle and share its outcome.
    pub credit_dead: bool,
    /// Ticks for which a decision is repeated, unless the battle ends before.
    pub decision_ticks: u16,
}

/// One copy of the world.
#[derive(Clone, Debug)]
pub struct Tidebreak {
    settings: Arc<Settings>,
    seed: u64,
    course: Option<Course>,
    /// Of every starting unit, by place; kept for its memory.
    earned: Vec<Reward>,
    /// Components of what the last step paid, seat after seat; a reset leaves them.
    parts: Vec<f64>,
    /// The last step of an episode that has been closed by a reset since.
    closing: Option<Box<StepRecord>>,
}

/// A running episode.
#[derive(Clone, Debug)]
struct Course {
    stage: i64,
    arena: Arena,
    /// Place of every seat's unit.
    seats: Vec<Option<usize>>,
    /// What units that are out are still owed, by seat.
    owed: Vec<Reward>,
    /// What the last step paid, by seat.
    paid: Vec<Reward>,
    /// Whether the row of a seat ended by the rules in the last step, and whether it was cut off.
    ended: Vec<(bool, bool)>,
    /// Orders of the last step whose precondition failed, by seat.
    invalid: Vec<i64>,
    /// What was decided for the last step, by seat.
    taken: Vec<Option<Decision>>,
    /// Ticks of the last step, 0 before the first.
    ticks: u16,
}

impl Tidebreak {
    /// A copy without an episode: it must be reset before it is stepped.
    #[must_use]
    pub const fn new(settings: Arc<Settings>) -> Self {
        Self { settings, seed: 0, course: None, earned: Vec::new(), parts: Vec::new(), closing: None }
    }

    /// The battle as it stands.
    ///
    /// # Panics
    /// When the copy has never been reset.
    #[must_use]
    pub fn battle(&self) -> &Battle {
        self.course().arena.battle()
    }

    fn course(&self) -> &Course {
        self.course.as_ref().expect("reset or read_words comes first")
    }

    fn row_width(&self) -> usize {
        if self.settings.is_compact { COMPACT_OBS_WIDTH } else { OBS_WIDTH }
    }

    fn keep_closing(&mut self) {
        // An episode that was opened and at once replaced leaves what the one before it left behind.
        if let Some(ended) = self.course.as_ref().filter(|course| course.ticks > 0) {
            self.closing = Some(Box::new(record::step_record(&self.settings, ended)));
        }
    }

    fn open(&self, seed: u64) -> Course {
        let episode = self.settings.plan.episode(seed);
        Course::open(episode)
    }
}

const fn heads() -> [Head; HEADS] {
    let mut heads = [Head { name: "", options: 0 }; HEADS];
    let mut place = 0;
    while place < HEADS {
        heads[place] = Head { name: HEAD_NAMES[place], options: HEAD_SIZES[place] as u32 };
        place += 1;
    }
    heads
}

impl Course {
    fn open(episode: Episode) -> Self {
        let seats: Vec<Option<usize>> =
            episode.seats.iter().map(|&unit_id| (unit_id != EMPTY_SEAT).then(|| unit_id as usize - 1)).collect();
        let count = seats.len();
        let arena = match Arena::new(episode.spec, episode.controllers, episode.seed, Keeping::Everything) {
            Ok(arena) => arena,
            Err(reason) => panic!("the map of an episode is wrong: {reason}"),
        };
        Self {
            stage: episode.stage,
            arena,
            seats,
            owed: vec![Reward::default(); count],
            paid: vec![Reward::default(); count],
            ended: vec![(false, false); count],
            invalid: vec![0; count],
            taken: vec![None; count],
            ticks: 0,
        }
    }

    fn unit(&self, seat: usize) -> Option<&Unit> {
        self.seats[seat].map(|place| &self.arena.battle().units[place])
    }

    fn is_over(&self) -> bool {
        self.arena.battle().outcome.is_over()
    }

    fn is_alive(&self, seat: usize) -> bool {
        !self.is_over() && self.unit(seat).is_some_and(Unit::is_effective)
    }

    /// Takes what every living seat has decided, and repeats it for as many ticks as a decision has.
    fn step(&mut self, actions: &[i32], settings: &Settings, earned: &mut Vec<Reward>) {
        self.arena.forget_events();
        self.latch(actions);
        self.ticks = 0;
        self.advance(settings, earned);
        while self.ticks < settings.decision_ticks && !self.is_over() {
            self.latch_again();
            self.advance(settings, earned);
        }
    }

    /// Latches the first tick of a decision.
    fn latch(&mut self, actions: &[i32]) {
        for (seat, options) in actions.chunks_exact(HEADS).enumerate() {
            self.taken[seat] = None;
            let Some(place) = self.seats[seat].filter(|_| self.is_alive(seat)) else { continue };
            match check_decision(options) {
                Ok(decision) => {
                    self.taken[seat] = Some(decision);
                    self.arena.latch(place, &decision);
                }
                Err(reason) => panic!("{reason}"),
            }
        }
    }

    /// Latches what is left of the decisions on a later tick.
    fn latch_again(&mut self) {
        for seat in 0..self.seats.len() {
            if let (Some(place), Some(decision), true) = (self.seats[seat], self.taken[seat], self.is_alive(seat)) {
                self.arena.latch(place, &repeated(self.arena.battle(), place, &decision));
            }
        }
    }

    /// Advances one tick and adds what it came to; rewards are summed in the order of the ticks, and an end stays one.
    fn advance(&mut self, settings: &Settings, earned: &mut Vec<Reward>) {
        self.arena.step();
        tick_rewards(self.arena.battle(), &settings.rule, earned);
        for seat in 0..self.seats.len() {
            let due = self.due(seat, earned, settings.credit_dead);
            let (terminated, truncated) = self.flags(seat, settings.credit_dead);
            let invalid = self.unit(seat).map_or(0, |unit| unit.scratch.invalid);
            if self.ticks == 0 {
                self.paid[seat] = due;
                self.ended[seat] = (terminated, truncated);
                self.invalid[seat] = invalid;
            } else {
                self.paid[seat].add(&due);
                self.ended[seat] = (self.ended[seat].0 | terminated, self.ended[seat].1 | truncated);
                self.invalid[seat] += invalid;
            }
        }
        self.ticks += 1;
    }

    /// What a seat gets for a tick; what a unit that is out would get waits for the end of the battle.
    fn due(&mut self, seat: usize, earned: &[Reward], credit_dead: bool) -> Reward {
        let Some(place) = self.seats[seat] else { return Reward::default() };
        if self.arena.battle().units[place].memory.was_effective {
            return earned[place];
        }
        if credit_dead {
            self.owed[seat].add(&earned[place]);
            if self.is_over() {
                return self.owed[seat];
            }
        }
        Reward::default()
    }

    fn flags(&self, seat: usize, credit_dead: bool) -> (bool, bool) {
        self.seats[seat].map_or((false, false), |place| ending_flags(self.arena.battle(), place, credit_dead))
    }

    fn metrics(&self, seat: usize) -> [f64; N_METRICS] {
        self.seats[seat].map_or([0.0; N_METRICS], |place| unit_metrics(self.arena.battle(), place))
    }
}

impl Simulation for Tidebreak {
    const MAGIC: [u8; 4] = *b"TBSN";
    const SNAPSHOT_VERSION: u16 = 1;
    const STRICT_HEADS: &'static [Head] = &heads();

    fn shape(&self) -> Shape {
        Shape {
            agents: self.settings.seats,
            heads: HEADS,
            options: N_OPTIONS,
            obs: self.row_width(),
            obs_u8: 0,
            metrics: N_METRICS,
        }
    }

    fn reset(&mut self, seed: u64) {
        self.keep_closing();
        self.seed = seed;
        self.course = Some(self.open(seed));
    }

    fn reset_as(&mut self, prototype: &Self, seed: u64) -> Result<(), String> {
        // The record of the last step reads the settings that it was played under.
        self.keep_closing();
        self.settings = Arc::clone(&prototype.settings);
        self.seed = seed;
        self.course = Some(self.open(seed));
        Ok(())
    }

    /// # Panics
    /// When an option does not exist: the batch has checked them all.
    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Progress {
        let Self { settings, course: Some(course), earned, parts, closing, .. } = self else {
            panic!("reset or read_words comes first");
        };
        *closing = None;
        course.step(actions, settings, earned);
        parts.clear();
        parts.extend(course.paid.iter().flat_map(|paid| paid.components));
        let width = if settings.is_compact { COMPACT_OBS_WIDTH } else { OBS_WIDTH };
        for seat in 0..course.seats.len() {
            let (terminated, truncated) = course.ended[seat];
            rows.rewards[seat] = course.paid[seat].total as f32;
            rows.terminated[seat] = u8::from(terminated);
            rows.truncated[seat] = u8::from(truncated);
            if let Some(place) = course.seats[seat].filter(|_| terminated || truncated) {
                let row = &mut rows.final_obs[seat * width..(seat + 1) * width];
                let observe = if settings.is_compact { compact_observation } else { observation };
                observe(course.arena.battle(), place, row);
            }
        }
        rows.dt[0] = course.ticks;
        rows.events[0] = course.arena.battle().log.seen_kinds;
        let is_over = course.is_over();
        self.write_metrics(rows.metrics);
        if is_over { Progress::Over } else { Progress::Running }
    }

    fn observe(&self, rows: &mut Rows<'_>) {
        let (course, width) = (self.course(), self.row_width());
        for seat in 0..course.seats.len() {
            let row = &mut rows.obs[seat * width..(seat + 1) * width];
            let mask = &mut rows.masks[seat * N_OPTIONS..(seat + 1) * N_OPTIONS];
            let living = course.seats[seat].filter(|_| course.is_alive(seat));
            rows.alive[seat] = u8::from(living.is_some());
            if let Some(place) = living {
                observe_unit(course.arena.battle(), place, self.settings.is_compact, row, mask);
            } else {
                row.fill(0.0);
                mask.fill(0);
                for (offset, noop) in HEAD_OFFSETS.into_iter().zip(NOOPS) {
                    mask[offset + noop as usize] = 1;
                }
            }
        }
    }

    fn write_metrics(&self, metrics: &mut [f32]) {
        let course = self.course();
        for (seat, row) in metrics.chunks_exact_mut(N_METRICS).enumerate() {
            for (shown, value) in row.iter_mut().zip(course.metrics(seat)) {
                *shown = value as f32;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.course().is_over()
    }

    fn episode_seed(&self) -> u64 {
        self.seed
    }

    fn step_record(&self) -> StepRecord {
        match &self.closing {
            Some(closing) => (**closing).clone(),
            None => record::step_record(&self.settings, self.course()),
        }
    }

    fn picture(&self) -> String {
        let course = self.course();
        picture(course.arena.battle(), &course.seats).to_string()
    }

    fn reward_parts(&self) -> &[f64] {
        &self.parts
    }

    fn opening_record(&self) -> StepRecord {
        record::opening_record(&self.settings, self.course())
    }

    fn write_words(&self, words: &mut WordWriter) {
        write_state(self.battle(), words);
    }

    fn write_snapshot_words(&self, words: &mut WordWriter) {
        let course = self.course();
        words.unsigned(self.seed);
        words.unsigned(course.arena.battle().initial_hash);
        course.arena.write_words(words);
        for owed in &course.owed {
            words.float(owed.total);
            words.floats(&owed.components);
            words.float(owed.team);
            words.float(owed.shaping);
        }
    }

    fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        let (seed, initial_hash) = (words.unsigned()?, words.unsigned()?);
        let mut course = self.open(seed);
        course.arena.read_words(initial_hash, words)?;
        for owed in &mut course.owed {
            owed.total = words.float()?;
            owed.components = words.floats()?;
            owed.team = words.float()?;
            owed.shaping = words.float()?;
        }
        self.keep_closing();
        self.seed = seed;
        self.course = Some(course);
        Ok(())
    }

    /// # Panics
    /// Before the first episode.
    fn reseed(&mut self, seed: u64) {
        let course = self.course.as_mut().expect("reset or read_words comes first");
        course.arena.reseed(battle_seed(seed));
    }
}
