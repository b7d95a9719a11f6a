//! What a unit is shown of others: which contacts, team-mates and munitions, and in which order.

use kernel::numerics::hyp;

use crate::components::{MateFix, Munition};
use crate::contacts::{ContactOrder, leading_contacts};
use crate::layout::{HOSTILE_ROWS, MATE_ROWS, MUNITION_ROWS};
use crate::sensing::incoming::sensed_munitions;
use crate::state::{Battle, Unit};

/// What the rows of a unit stand for, as places in its own lists and in that of the munitions.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The contacts, the best first in the rows that are shown.
    pub order: ContactOrder,
    mates: Nearest<MATE_ROWS>,
    munitions: Nearest<MUNITION_ROWS>,
}

impl Shown {
    /// What a unit has to show now.
    #[must_use]
    pub fn of(battle: &Battle, unit: &Unit) -> Self {
        let (mut mates, mut munitions) = (Nearest::default(), Nearest::default());
        for (place, fix) in unit.memory.mate_fixes.iter().enumerate() {
            mates.offer(place, hyp(fix.x - unit.transform.x, fix.y - unit.transform.y));
        }
        for (distance_m, place) in sensed_munitions(battle, unit) {
            munitions.offer(place, distance_m);
        }
        Self { order: leading_contacts(unit, HOSTILE_ROWS), mates, munitions }
    }

    /// Team-mates in the order of their rows: nearest first, then by id.
    #[inline]
    pub fn mates<'a>(&self, unit: &'a Unit) -> impl Iterator<Item = &'a MateFix> {
        self.mates.places().map(|place| &unit.memory.mate_fixes[place])
    }

    /// Torpedoes and missiles in the order of their rows: nearest first, then by id.
    #[inline]
    pub fn munitions<'a>(&self, battle: &'a Battle) -> impl Iterator<Item = &'a Munition> {
        self.munitions.places().map(|place| &battle.munitions[place])
    }
}

/// Places of the nearest `N` of a list that is looked through once, nearest first; equally near ones stay in its order.
#[derive(Clone, Copy, Debug)]
struct Nearest<const N: usize> {
    places: [u16; N],
    distances_m: [f64; N],
    count: usize,
}

impl<const N: usize> Default for Nearest<N> {
    fn default() -> Self {
        Self { places: [0; N], distances_m: [f64::INFINITY; N], count: 0 }
    }
}

impl<const N: usize> Nearest<N> {
    #[inline]
    fn offer(&mut self, place: usize, distance_m: f64) {
        let Some(row) = self.distances_m.iter().position(|&kept_m| distance_m < kept_m) else { return };
        self.places.copy_within(row..N - 1, row + 1);
        self.distances_m.copy_within(row..N - 1, row + 1);
        (self.places[row], self.distances_m[row]) = (place as u16, distance_m);
        self.count = N.min(self.count + 1);
    }

    #[inline]
    fn places(&self) -> impl Iterator<Item = usize> {
        self.places[..self.count].iter().map(|&place| usize::from(place))
    }
}
