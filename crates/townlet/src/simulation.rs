//! One copy of a town as a batch drives it: episodes, seats, last observations, snapshots.

mod record;

use std::any::Any;
use std::sync::Arc;

use kernel::record::StepRecord;
use kernel::rows::{Rows, Shape};
use kernel::simulation::{Progress, Simulation};
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::codes::{MAX_SEATS, NOTHING, OPTIONS, PRIMITIVES};
use crate::config::policy::ActionLevel;
use crate::curiosity::{read_visits, write_visits};
use crate::decisions::controller;
use crate::decisions::deciding::action_mask;
use crate::events::EventLog;
use crate::metrics::{CITIZEN_METRICS, METRICS, TOWN_METRICS, citizen_metrics, town_metrics};
use crate::observe::Observer;
use crate::opening::{empty_town, open_town};
use crate::reloading::apply_reload;
use crate::setup::Setup;
use crate::state::kpis::TickReport;
use crate::state::town::Town;
use crate::streams::Streams;
use crate::tick::{begin_tick, finish_tick};
use crate::words::{read_town, write_snapshot, write_state};

/// Who can ever come in one episode.
const MAX_CITIZENS: i64 = 256;
/// What a free seat may choose.
const NOOP: usize = 0;

/// What all copies of a batch share.
#[derive(Debug)]
pub struct Shared {
    setup: Setup,
    observer: Observer,
}

impl Shared {
    /// Prepares what never changes.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let observer = Observer::new(&setup);
        Self { setup, observer }
    }

    const fn actions(&self) -> usize {
        match self.setup.config.policy_runtime.action_level {
            ActionLevel::Option => OPTIONS,
            ActionLevel::Primitive => PRIMITIVES,
        }
    }
}

/// One copy of the world: a town between two decisions.
#[derive(Clone, Debug)]
pub struct Townlet {
    shared: Arc<Shared>,
    /// What the next tick goes on under, if that is something else.
    next: Option<Arc<Shared>>,
    town: Town,
    /// What the last tick paid and ended.
    report: TickReport,
    /// What happened since the last decision.
    events: EventLog,
    /// Number of who had each seat when the last step began, -1 for a free one.
    numbers: Vec<i64>,
    /// What each of them decided.
    taken: Vec<i32>,
    /// Last observations of those who left in the last step, one after another in exit order.
    last_rows: Vec<f32>,
    /// Their last metrics.
    last_metrics: Vec<[f64; CITIZEN_METRICS]>,
    has_stepped: bool,
    /// The last step of an episode that has been closed by a reset since.
    closing: Option<Box<StepRecord>>,
}

impl Townlet {
    /// A copy without an episode: it must be reset before it is stepped.
    #[must_use]
    pub fn new(shared: Arc<Shared>) -> Self {
        let seats = shared.setup.config.world.seats;
        Self {
            town: empty_town(&shared.setup, 0),
            report: TickReport::of_seats(seats),
            events: EventLog::default(),
            numbers: vec![NOTHING; seats],
            taken: vec![0; seats],
            last_rows: Vec::new(),
            last_metrics: Vec::new(),
            has_stepped: false,
            closing: None,
            next: None,
            shared,
        }
    }

    /// The town as it stands.
    #[must_use]
    pub const fn town(&self) -> &Town {
        &self.town
    }

    fn open(&mut self, town: Town) {
        // An episode that was opened and at once replaced leaves what the one before it left behind.
        if self.has_stepped {
            self.closing = Some(Box::new(record::step_record(self)));
        }
        self.town = town;
        self.report.clear();
        self.events.clear();
        self.last_rows.clear();
        self.last_metrics.clear();
        self.numbers.fill(NOTHING);
        self.has_stepped = false;
    }

    fn take_events(&mut self) {
        self.events.clear();
        std::mem::swap(&mut self.events, &mut self.town.events);
    }

    /// Place among those who left in the last step, if the citizen of this seat did.
    fn exit_place(&self, seat: usize) -> Option<usize> {
        self.report.exits.iter().position(|&(left, _)| left == seat)
    }

    fn is_truncated(&self, seat: usize) -> bool {
        self.is_over() && self.numbers[seat] != NOTHING && self.exit_place(seat).is_none()
    }

    fn seat_metrics(&self, seat: usize, shared: [f64; TOWN_METRICS]) -> [f64; METRICS] {
        let own = match (self.exit_place(seat), &self.town.seats[seat]) {
            (Some(place), _) => self.last_metrics[place],
            (None, Some(_)) => citizen_metrics(&self.town, seat),
            (None, None) => [0.0; CITIZEN_METRICS],
        };
        let mut metrics = [0.0; METRICS];
        metrics[..TOWN_METRICS].copy_from_slice(&shared);
        metrics[TOWN_METRICS..].copy_from_slice(&own);
        metrics
    }

    fn write_outcome(&self, rows: &mut Rows<'_>) {
        let width = self.shared.observer.width();
        for seat in 0..self.town.seats.len() {
            let (exit, is_truncated) = (self.exit_place(seat), self.is_truncated(seat));
            rows.rewards[seat] = self.report.rewards[seat].map_or(0.0, |reward| reward.total as f32);
            rows.terminated[seat] = u8::from(exit.is_some());
            rows.truncated[seat] = u8::from(is_truncated);
            let row = &mut rows.final_obs[seat * width..(seat + 1) * width];
            if let Some(place) = exit {
                row.copy_from_slice(&self.last_rows[place * width..(place + 1) * width]);
            } else if is_truncated {
                self.shared.observer.write_row(&self.town, &self.shared.setup, seat, row);
            }
        }
        rows.dt[0] = 1;
        rows.events[0] = self.events.kinds();
        self.write_metrics(rows.metrics);
    }
}

