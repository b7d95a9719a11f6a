//! Many copies stepped with one call: threads, seed sequences and same-step auto-reset, written once.

mod any_batch;
mod copy;
mod step_error;

use std::any::Any;
use std::sync::Arc;

pub use self::any_batch::{AnyBatch, NewConfig};
use self::copy::{Copy, SeedSequence};
pub use self::step_error::StepError;
use self::step_error::check_options;
use crate::memory;
use crate::pool::Pool;
use crate::record::StepRecord;
use crate::rows::{Rows, Shape};
use crate::simulation::Simulation;
use crate::snapshot::{self, SnapshotError};
use crate::state_hash::{WordReader, WordWriter};

/// Fewer copies than this are not worth another thread.
const MIN_COPIES_PER_TASK: usize = 8;
/// Tasks per thread, so that a thread that drew long resets does not keep the others waiting.
const TASKS_PER_THREAD: usize = 4;
/// How many copies are stepped until memory that was asked for has come.
const COPIES_AHEAD: usize = 3;

/// Copies of one world.
#[derive(Debug)]
pub struct Batch<S> {
    copies: Vec<Copy<S>>,
    shape: Shape,
    /// Canonical JSON of every copy's configuration; beside the copies, since steps do not touch it.
    headers: Vec<Arc<[u8]>>,
    /// Of the configuration that the next step goes on under, if that is another one.
    next_header: Option<Arc<[u8]>>,
    pool: Option<Arc<Pool>>,
}

impl<S: Simulation> Batch<S> {
    /// Makes `copies` copies of a world.
    ///
    /// # Arguments
    /// * `prototype` - A copy in this batch's configuration; its episode is never shown.
    /// * `seed` - Base of every copy's seed sequence until a seed is given.
    /// * `header` - Canonical JSON of the configuration; snapshots carry it and are refused where it differs.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(prototype: S, copies: usize, seed: u64, threads: usize, header: &[u8]) -> Result<Self, String> {
        let shape = prototype.shape();
        let pool = match threads {
            0 | 1 => None,
            _ => Some(Arc::new(Pool::new(threads)?)),
        };
        let mut clones = memory::room_for(copies);
        clones.extend((0..copies as u64).map(|index| Copy {
            simulation: prototype.clone(),
            sequence: SeedSequence { base: seed, index, count: 0 },
            has_stepped: false,
            is_poisoned: false,
        }));
        Ok(Self { copies: clones, shape, headers: vec![header.into(); copies], next_header: None, pool })
    }

    /// The copy as a snapshot has it, and the seed sequence that it had there.
    fn loaded(&self, copy: usize, data: &[u8]) -> Result<(SeedSequence, S), SnapshotError> {
        let (header, words) = snapshot::unpack(data, S::MAGIC, S::SNAPSHOT_VERSION)?;
        if header != *self.headers[copy] {
            return Err(SnapshotError::OtherConfiguration {
                found: String::from_utf8_lossy(&header).into_owned(),
                expected: String::from_utf8_lossy(&self.headers[copy]).into_owned(),
            });
        }
        let mut reader = WordReader::new(&words);
        let sequence = SeedSequence { base: reader.unsigned()?, index: reader.unsigned()?, count: reader.unsigned()? };
        let mut simulation = self.copies[copy].simulation.clone();
        simulation.read_words(&mut reader)?;
        reader.finish()?;
        if simulation.is_over() {
            let reason = "the snapshot is of a finished episode; there is nothing to continue";
            return Err(SnapshotError::Invalid(reason.to_owned()));
        }
        Ok((sequence, simulation))
    }

    /// The copy that has the configuration which another copy goes on in, and its header.
    fn prototype<'a>(&self, change: &NewConfig<'a>) -> Result<(&'a S, &'a Arc<[u8]>), String> {
        if change.copy >= self.copies.len() {
            return Err(format!("there is no copy {} in a batch of {}", change.copy, self.copies.len()));
        }
        let other = (change.prototype as &dyn Any).downcast_ref::<Self>();
        let Some((first, header)) = other.and_then(|other| Some((other.copies.first()?, other.headers.first()?)))
        else {
            return Err("another configuration is given as a batch of the same world with at least one copy".to_owned());
        };
        if first.simulation.shape() != self.shape {
            return Err(format!("a copy of {:?} cannot go on as one of {:?}", self.shape, first.simulation.shape()));
        }
        Ok((&first.simulation, header))
    }

    fn check(&self, rows: &Rows<'_>) -> Result<(), String> {
        rows.check(self.copies.len(), &self.shape)
    }

    fn check_actions(&self, actions: &[i32]) -> Result<(), String> {
        let expected = self.copies.len() * self.shape.agents * self.shape.heads;
        if actions.len() == expected {
            return Ok(());
        }
        Err(format!("got {} actions; this batch takes {expected}", actions.len()))
    }
}

