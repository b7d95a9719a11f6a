//! A battle at one moment: units, munitions, storms, fields, and what is decided about its end.
//!
//! `Unit` is components in the canonical order: `unit.hull.hp`, `unit.layer.mode`. The record a unit was resolved from
//! is `unit.spec`; it never changes. A unit is addressed by its place in `battle.units`, which follows the ids.

use std::sync::Arc;

use kernel::numerics::hyp;
use morphospace::FieldSpace;

use crate::codes::{ABSENT_STATUS, INEFFECTIVE_STATUS, connection_state, layer};
use crate::components::{
    Boarding, Compartment, ContactMemory, Crew, Hull, IN_TRANSIT, Identity, LayerState, Memory, Morale, Motion, Mount,
    Munition, Objective, POPPING_UP, Posture, Scratch, Stores, Storm, Tally, Tracks, Transform,
};
use crate::events::{EventLog, News};
use crate::orders::{Controller, Order};
use crate::outputs::StampField;
use crate::records::{ResolvedBattle, ResolvedMap, ResolvedRules, ResolvedUnit};
use crate::shown::Shown;

/// Winner of a battle that nobody has won.
pub const NO_WINNER: i64 = -1;
/// End reason of a battle that goes on.
pub const NOT_ENDED: i64 = -1;

/// A ship, platform or squadron; components in canonical order, then what is not hashed.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it was resolved from.
    pub spec: Arc<ResolvedUnit>,
    /// Who it is.
    pub identity: Identity,
    /// Where it is.
    pub transform: Transform,
    /// How it moves.
    pub motion: Motion,
    /// How deep it is.
    pub layer: LayerState,
    /// What it shows of itself.
    pub posture: Posture,
    /// Hit points, systems, fire and flood.
    pub hull: Hull,
    /// People.
    pub crew: Crew,
    /// Will to fight.
    pub morale: Morale,
    /// Fuel and decoys.
    pub stores: Stores,
    /// Weapons, in the places of `spec.mounts`.
    pub mounts: Vec<Mount>,
    /// Compartments or districts, empty for small hulls.
    pub compartments: Vec<Compartment>,
    /// Pings and radars.
    pub contact_memory: ContactMemory,
    /// A boarding from the attacker's side.
    pub boarding: Boarding,
    /// How the objective stands.
    pub objective: Objective,
    /// What it has done and suffered.
    pub tally: Tally,
    /// What it believes of others.
    pub tracks: Tracks,
    /// What outlives a tick but is not hashed.
    pub memory: Memory,
    /// What one tick hands from phase to phase and to rewards.
    pub scratch: Scratch,
}

impl Unit {
    /// Entity id.
    #[inline]
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.identity.id
    }

    /// Index of its team.
    #[inline]
    #[must_use]
    pub const fn team(&self) -> i64 {
        self.identity.team
    }

    /// East.
    #[inline]
    #[must_use]
    pub const fn x(&self) -> f64 {
        self.transform.x
    }

    /// North.
    #[inline]
    #[must_use]
    pub const fn y(&self) -> f64 {
        self.transform.y
    }

    /// Counter-clockwise from east, in [0, 2 pi).
    #[inline]
    #[must_use]
    pub const fn heading(&self) -> f64 {
        self.transform.heading
    }

    /// Through the water, m/s.
    #[inline]
    #[must_use]
    pub fn speed(&self) -> f64 {
        hyp(self.motion.vx, self.motion.vy)
    }

    /// None of DESTROYED, SCUTTLED, EXITED.
    #[inline]
    #[must_use]
    pub const fn is_present(&self) -> bool {
        self.identity.status & ABSENT_STATUS == 0
    }

    /// Present and none of SURRENDERED, CAPTURED, DISABLED.
    #[inline]
    #[must_use]
    pub const fn is_effective(&self) -> bool {
        self.identity.status & INEFFECTIVE_STATUS == 0
    }

    /// Layers it counts as being in, bit `1 << layer`: both of a transit, SURFACE too in pop-up.
    #[inline]
    #[must_use]
    pub const fn layers_mask(&self) -> i64 {
        match self.layer.mode {
            IN_TRANSIT => 1 << self.layer.layer | 1 << self.layer.target_layer,
            POPPING_UP => 1 << layer::SURFACE | 1 << layer::SUBMERGED,
            _ => 1 << self.layer.layer,
        }
    }

    /// Whether it counts as being on SURFACE.
    #[inline]
    #[must_use]
    pub const fn touches_surface(&self) -> bool {
        self.layers_mask() & 1 << layer::SURFACE != 0
    }

    /// Whether it is made fast to a unit it boards.
    #[inline]
    #[must_use]
    pub const fn is_docked(&self) -> bool {
        self.boarding.state >= connection_state::DOCKED
    }

    /// Whether one of the status bits is set.
    #[inline]
    #[must_use]
    pub const fn has(&self, status: i64) -> bool {
        self.identity.status & status != 0
    }

    /// Sets status bits.
    #[inline]
    pub const fn mark(&mut self, status: i64) {
        self.identity.status |= status;
    }

    /// Clears status bits.
    #[inline]
    pub const fn unmark(&mut self, status: i64) {
        self.identity.status &= !status;
    }

    /// Counts an order whose precondition failed.
    #[inline]
    pub const fn note_invalid(&mut self) {
        self.scratch.invalid += 1;
        self.memory.invalid_orders += 1;
    }

    /// Full speed in its layer, m/s; 0.4 of the smaller of both in transit.
    #[inline]
    #[must_use]
    pub fn class_speed(&self) -> f64 {
        let speeds = &self.spec.hull.speed_ms;
        let here = speeds[self.layer.layer as usize];
        if self.layer.mode == IN_TRANSIT {
            let there = speeds[self.layer.target_layer as usize];
            return 0.4 * (if here < there { here } else { there });
        }
        here
    }
}

