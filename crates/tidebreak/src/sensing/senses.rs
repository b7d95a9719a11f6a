//! What all observers share in one SENSE phase; the memory of its lists is kept from tick to tick.

use super::measuring::Measure;
use super::merging::Ledger;
use super::mesh::{is_linked, link_tier};
use super::presence::Presence;
use super::publishing::Publications;
use super::row_index::RowIndex;
use super::targets::is_sensed_munition;
use crate::codes::emissions;
use crate::state::{Battle, Unit};

/// Everything that can be sensed now, and lists to work with.
#[derive(Clone, Debug, Default)]
pub struct Senses {
    /// Present units, decoys and mines, by id.
    pub targets: Vec<Presence>,
    /// Link tier of every unit where it is, by place.
    pub link_tiers: Vec<i64>,
    /// Places in `targets` of all that were not there from the start.
    newcomers: RowIndex,
    /// Place in `targets` of every unit, by place.
    rows: Vec<Option<u16>>,
    /// What the observer whose turn it is measured, by place in `targets`.
    pub measures: Vec<Option<Measure>>,
    /// Place of the observer's track of each target plus 1, 0 without one, by place in `targets`.
    pub tracked: Vec<u16>,
    /// What units say over the mesh.
    pub publications: Publications,
    /// The table of the receiver whose turn it is.
    pub ledger: Ledger,
}

impl Senses {
    /// Works out what is the same for every observer in this tick.
    pub fn prepare(&mut self, battle: &Battle) {
        self.link_tiers.clear();
        self.link_tiers.extend(battle.units.iter().map(|unit| link_tier(battle, unit)));
        self.targets.clear();
        self.rows.clear();
        let mut munitions = battle.munitions.iter().filter(|munition| is_sensed_munition(munition)).peekable();
        for (place, unit) in battle.units.iter().enumerate() {
            if !unit.is_present() {
                self.rows.push(None);
                continue;
            }
            while let Some(munition) = munitions.next_if(|munition| munition.id < unit.identity.id) {
                self.targets.push(Presence::of_munition(battle, munition));
            }
            self.rows.push(Some(self.targets.len() as u16));
            let is_heard = unit.posture.emissions == emissions::PASSIVE && is_linked(battle, place, &self.link_tiers);
            self.targets.push(Presence::of_unit(battle, place, is_heard));
        }
        self.targets.extend(munitions.map(|munition| Presence::of_munition(battle, munition)));
        let starting = battle.starting_units() as i64;
        let rows = self.targets.iter().enumerate().filter(|(_, target)| target.id > starting);
        self.newcomers.fill(rows.map(|(row, target)| (target.id, row)));
    }

    /// Notes which targets a unit has tracks of.
    pub fn note_tracked(&mut self, battle: &Battle, unit: &Unit) {
        let mut tracked = std::mem::take(&mut self.tracked);
        tracked.clear();
        tracked.resize(self.targets.len(), 0);
        for (place, track) in unit.tracks.tracks.iter().enumerate().rev() {
            if let Some(row) = self.row_of(battle, track.target_id) {
                tracked[row] = place as u16 + 1;
            }
        }
        self.tracked = tracked;
    }

    /// Place in `targets` of a unit that is present.
    #[inline]
    #[must_use]
    pub fn row_of_unit(&self, place: usize) -> Option<usize> {
        self.rows[place].map(usize::from)
    }

    /// Place in `targets` of the entity with this id.
    #[inline]
    #[must_use]
    pub fn row_of(&self, battle: &Battle, entity_id: i64) -> Option<usize> {
        if (1..=battle.starting_units() as i64).contains(&entity_id) {
            return self.row_of_unit(entity_id as usize - 1);
        }
        self.newcomers.find(entity_id)
    }
}