impl<S: Simulation> AnyBatch for Batch<S> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn copies(&self) -> usize {
        self.copies.len()
    }

    fn reset(&mut self, copies: &[usize], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), String> {
        self.check(&rows)?;
        if seeds.is_some_and(|seeds| seeds.len() != copies.len()) {
            return Err("reset needs as many seeds as copies".to_owned());
        }
        if let Some(copy) = copies.iter().find(|&&copy| copy >= self.copies.len()) {
            return Err(format!("there is no copy {copy} in a batch of {}", self.copies.len()));
        }
        let mut order: Vec<usize> = (0..copies.len()).collect();
        order.sort_by_key(|&place| copies[place]);
        if let Some(twice) = order.windows(2).find(|pair| copies[pair[0]] == copies[pair[1]]) {
            return Err(format!("copy {} is named twice", copies[twice[0]]));
        }
        let mut rest = rows;
        let mut passed = 0;
        for place in order {
            let copy = copies[place];
            let (_, tail) = rest.split_at(copy - passed, &self.shape);
            let (mut own, tail) = tail.split_at(1, &self.shape);
            self.copies[copy].reset(seeds.map(|seeds| seeds[place]), &mut own);
            rest = tail;
            passed = copy + 1;
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i32], rows: Rows<'_>) -> Result<(), StepError> {
        self.check(&rows).map_err(StepError::Failed)?;
        self.check_actions(actions).map_err(StepError::Failed)?;
        check_options(actions, S::STRICT_HEADS).map_err(StepError::UnknownOption)?;
        let shape = self.shape;
        let is_poisoned = match &self.pool {
            Some(pool) if self.copies.len() >= 2 * MIN_COPIES_PER_TASK => {
                let tasks = pool.size() * TASKS_PER_THREAD;
                let grain = self.copies.len().div_ceil(tasks).max(MIN_COPIES_PER_TASK);
                let copies = &mut self.copies[..];
                pool.run(|| step_halves(copies, actions, rows, &shape, grain))
            }
            _ => step_in_order(&mut self.copies, actions, rows, &shape),
        };
        if let Some(header) = self.next_header.take() {
            self.headers.fill(header);
        }
        if !is_poisoned {
            return Ok(());
        }
        let poisoned = self.copies.iter().position(|copy| copy.is_poisoned).unwrap_or_default();
        Err(StepError::Failed(format!("C900 copy {poisoned} failed in a step and cannot go on; reset it")))
    }

    fn episode_seed(&self, copy: usize) -> u64 {
        self.copies[copy].simulation.episode_seed()
    }

    fn step_record(&self, copy: usize) -> StepRecord {
        let copy = &self.copies[copy];
        if copy.has_stepped { copy.simulation.step_record() } else { copy.simulation.opening_record() }
    }

    fn opening_record(&self, copy: usize) -> StepRecord {
        self.copies[copy].simulation.opening_record()
    }

    fn picture(&self, copy: usize) -> String {
        self.copies[copy].simulation.picture()
    }

    fn reward_parts(&self) -> Vec<f64> {
        self.copies.iter().flat_map(|copy| copy.simulation.reward_parts()).copied().collect()
    }

    fn expert_actions(&self, actions: &mut [i32]) -> Result<(), String> {
        self.check_actions(actions)?;
        let own = self.shape.agents * self.shape.heads;
        for (copy, actions) in self.copies.iter().zip(actions.chunks_exact_mut(own)) {
            copy.simulation.expert_actions(actions);
        }
        Ok(())
    }

    fn snapshot(&self, copy: usize) -> Vec<u8> {
        let Copy { simulation, sequence, .. } = &self.copies[copy];
        let mut words = WordWriter::new();
        words.unsigned(sequence.base);
        words.unsigned(sequence.index);
        words.unsigned(sequence.count);
        simulation.write_snapshot_words(&mut words);
        snapshot::pack(S::MAGIC, S::SNAPSHOT_VERSION, &self.headers[copy], words.as_slice())
    }

    fn restore(&mut self, copy: usize, data: &[u8], rows: Rows<'_>) -> Result<(), SnapshotError> {
        self.check(&rows).map_err(SnapshotError::Invalid)?;
        let (sequence, simulation) = self.loaded(copy, data)?;
        self.copies[copy] = Copy { simulation, sequence, has_stepped: false, is_poisoned: false };
        let (_, tail) = rows.split_at(copy, &self.shape);
        let (mut own, _) = tail.split_at(1, &self.shape);
        self.copies[copy].write_opening(&mut own);
        Ok(())
    }

    fn start_from(&mut self, copy: usize, data: &[u8], seed: Option<u64>, rows: Rows<'_>) -> Result<(), SnapshotError> {
        self.check(&rows).map_err(SnapshotError::Invalid)?;
        let (_, mut simulation) = self.loaded(copy, data)?;
        let carried = self.carried(copy);
        simulation.read_carried(&mut WordReader::new(&carried))?;
        if let Some(seed) = seed {
            simulation.reseed(seed);
        }
        let (_, tail) = rows.split_at(copy, &self.shape);
        let (mut own, _) = tail.split_at(1, &self.shape);
        self.copies[copy].start_in(simulation, &mut own);
        Ok(())
    }

    fn reconfigure(&mut self, changes: &[NewConfig<'_>], rows: Rows<'_>) -> Result<(), String> {
        self.check(&rows)?;
        if let Some(pair) = changes.windows(2).find(|pair| pair[0].copy >= pair[1].copy) {
            return Err(format!(
                "copy {} is named after copy {}; name each once, in order",
                pair[1].copy, pair[0].copy
            ));
        }
        let prototypes = changes.iter().map(|change| self.prototype(change)).collect::<Result<Vec<_>, _>>()?;
        let mut rest = rows;
        let mut passed = 0;
        for (change, (prototype, header)) in changes.iter().zip(prototypes) {
            let (_, tail) = rest.split_at(change.copy - passed, &self.shape);
            let (mut own, tail) = tail.split_at(1, &self.shape);
            self.copies[change.copy].reopen_as(prototype, change.seed, &mut own)?;
            self.headers[change.copy] = Arc::clone(header);
            rest = tail;
            passed = change.copy + 1;
        }
        Ok(())
    }

    fn state_words(&self, copy: usize) -> Vec<u64> {
        let mut words = WordWriter::new();
        self.copies[copy].simulation.write_words(&mut words);
        words.into_words()
    }

    fn carried(&self, copy: usize) -> Vec<u64> {
        let mut words = WordWriter::new();
        self.copies[copy].simulation.write_carried(&mut words);
        words.into_words()
    }

    fn carry(&mut self, copy: usize, words: &[u64]) -> Result<(), SnapshotError> {
        let mut reader = WordReader::new(words);
        let mut simulation = self.copies[copy].simulation.clone();
        simulation.read_carried(&mut reader)?;
        reader.finish()?;
        self.copies[copy].simulation = simulation;
        Ok(())
    }

    fn stage_reload(&mut self, reload: &dyn Any, header: &[u8]) -> Result<(), String> {
        self.copies.iter_mut().try_for_each(|copy| copy.simulation.stage_reload(reload))?;
        self.next_header = Some(header.into());
        Ok(())
    }

    fn stay_awake(&self) {
        if let Some(pool) = &self.pool {
            pool.stay_awake();
        }
    }

    fn rest(&self) {
        if let Some(pool) = &self.pool {
            pool.rest();
        }
    }

    fn split(&mut self, sizes: &[usize]) -> Result<Vec<Box<dyn AnyBatch>>, String> {
        if sizes.iter().sum::<usize>() != self.copies.len() {
            return Err(format!("sizes {sizes:?} do not add up to {} copies", self.copies.len()));
        }
        let mut copies = std::mem::take(&mut self.copies).into_iter();
        let mut headers = std::mem::take(&mut self.headers).into_iter();
        Ok(sizes
            .iter()
            .map(|&size| {
                let mut own = memory::room_for(size);
                own.extend(copies.by_ref().take(size));
                let part = Self {
                    copies: own,
                    shape: self.shape,
                    headers: headers.by_ref().take(size).collect(),
                    next_header: self.next_header.clone(),
                    pool: self.pool.clone(),
                };
                Box::new(part) as Box<dyn AnyBatch>
            })
            .collect())
    }
}