/// How the battle ended: an `end_reason` or -1, and the winning team or -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why, -1 while it goes on.
    pub end_reason: i64,
    /// Who won, -1 for nobody.
    pub winner: i64,
}

impl Outcome {
    /// The battle goes on.
    pub const OPEN: Self = Self { end_reason: NOT_ENDED, winner: NO_WINNER };

    /// Whether it has ended.
    #[inline]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.end_reason != NOT_ENDED
    }
}

/// Everything there is in one battle.
#[derive(Clone, Debug)]
pub struct Battle {
    /// What it started from.
    pub spec: Arc<ResolvedBattle>,
    /// Ticks that have passed.
    pub tick: i64,
    /// Of every draw.
    pub seed: u64,
    /// Of the next munition or squadron.
    pub next_entity_id: i64,
    /// By ascending id; units that are lost stay.
    pub units: Vec<Unit>,
    /// By ascending id; only those alive.
    pub munitions: Vec<Munition>,
    /// In the package's order.
    pub storms: Vec<Storm>,
    /// What is spread through water and air.
    pub fields: FieldSpace,
    /// Bit of every layer whose grid has no current anywhere.
    pub still_layers: u8,
    /// Events.
    pub log: EventLog,
    /// Set when the battle ends.
    pub outcome: Outcome,
    /// Who gives each starting unit its orders, by place; squadrons have nobody.
    pub controllers: Vec<Controller>,
    /// Orders of this tick by place of the starting unit; an agent's unit without one repeats its helm.
    pub latched: Vec<Option<Order>>,
    /// What the rows of every present unit stand for, by place; `observe::rows` renews it at the end of a tick.
    pub shown: Vec<Option<Shown>>,
    /// Stamps emitted so far in this tick; the FIELDS phase empties it.
    pub stamps: Vec<StampField>,
    /// State hash at tick 0, for the result.
    pub initial_hash: u64,
}

impl Battle {
    /// Switches of the battle.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &ResolvedRules {
        &self.spec.rules
    }

    /// What the rows of the unit at a place stand for.
    ///
    /// # Panics
    /// When the unit is gone.
    #[inline]
    #[must_use]
    pub fn shown_to(&self, unit: usize) -> &Shown {
        self.shown[unit].as_ref().expect("only a present unit looks")
    }

    /// Where it is fought.
    #[inline]
    #[must_use]
    pub fn map(&self) -> &ResolvedMap {
        &self.spec.map
    }

    /// How many units the battle began with; squadrons come after them.
    #[inline]
    #[must_use]
    pub fn starting_units(&self) -> usize {
        self.spec.units.len()
    }

    /// Place of the unit with this id, `None` if it is no unit's.
    #[inline]
    #[must_use]
    pub fn place_of(&self, unit_id: i64) -> Option<usize> {
        let starting = self.starting_units();
        if (1..=starting as i64).contains(&unit_id) {
            return Some(unit_id as usize - 1);
        }
        let place = self.units[starting..].iter().position(|unit| unit.identity.id == unit_id)?;
        Some(starting + place)
    }

    /// Place of a unit that is known to exist.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    #[must_use]
    pub fn place(&self, unit_id: i64) -> usize {
        match self.place_of(unit_id) {
            Some(place) => place,
            None => panic!("there is no unit {unit_id}"),
        }
    }

    /// The unit with this id.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    #[must_use]
    pub fn unit(&self, unit_id: i64) -> &Unit {
        &self.units[self.place(unit_id)]
    }

    /// The unit with this id, to be changed.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    #[must_use]
    pub fn unit_mut(&mut self, unit_id: i64) -> &mut Unit {
        let place = self.place(unit_id);
        &mut self.units[place]
    }

    /// The unit with this id, `None` if it is no unit's.
    #[inline]
    #[must_use]
    pub fn find_unit(&self, unit_id: i64) -> Option<&Unit> {
        self.place_of(unit_id).map(|place| &self.units[place])
    }

    /// Place of the munition with this id, `None` if it is spent or no munition's.
    #[inline]
    #[must_use]
    pub fn munition_place(&self, munition_id: i64) -> Option<usize> {
        self.munitions.binary_search_by_key(&munition_id, |munition| munition.id).ok()
    }

    /// The munition with this id, `None` if it is spent or no munition's.
    #[inline]
    #[must_use]
    pub fn find_munition(&self, munition_id: i64) -> Option<&Munition> {
        self.munition_place(munition_id).map(|place| &self.munitions[place])
    }

    /// Whether two teams are at war.
    #[inline]
    #[must_use]
    pub fn are_enemies(&self, team: i64, other: i64) -> bool {
        self.spec.teams[team as usize].enemies.contains(&other)
    }

    /// Id for a new munition or squadron.
    #[inline]
    pub const fn take_entity_id(&mut self) -> i64 {
        let entity_id = self.next_entity_id;
        self.next_entity_id += 1;
        entity_id
    }

    /// Whether the unit at a place is made fast to another, as boarder or as boarded.
    #[must_use]
    pub fn is_attached(&self, unit: usize) -> bool {
        let own = &self.units[unit];
        own.is_docked()
            || self
                .units
                .iter()
                .any(|other| other.is_present() && other.is_docked() && other.boarding.target_id == own.identity.id)
    }

    /// Notes an event of this tick; returns its id.
    #[inline]
    pub fn record(&mut self, news: News) -> i64 {
        self.log.record(self.tick, news)
    }
}
