//! The static map: tiles, zones, objects, and where people use, queue and stand.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// A named part of the town.
#[derive(Clone, Debug, Deserialize)]
pub struct Zone {
    pub index: i64,
    pub is_building: bool,
    pub rect: [i64; 4],
    pub door: i64,
    pub stand_tiles: Vec<i64>,
}

/// What never changes about an object.
#[derive(Clone, Debug, Deserialize)]
pub struct ObjectRow {
    pub index: i64,
    pub id: String,
    pub r#type: i64,
    pub tile: i64,
    pub use_tile: i64,
    pub queue_tiles: Vec<i64>,
    pub zone: i64,
    pub stock: Vec<i64>,
    pub caps: Vec<i64>,
    pub price_factor: f64,
    pub is_residents: bool,
    pub linked: i64,
    pub owner_id: String,
}

/// The grid; every list is indexed by tile.
#[derive(Clone, Debug, Deserialize)]
pub struct TownMap {
    pub width: i64,
    pub height: i64,
    pub tile_class: Vec<i64>,
    pub zone_of: Vec<i64>,
    pub object_at: Vec<i64>,
    pub walkable: Vec<bool>,
    pub zones: Vec<Zone>,
    pub spawn_tiles: Vec<i64>,
}

impl TownMap {
    /// Number of a tile.
    #[inline]
    #[must_use]
    pub const fn tile(&self, x: i64, y: i64) -> i64 {
        y * self.width + x
    }

    /// Column and row of a tile.
    #[inline]
    #[must_use]
    pub const fn xy(&self, tile: i64) -> (i64, i64) {
        let (tile, width) = (tile as u32, self.width as u32); // a division of half the width takes half the time
        ((tile % width) as i64, (tile / width) as i64)
    }
}
