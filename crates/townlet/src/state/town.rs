//! `Town`: everything there is in one town at one moment.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use std::collections::BTreeMap;

use crate::codes::{MAX_SEATS, utility};
use crate::curiosity::Visits;
use crate::events::{EventKind, EventLog};
use crate::state::citizen::Citizen;
use crate::state::employment::EmploymentLedger;
use crate::state::kpis::{KpiWindow, TickReport};
use crate::state::ledgers::{EconomyState, EmbeddingPool, LifecycleLedger, LiveRules, QueueMetrics, SocialLedger};
use crate::state::objects::ObjectState;
use crate::state::perturbations::PerturbationState;
use crate::streams::Streams;

/// Id and shown name of a citizen who was given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomName {
    pub agent_id: String,
    pub display_name: String,
}

/// A town; systems are functions that take it and change it.
#[derive(Clone, Debug)]
pub struct Town {
    pub seed: u64,
    pub streams: Streams,
    pub tick: i64,
    pub next_number: i64,
    /// Boxed, so that free seats take no room between those that are gone over every tick.
    pub seats: Vec<Option<Box<Citizen>>>,
    pub objects: Vec<ObjectState>,
    pub economy: EconomyState,
    pub rules: LiveRules,
    pub employment: EmploymentLedger,
    pub lifecycle: LifecycleLedger,
    pub embedding: EmbeddingPool,
    pub perturbations: PerturbationState,
    pub queues: QueueMetrics,
    pub social: SocialLedger,
    pub kpis: KpiWindow,
    /// Citizens on every tile; follows from their positions.
    pub occupancy: Vec<i32>,
    pub events: EventLog,
    pub custom_names: BTreeMap<i64, CustomName>,
    pub report: TickReport,
    /// By seat, how new the citizen's situation is; 0 outside of training.
    pub intrinsic: Vec<f64>,
    /// How often situations have been met; carried on to the next episode.
    pub visits: Visits,
    /// Length of a day, as configured.
    pub ticks_per_day: i64,
}

/// Seats of the living, kept as bits so that the town can be changed meanwhile: `first` ascending, then `then`.
#[derive(Clone, Copy, Debug)]
pub struct Seats {
    first: u64,
    then: u64,
}

impl Iterator for Seats {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.first == 0 {
            if self.then == 0 {
                return None;
            }
            self.first = std::mem::take(&mut self.then);
        }
        let seat = self.first.trailing_zeros() as usize;
        self.first &= self.first - 1;
        Some(seat)
    }
}

/// Seats in some order, kept without memory of its own so that the town can be changed meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct SeatList {
    seats: [u8; MAX_SEATS],
    count: usize,
}

impl Default for SeatList {
    fn default() -> Self {
        Self { seats: [0; MAX_SEATS], count: 0 }
    }
}

impl SeatList {
    /// Appends a seat.
    #[inline]
    pub const fn push(&mut self, seat: usize) {
        self.seats[self.count] = seat as u8;
        self.count += 1;
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The seat at a place of the list.
    #[must_use]
    pub fn at(&self, place: usize) -> usize {
        usize::from(self.seats[..self.count][place])
    }

    /// The seats in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        self.seats[..self.count].iter().map(|&seat| usize::from(seat))
    }
}

impl IntoIterator for SeatList {
    type Item = usize;
    type IntoIter = std::iter::Map<std::iter::Take<std::array::IntoIter<u8, MAX_SEATS>>, fn(u8) -> usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.seats.into_iter().take(self.count).map(usize::from as fn(u8) -> usize)
    }
}

impl Town {
    /// Time of day, in ticks since midnight.
    #[inline]
    #[must_use]
    pub const fn tod(&self) -> i64 {
        self.tick % self.ticks_per_day
    }

    /// Days since the start.
    #[inline]
    #[must_use]
    pub const fn day(&self) -> i64 {
        self.tick / self.ticks_per_day
    }

    /// Whether the power is on.
    #[inline]
    #[must_use]
    pub const fn has_power(&self) -> bool {
        self.economy.outages[utility::POWER] == 0
    }

    /// Whether the water is on.
    #[inline]
    #[must_use]
    pub const fn has_water(&self) -> bool {
        self.economy.outages[utility::WATER] == 0
    }

    /// Seats of the living, ascending.
    #[inline]
    #[must_use]
    pub fn living(&self) -> Seats {
        Seats { first: self.taken(), then: 0 }
    }

    /// The living by ascending seat.
    pub fn citizens(&self) -> impl DoubleEndedIterator<Item = &Citizen> {
        self.seats.iter().flatten().map(|citizen| &**citizen)
    }

    /// The living by ascending seat, to be changed.
    pub fn citizens_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Citizen> {
        self.seats.iter_mut().flatten().map(|citizen| &mut **citizen)
    }

    /// Seats of the living in rotating order: who acts first changes every tick.
    #[inline]
    #[must_use]
    pub fn in_turn(&self) -> Seats {
        let (taken, begin) = (self.taken(), self.tick as usize % self.seats.len());
        let before = (1 << begin) - 1;
        Seats { first: taken & !before, then: taken & before }
    }

    /// A bit for every seat that somebody has.
    #[inline]
    fn taken(&self) -> u64 {
        self.seats.iter().enumerate().fold(0, |bits, (seat, citizen)| bits | u64::from(citizen.is_some()) << seat)
    }

    /// The citizen on a seat.
    ///
    /// # Panics
    /// When the seat is free.
    #[inline]
    #[must_use]
    pub fn citizen(&self, seat: usize) -> &Citizen {
        self.seats[seat].as_deref().expect("somebody has this seat")
    }

    /// The citizen on a seat, to be changed.
    ///
    /// # Panics
    /// When the seat is free.
    #[inline]
    pub fn citizen_mut(&mut self, seat: usize) -> &mut Citizen {
        self.seats[seat].as_deref_mut().expect("somebody has this seat")
    }

    /// Notes an event of this tick; the values are the fields of its kind, in order.
    #[inline]
    pub fn record(&mut self, kind: EventKind, values: &[f64]) {
        self.events.push(kind, self.tick, values);
    }

    /// Place of two citizens in a table of pairs.
    #[inline]
    #[must_use]
    pub fn pair(&self, seat: usize, other: usize) -> usize {
        seat.min(other) * self.seats.len() + seat.max(other)
    }
}
