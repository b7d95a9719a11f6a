//! Where citizens are: zones, homes and their furniture.

use crate::codes::NOTHING;
use crate::setup::Setup;
use crate::state::town::Town;

/// Zone a citizen stands in, -1 for none.
#[inline]
#[must_use]
pub fn zone_of(town: &Town, setup: &Setup, seat: usize) -> i64 {
    setup.tables.map.zone_of[town.citizen(seat).at()]
}

/// The fridge of a citizen's home, -1 for none.
#[must_use]
pub fn own_fridge(town: &Town, setup: &Setup, seat: usize) -> i64 {
    of_home(&setup.tables.home_fridge, town.citizen(seat).home)
}

/// The stove of a citizen's home, -1 for none.
#[must_use]
pub fn own_stove(town: &Town, setup: &Setup, seat: usize) -> i64 {
    of_home(&setup.tables.home_stove, town.citizen(seat).home)
}

/// A place to stand in a zone, counted through again and again.
#[must_use]
pub fn stand_tile(setup: &Setup, zone: i64, number: i64) -> i64 {
    let tiles = &setup.tables.map.zones[zone as usize].stand_tiles;
    tiles[number as usize % tiles.len()]
}

/// Steps from a citizen to a goal tile, 65535 where there is no way.
#[inline]
#[must_use]
pub fn distance_to(town: &Town, setup: &Setup, seat: usize, tile: i64) -> i64 {
    setup.tables.paths.distance(tile, town.citizen(seat).tile)
}

fn of_home(by_zone: &[i64], home: i64) -> i64 {
    if home == NOTHING { NOTHING } else { by_zone[home as usize] }
}
