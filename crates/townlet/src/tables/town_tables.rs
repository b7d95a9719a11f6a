//! `TownTables`: the compiled town.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

use crate::codes::NOTHING;
use crate::tables::affordances::AffordanceRow;
use crate::tables::paths::PathService;
use crate::tables::places::{ObjectRow, TownMap};
use crate::tables::rows::{JobRow, PerturbationRow, Profile};

/// The document that the readable tier's tables are written to.
#[derive(Debug, Deserialize)]
pub struct TablesDocument {
    map: TownMap,
    objects: Vec<ObjectRow>,
    types: Vec<String>,
    items: Vec<String>,
    affordances: Vec<AffordanceRow>,
    by_type: Vec<Vec<usize>>,
    roles: Vec<i64>,
    jobs: Vec<JobRow>,
    profiles: Vec<Profile>,
    perturbations: Vec<PerturbationRow>,
    buckets: Vec<String>,
    beds: Vec<i64>,
    reach: Vec<i64>,
    open_to: Vec<Vec<Vec<i64>>>,
    home_fridge: Vec<i64>,
    home_stove: Vec<i64>,
    cafe_zone: i64,
    park_zone: i64,
}

/// Everything about a town that does not change while it runs.
#[derive(Debug)]
pub struct TownTables {
    pub map: TownMap,
    pub paths: PathService,
    pub objects: Vec<ObjectRow>,
    pub types: Vec<String>,
    pub items: Vec<String>,
    pub affordances: Vec<AffordanceRow>,
    /// Indices of the affordances of each object type, in the order of `Interact0` to `Interact3`.
    pub by_type: Vec<Vec<usize>>,
    pub roles: Vec<i64>,
    pub jobs: Vec<JobRow>,
    pub profiles: Vec<Profile>,
    pub perturbations: Vec<PerturbationRow>,
    /// Fairness buckets of perturbations by index.
    pub buckets: Vec<String>,
    pub beds: Vec<i64>,
    pub reach: Vec<i64>,
    /// By role and zone, the objects residents of the zone may use.
    pub open_to: Vec<Vec<Vec<i64>>>,
    pub home_fridge: Vec<i64>,
    pub home_stove: Vec<i64>,
    pub cafe_zone: i64,
    pub park_zone: i64,
}

impl From<TablesDocument> for TownTables {
    fn from(document: TablesDocument) -> Self {
        Self {
            paths: PathService::new(&document.map),
            map: document.map,
            objects: document.objects,
            types: document.types,
            items: document.items,
            affordances: document.affordances,
            by_type: document.by_type,
            roles: document.roles,
            jobs: document.jobs,
            profiles: document.profiles,
            perturbations: document.perturbations,
            buckets: document.buckets,
            beds: document.beds,
            reach: document.reach,
            open_to: document.open_to,
            home_fridge: document.home_fridge,
            home_stove: document.home_stove,
            cafe_zone: document.cafe_zone,
            park_zone: document.park_zone,
        }
    }
}

impl TownTables {
    /// Index of an object type by name, -1 if there is none.
    #[must_use]
    pub fn type_index(&self, name: &str) -> i64 {
        self.types.iter().position(|known| known == name).map_or(NOTHING, |index| index as i64)
    }
}
