//! One battle of a batch: seed sequence, auto-reset, events, snapshots and poison.

use std::sync::Arc;

use ::tidebreak::contract::N_REWARD_COMPONENTS;
use ::tidebreak::result::result_without_events;
use ::tidebreak::simulation::Tidebreak;
use kernel::record::Value;
use kernel::rows::Rows;
use kernel::seeds::episode_seed;
use kernel::simulation::{Progress, Simulation};
use kernel::snapshot::{self, SnapshotError};
use kernel::state_hash::{WordReader, WordWriter, hash_words};

use crate::tb::code::{Code, Failure};
use crate::tb::event::TbEvent;
use crate::tb::guard::guarded;
use crate::tb::template::Template;

/// Where an environment is in its sequence of episode seeds.
#[derive(Clone, Copy, Debug)]
struct SeedSequence {
    base: u64,
    index: u64,
    count: u64,
}

/// What an environment is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Unopened,
    Running,
    Poisoned,
}

/// One environment.
#[derive(Clone, Debug)]
pub struct Environment {
    simulation: Tidebreak,
    header: Arc<[u8]>,
    sequence: SeedSequence,
    standing: Standing,
    collects_events: bool,
    events: Vec<TbEvent>,
    result: Option<String>,
}

impl Environment {
    /// An environment at a place in a batch; it must be reset before it is stepped.
    #[must_use]
    pub fn new(template: &Template, seed: u64, index: usize, collects_events: bool) -> Self {
        Self {
            simulation: template.simulation(),
            header: Arc::clone(&template.header),
            sequence: SeedSequence { base: seed, index: index as u64, count: 0 },
            standing: Standing::Unopened,
            collects_events,
            events: Vec::new(),
            result: None,
        }
    }

    /// Fights another battle from the next reset on.
    pub fn take(&mut self, template: &Template) {
        self.simulation = template.simulation();
        self.header = Arc::clone(&template.header);
        self.standing = Standing::Unopened;
    }

    /// Opens the battle of a seed, or of the next one in the sequence.
    ///
    /// # Errors
    /// When the battle cannot be opened; it is poisoned then.
    pub fn reset(&mut self, seed: Option<u64>, rows: &mut Rows<'_>) -> Result<(), Failure> {
        self.standing = Standing::Poisoned;
        self.events.clear();
        self.result = None;
        let opened = guarded(|| {
            match seed {
                Some(seed) => {
                    self.sequence = SeedSequence { base: seed, count: 0, ..self.sequence };
                    self.simulation.reset(seed);
                }
                None => self.open_next(),
            }
            self.keep_events();
            self.write_opening(rows);
            rows.episode_start.fill(1);
        });
        opened.ok_or_else(poisoned)?;
        self.standing = Standing::Running;
        Ok(())
    }

    /// Says whether it can be stepped.
    ///
    /// # Errors
    /// When it has never been reset or is poisoned.
    pub fn check_usable(&self) -> Result<(), Failure> {
        match self.standing {
            Standing::Running => Ok(()),
            Standing::Unopened => Err(Failure::new(Code::NotReady, "the environment must be reset first")),
            Standing::Poisoned => Err(poisoned()),
        }
    }

    /// Advances one tick, with checked actions; says whether the battle ended, in which case the next one is open.
    ///
    /// # Errors
    /// When the rules panic; the environment is poisoned then.
    pub fn step(&mut self, actions: &[i32], rows: &mut Rows<'_>) -> Result<bool, Failure> {
        self.check_usable()?;
        self.standing = Standing::Poisoned;
        let is_over = guarded(|| {
            rows.episode_start.fill(0);
            let is_over = self.simulation.step(actions, rows) == Progress::Over;
            self.keep_events();
            if is_over {
                self.result = result_without_events(self.simulation.battle()).ok().map(|result| result.to_string());
                self.open_next();
                self.keep_events();
                rows.episode_start.fill(1);
            }
            self.simulation.observe(rows);
            is_over
        });
        let is_over = is_over.ok_or_else(poisoned)?;
        self.standing = Standing::Running;
        Ok(is_over)
    }

