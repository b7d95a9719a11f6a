//! One battle that can be stepped, hashed, saved and fought to its end.

use std::sync::Arc;

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::codes::end_reason;
use crate::decisions::{Decision, order_of};
use crate::events::{Event, Keeping};
use crate::judge::termination::end_battle;
use crate::observe::rows::renew_shown;
use crate::opening::open_battle;
use crate::orders::Controller;
use crate::outputs::Outputs;
use crate::records::ResolvedBattle;
use crate::state::{Battle, NO_WINNER};
use crate::static_fields::open_fields;
use crate::tick::{advance, advance_watched, look_around_first};
use crate::words::{read_battle, state_hash, write_service, write_state};

/// A battle and who commands its units.
#[derive(Clone, Debug)]
pub struct Arena {
    battle: Battle,
    outputs: Outputs,
    keeping: Keeping,
}

impl Arena {
    /// Sets up a battle at tick 0 and lets its units look around.
    ///
    /// `controllers` has one entry per unit; `seed` is that of every draw.
    ///
    /// # Errors
    /// With what is wrong with the map.
    pub fn new(
        spec: Arc<ResolvedBattle>,
        controllers: Vec<Controller>,
        seed: u64,
        keeping: Keeping,
    ) -> Result<Self, String> {
        let fields = open_fields(&spec)?;
        let battle = open_battle(spec, fields, seed, controllers, keeping);
        let mut arena = Self { battle, outputs: Outputs::default(), keeping };
        arena.begin();
        Ok(arena)
    }

    /// The state, for reading.
    #[inline]
    #[must_use]
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// Begins the same battle anew with the luck of a seed.
    pub fn reset(&mut self, seed: u64) {
        self.battle = self.reopened(seed);
        self.begin();
    }

    /// Draws everything from now on from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.battle.seed = seed;
    }

    /// Hands the unit at a place to an agent or a script.
    pub fn set_controller(&mut self, place: usize, controller: Controller) {
        self.battle.controllers[place] = controller;
    }

    /// Takes what an agent decided for the unit at a place; one without a decision repeats its helm and holds fire.
    #[inline]
    pub fn latch(&mut self, place: usize, decision: &Decision) {
        self.battle.latched[place] = Some(order_of(&self.battle, place, decision));
    }

    /// Advances one tick.
    #[inline]
    pub fn step(&mut self) {
        advance(&mut self.battle, &mut self.outputs);
    }

    /// Advances one tick; `passed` hears which of `tick::PARTS` is done, for profiles.
    pub fn step_watched(&mut self, passed: impl FnMut(usize)) {
        advance_watched(&mut self.battle, &mut self.outputs, passed);
    }

    /// Ends the battle without a winner.
    pub fn abort(&mut self) {
        if !self.battle.outcome.is_over() {
            end_battle(&mut self.battle, end_reason::ABORTED, NO_WINNER);
        }
    }

    /// Events since the last call; none unless they are kept.
    pub fn events(&mut self) -> &[Event] {
        self.battle.log.since_last_look()
    }

    /// Forgets the events kept so far, so that a log that nobody explains stays short.
    pub fn forget_events(&mut self) {
        self.battle.log.clear();
    }

    /// Hash of the state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.battle)
    }

    /// Appends everything a battle needs to go on but its package, its controllers and its first hash.
    pub fn write_words(&self, words: &mut WordWriter) {
        write_state(&self.battle, words);
        write_service(&self.battle, words);
    }

    /// Goes on from what `write_words` wrote of the same package; controllers stay as they are and the log is empty.
    ///
    /// # Errors
    /// When the words make no sense; nothing has changed then.
    pub fn read_words(&mut self, initial_hash: u64, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        let mut battle = self.reopened(self.battle.seed);
        battle.log.clear();
        read_battle(&mut battle, words)?;
        renew_shown(&mut battle);
        battle.initial_hash = initial_hash;
        self.battle = battle;
        Ok(())
    }

    fn reopened(&self, seed: u64) -> Battle {
        let mut fields = self.battle.fields.clone();
        fields.reset();
        fields.refresh();
        open_battle(Arc::clone(&self.battle.spec), fields, seed, self.battle.controllers.clone(), self.keeping)
    }

    fn begin(&mut self) {
        look_around_first(&mut self.battle, &mut self.outputs);
        self.battle.initial_hash = self.state_hash();
    }
}
