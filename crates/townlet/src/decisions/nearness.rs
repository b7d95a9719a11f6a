//! Who is near whom.

use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::conflicts::avoided_seats;

/// Tiles within which somebody avoided matters.
pub const AVOID_RADIUS: i64 = 3;

/// Steps between two tiles if nothing were in the way.
#[inline]
#[must_use]
pub fn manhattan(setup: &Setup, tile: i64, other: i64) -> i64 {
    let (dx, dy) = apart(setup, tile, other);
    dx + dy
}

/// Tiles between two tiles, diagonals counting as one.
#[inline]
#[must_use]
pub fn chebyshev(setup: &Setup, tile: i64, other: i64) -> i64 {
    let (dx, dy) = apart(setup, tile, other);
    dx.max(dy)
}

/// Whether somebody a citizen avoids is within some tiles.
#[must_use]
pub fn is_avoided_within(town: &Town, setup: &Setup, citizen: &Citizen, radius: i64) -> bool {
    !citizen.ties.is_empty()
        && avoided_seats(town, setup, citizen.seat as usize)
            .any(|other| chebyshev(setup, citizen.tile, town.citizen(other).tile) <= radius)
}

#[inline]
fn apart(setup: &Setup, tile: i64, other: i64) -> (i64, i64) {
    let ((x, y), (other_x, other_y)) = (setup.tables.map.xy(tile), setup.tables.map.xy(other));
    ((x - other_x).abs(), (y - other_y).abs())
}