impl Simulation for Townlet {
    const MAGIC: [u8; 4] = *b"TOWN";
    const SNAPSHOT_VERSION: u16 = 2;

    fn shape(&self) -> Shape {
        Shape {
            agents: self.town.seats.len(),
            heads: 1,
            options: self.shared.actions(),
            obs: self.shared.observer.width(),
            obs_u8: 0,
            metrics: METRICS,
        }
    }

    fn reset(&mut self, seed: u64) {
        let visits = std::mem::take(&mut self.town.visits);
        let town = open_town(&self.shared.setup, seed);
        self.open(town);
        self.town.visits = visits;
        begin_tick(&mut self.town, &self.shared.setup);
        self.take_events();
    }

    fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Progress {
        self.closing = None;
        self.has_stepped = true;
        self.taken.copy_from_slice(actions);
        self.last_rows.clear();
        self.last_metrics.clear();
        let mut selections = [NOTHING; MAX_SEATS];
        for (seat, citizen) in self.town.seats.iter().enumerate() {
            self.numbers[seat] = citizen.as_ref().map_or(NOTHING, |citizen| citizen.number);
            if citizen.is_some() {
                selections[seat] = i64::from(actions[seat]);
            }
        }
        let Self { shared, next, town, last_rows, last_metrics, report, .. } = self;
        finish_tick(town, &shared.setup, &selections[..town.seats.len()], |town, seat| {
            let start = last_rows.len();
            last_rows.resize(start + shared.observer.width(), 0.0);
            shared.observer.write_row(town, &shared.setup, seat, &mut last_rows[start..]);
            last_metrics.push(citizen_metrics(town, seat));
        });
        std::mem::swap(report, &mut town.report);
        if let Some(next) = next.take() {
            apply_reload(town, &shared.setup, &next.setup);
            *shared = next;
        }
        begin_tick(town, &shared.setup);
        self.take_events();
        self.write_outcome(rows);
        if self.is_over() { Progress::Over } else { Progress::Running }
    }

    fn observe(&self, rows: &mut Rows<'_>) {
        let Shared { setup, observer } = &*self.shared;
        observer.write_rows(&self.town, setup, rows.obs);
        for (seat, mask) in rows.masks.chunks_exact_mut(self.shared.actions()).enumerate() {
            match &self.town.seats[seat] {
                Some(citizen) => {
                    rows.alive[seat] = 1;
                    if citizen.ctx_reset {
                        rows.episode_start[seat] = 1;
                    }
                    action_mask(&self.town, setup, seat, mask);
                }
                None => {
                    rows.alive[seat] = 0;
                    mask.fill(0);
                    mask[NOOP] = 1;
                }
            }
        }
    }

    fn write_metrics(&self, metrics: &mut [f32]) {
        let shared = town_metrics(&self.town, &self.shared.setup);
        for (seat, row) in metrics.chunks_exact_mut(METRICS).enumerate() {
            for (shown, value) in row.iter_mut().zip(self.seat_metrics(seat, shared)) {
                *shown = value as f32;
            }
        }
    }

    fn expert_actions(&self, actions: &mut [i32]) {
        for (seat, action) in actions.iter_mut().enumerate() {
            *action = match &self.town.seats[seat] {
                Some(_) => controller::decide(&self.town, &self.shared.setup, seat) as i32,
                None => NOOP as i32,
            };
        }
    }

    fn is_over(&self) -> bool {
        let is_drained = self.town.next_number >= MAX_CITIZENS && !self.town.lifecycle.tickets.is_empty();
        self.town.tick >= self.shared.setup.config.episode_ticks || is_drained
    }

    fn episode_seed(&self) -> u64 {
        self.town.seed
    }

    fn step_record(&self) -> StepRecord {
        match &self.closing {
            Some(closing) => (**closing).clone(),
            None => record::step_record(self),
        }
    }

    fn opening_record(&self) -> StepRecord {
        record::opening_record(self)
    }

    fn write_words(&self, words: &mut WordWriter) {
        write_state(&self.town, words);
    }

    fn write_snapshot_words(&self, words: &mut WordWriter) {
        write_snapshot(&self.town, words);
    }

    fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        let town = read_town(words, &self.shared.setup)?;
        self.open(town);
        Ok(())
    }

    fn reseed(&mut self, seed: u64) {
        self.town.streams = Streams::of_seed(seed);
    }

    fn write_carried(&self, words: &mut WordWriter) {
        write_visits(&self.town.visits, words);
    }

    fn read_carried(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        self.town.visits = read_visits(words, &self.shared.setup)?;
        Ok(())
    }

    fn drop_carried(&mut self) {
        self.town.visits.clear();
    }

    fn stage_reload(&mut self, reload: &dyn Any) -> Result<(), String> {
        let shared = reload.downcast_ref::<Arc<Shared>>().ok_or("this is no setup of a town")?;
        if shared.observer.width() != self.shared.observer.width() || shared.actions() != self.shared.actions() {
            return Err("another setup must have the same observations and actions".to_owned());
        }
        self.next = Some(Arc::clone(shared));
        Ok(())
    }
}