    /// Parts of the rewards of the last tick, added to a row of sums per seat.
    pub fn add_reward_components(&self, sums: &mut [f32]) {
        let record = self.simulation.step_record();
        let shown = record.info.iter().find(|(name, _)| *name == "reward_components");
        let Some((_, Value::List(seats))) = shown else { return };
        for (row, seat) in sums.chunks_exact_mut(N_REWARD_COMPONENTS).zip(seats) {
            let Value::Floats(parts) = seat else { continue };
            for (sum, part) in row.iter_mut().zip(parts) {
                *sum += *part as f32;
            }
        }
    }

    /// Tick of the battle.
    #[must_use]
    pub fn tick(&self) -> i64 {
        self.simulation.battle().tick
    }

    /// Result of the battle that ended last since the reset.
    ///
    /// # Errors
    /// When none has ended.
    pub fn result(&self) -> Result<&str, Failure> {
        let result = self.result.as_deref();
        result.ok_or_else(|| Failure::new(Code::NotOver, "no battle has ended here since the reset"))
    }

    /// Events since the last call.
    #[must_use]
    pub fn events(&mut self) -> Vec<TbEvent> {
        std::mem::take(&mut self.events)
    }

    /// Hash of the state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut words = WordWriter::new();
        self.simulation.write_words(&mut words);
        hash_words(words.as_slice())
    }

    /// Complete state, seed sequence included.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let SeedSequence { base, index, count } = self.sequence;
        let mut words = WordWriter::new();
        words.unsigneds(&[base, index, count]);
        self.simulation.write_snapshot_words(&mut words);
        snapshot::pack(Tidebreak::MAGIC, Tidebreak::SNAPSHOT_VERSION, &self.header, words.as_slice())
    }

    /// Continues from a snapshot of the same battle and writes its rows; on an error nothing changes.
    ///
    /// # Errors
    /// When the bytes are no such snapshot.
    pub fn restore(&mut self, data: &[u8], rows: &mut Rows<'_>) -> Result<(), Failure> {
        let (header, words) =
            snapshot::unpack(data, Tidebreak::MAGIC, Tidebreak::SNAPSHOT_VERSION).map_err(|error| refusal(&error))?;
        if header != *self.header {
            return Err(Failure::new(Code::SnapshotMismatch, "the snapshot is of another battle or other seats"));
        }
        // Words that were packed with care can still make no sense; what they break is a copy.
        let senseless = || Err(SnapshotError::Invalid("the state makes no sense".to_owned()));
        let continued = guarded(|| self.continued(&words)).unwrap_or_else(senseless);
        let continued = continued.map_err(|error| refusal(&error))?;
        guarded(|| continued.write_opening(rows)).ok_or_else(|| {
            Failure::new(Code::SnapshotMismatch, "the state of the snapshot cannot be shown; reset the environment")
        })?;
        *self = continued;
        Ok(())
    }

    fn continued(&self, words: &[u64]) -> Result<Self, SnapshotError> {
        let mut reader = WordReader::new(words);
        let sequence = SeedSequence { base: reader.unsigned()?, index: reader.unsigned()?, count: reader.unsigned()? };
        let mut continued = Self {
            sequence,
            standing: Standing::Running,
            events: Vec::new(),
            result: None,
            header: Arc::clone(&self.header),
            ..self.clone()
        };
        continued.simulation.read_words(&mut reader)?;
        reader.finish()?;
        if continued.simulation.is_over() {
            let reason = "the snapshot is of a finished battle; there is nothing to continue";
            return Err(SnapshotError::Invalid(reason.to_owned()));
        }
        Ok(continued)
    }

    fn open_next(&mut self) {
        self.sequence.count += 1;
        let SeedSequence { base, index, count } = self.sequence;
        self.simulation.reset(episode_seed(base, index, count));
    }

    fn keep_events(&mut self) {
        if self.collects_events {
            self.events.extend(self.simulation.battle().log.events().iter().map(TbEvent::from));
        }
    }

    fn write_opening(&self, rows: &mut Rows<'_>) {
        rows.clear_step();
        self.simulation.write_metrics(rows.metrics);
        self.simulation.observe(rows);
    }
}

fn poisoned() -> Failure {
    Failure::new(Code::Poisoned, "the battle failed in a step and cannot go on; reset it")
}

fn refusal(error: &SnapshotError) -> Failure {
    let code = match error {
        SnapshotError::OtherVersion { .. } => Code::SnapshotVersion,
        _ => Code::SnapshotMismatch,
    };
    Failure::new(code, error.to_string())
}
