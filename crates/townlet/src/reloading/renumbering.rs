//! Where things of the old tables stand in the new ones, by name.

use crate::codes::NOTHING;
use crate::tables::affordances::AffordanceRow;
use crate::tables::town_tables::TownTables;

/// New numbers by old ones, -1 for what is gone.
#[derive(Debug)]
pub struct Renumbering<'tables> {
    after: &'tables TownTables,
    objects: Vec<i64>,
    types: Vec<i64>,
    affordances: Vec<i64>,
    items: Vec<i64>,
    perturbations: Vec<i64>,
    buckets: Vec<i64>,
}

impl<'tables> Renumbering<'tables> {
    /// Looks every name up.
    pub fn new(before: &TownTables, after: &'tables TownTables) -> Self {
        Self {
            objects: places(before.objects.iter().map(|row| &row.id), after.objects.iter().map(|row| &row.id)),
            types: places(before.types.iter(), after.types.iter()),
            affordances: places(
                before.affordances.iter().map(|row| &row.id),
                after.affordances.iter().map(|row| &row.id),
            ),
            items: places(before.items.iter(), after.items.iter()),
            perturbations: places(
                before.perturbations.iter().map(|row| &row.name),
                after.perturbations.iter().map(|row| &row.name),
            ),
            buckets: places(before.buckets.iter(), after.buckets.iter()),
            after,
        }
    }

    /// Whether an object is not there any more.
    pub fn is_gone(&self, object: usize) -> bool {
        self.objects[object] == NOTHING
    }

    /// Whether a perturbation is still there.
    pub fn has_perturbation(&self, spec: i64) -> bool {
        self.perturbation(spec) != NOTHING
    }

    /// New number of an object.
    pub fn object(&self, number: i64) -> i64 {
        of(&self.objects, number)
    }

    /// New number of an affordance.
    pub fn affordance(&self, number: i64) -> i64 {
        of(&self.affordances, number)
    }

    /// New number of an item.
    pub fn item(&self, number: i64) -> i64 {
        of(&self.items, number)
    }

    /// New number of a perturbation.
    pub fn perturbation(&self, number: i64) -> i64 {
        of(&self.perturbations, number)
    }

    /// New number of a fairness bucket.
    pub fn bucket(&self, number: i64) -> i64 {
        of(&self.buckets, number)
    }

    /// A count for every item of the new tables; 0 of those that were not there.
    pub fn counts(&self, counts: &[i64]) -> Vec<i64> {
        let mut carried = vec![0; self.after.items.len()];
        for (&place, &count) in self.items.iter().zip(counts) {
            if place != NOTHING {
                carried[place as usize] = count;
            }
        }
        carried
    }

    /// A row that something runs by, with the numbers of the new tables.
    pub fn row(&self, row: &AffordanceRow) -> AffordanceRow {
        AffordanceRow {
            index: place_of(self.after.affordances.iter().map(|row| &row.id), &row.id),
            r#type: of(&self.types, row.r#type),
            stock_costs: self.counts(&row.stock_costs),
            inventory_costs: self.counts(&row.inventory_costs),
            inventory_yields: self.counts(&row.inventory_yields),
            stock_yields: self.counts(&row.stock_yields),
            linked_yields: self.counts(&row.linked_yields),
            ..row.clone()
        }
    }
}

fn of(places: &[i64], number: i64) -> i64 {
    if number == NOTHING { NOTHING } else { places[number as usize] }
}

fn places<'a>(before: impl Iterator<Item = &'a String>, after: impl Iterator<Item = &'a String> + Clone) -> Vec<i64> {
    before.map(|name| place_of(after.clone(), name)).collect()
}

fn place_of<'a>(mut names: impl Iterator<Item = &'a String>, wanted: &str) -> i64 {
    names.position(|name| name == wanted).map_or(NOTHING, |place| place as i64)
}
