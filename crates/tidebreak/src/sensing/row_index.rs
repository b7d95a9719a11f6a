//! Finds the row of an entity by its id, which every track asks for several times a tick.

/// Least number of slots; a power of two.
const SLOTS_MIN: usize = 16;
/// Id of a slot that holds nothing; no entity has it.
const EMPTY: i64 = 0;

/// Rows by entity id: a table of at least twice as many slots as entities, searched from where the id points to.
#[derive(Clone, Debug, Default)]
pub struct RowIndex {
    slots: Vec<(i64, u16)>,
}

impl RowIndex {
    /// Begins anew with these ids and rows; keeps its memory.
    pub fn fill(&mut self, rows: impl Iterator<Item = (i64, usize)> + Clone) {
        let count = (2 * rows.clone().count()).next_power_of_two().max(SLOTS_MIN);
        self.slots.clear();
        self.slots.resize(count, (EMPTY, 0));
        for (id, row) in rows {
            let place = self.place_of(id);
            self.slots[place] = (id, row as u16);
        }
    }

    /// The row of an entity, if it is there.
    #[inline]
    #[must_use]
    pub fn find(&self, id: i64) -> Option<usize> {
        let (found, row) = self.slots[self.place_of(id)];
        (found == id && id != EMPTY).then_some(usize::from(row))
    }

    /// Place of the id's slot, or of the empty one where it would be.
    #[inline]
    fn place_of(&self, id: i64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = id as usize & mask;
        while self.slots[place].0 != id && self.slots[place].0 != EMPTY {
            place = (place + 1) & mask;
        }
        place
    }
}