/// Says whether a copy is poisoned.
fn step_halves<S: Simulation>(
    copies: &mut [Copy<S>],
    actions: &[i32],
    rows: Rows<'_>,
    shape: &Shape,
    grain: usize,
) -> bool {
    if copies.len() <= grain {
        return step_in_order(copies, actions, rows, shape);
    }
    let middle = copies.len() / 2;
    let (left, right) = copies.split_at_mut(middle);
    let (left_actions, right_actions) = actions.split_at(middle * shape.agents * shape.heads);
    let (left_rows, right_rows) = rows.split_at(middle, shape);
    let (is_left_poisoned, is_right_poisoned) = rayon::join(
        || step_halves(left, left_actions, left_rows, shape, grain),
        || step_halves(right, right_actions, right_rows, shape, grain),
    );
    is_left_poisoned || is_right_poisoned
}

fn step_in_order<S: Simulation>(copies: &mut [Copy<S>], actions: &[i32], rows: Rows<'_>, shape: &Shape) -> bool {
    let mut rest = rows;
    let mut is_poisoned = false;
    for (place, own_actions) in actions.chunks_exact(shape.agents * shape.heads).enumerate() {
        expect_followers(copies, place);
        let (mut own, tail) = rest.split_at(1, shape);
        is_poisoned |= copies[place].try_step(own_actions, &mut own);
        rest = tail;
    }
    is_poisoned
}

/// Asks for the memory of the copies that are stepped next, while this one is.
#[inline(always)] // called for every copy of every step
fn expect_followers<S: Simulation>(copies: &[Copy<S>], place: usize) {
    if S::TOUCHED_BYTES == 0 {
        return;
    }
    if let Some(next) = copies.get(place + 1) {
        next.simulation.expect_step();
    }
    if let Some(later) = copies.get(place + COPIES_AHEAD) {
        memory::expect(&later.simulation, S::TOUCHED_BYTES);
    }
}
