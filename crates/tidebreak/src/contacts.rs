//! Reading a unit's own tracks.

use kernel::numerics::{atan2, hyp};

use crate::codes::iff;
use crate::components::Track;
use crate::limits::TRACKS_MAX;
use crate::state::Unit;

/// Places of tracks in their order of interest; past the rows that were asked for they stand in any order.
#[derive(Clone, Copy, Debug)]
pub struct ContactOrder {
    places: [u8; TRACKS_MAX],
    qualities: [i8; TRACKS_MAX],
    ranges_m: [f64; TRACKS_MAX],
    count: usize,
    sorted_rows: usize,
}

impl ContactOrder {
    /// How many tracks there are.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The tracks of the unit this is the order of.
    #[inline]
    pub fn tracks<'a>(&'a self, unit: &'a Unit) -> impl Iterator<Item = &'a Track> {
        self.places[..self.count].iter().map(|&place| &unit.tracks.tracks[usize::from(place)])
    }

    /// Places of the tracks in their table, each with its estimated range.
    #[inline]
    pub fn ranged_places(&self) -> impl Iterator<Item = (usize, f64)> {
        self.places[..self.count].iter().map(|&place| usize::from(place)).zip(self.ranges_m.iter().copied())
    }

    /// Puts a track behind all that are at least as good and as near; behind the sorted rows it is put anywhere.
    #[inline]
    fn insert(&mut self, place: usize, quality: i64, range_m: f64) {
        let quality = quality as i8;
        let mut at = self.count;
        if at >= self.sorted_rows {
            let last = self.sorted_rows - 1;
            if self.is_ahead(last, quality, range_m) {
                self.put(at, place as u8, quality, range_m);
                self.count += 1;
                return;
            }
            self.copy(last, at);
            at = last;
        }
        while at > 0 && !self.is_ahead(at - 1, quality, range_m) {
            self.copy(at - 1, at);
            at -= 1;
        }
        self.put(at, place as u8, quality, range_m);
        self.count += 1;
    }

    #[inline]
    fn is_ahead(&self, row: usize, quality: i8, range_m: f64) -> bool {
        self.qualities[row] > quality || (self.qualities[row] == quality && self.ranges_m[row] <= range_m)
    }

    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        self.put(to, self.places[from], self.qualities[from], self.ranges_m[from]);
    }

    #[inline]
    fn put(&mut self, row: usize, place: u8, quality: i8, range_m: f64) {
        (self.places[row], self.qualities[row], self.ranges_m[row]) = (place, quality, range_m);
    }
}

/// Whether the track is taken for a friend.
#[inline]
#[must_use]
pub const fn is_friendly(track: &Track) -> bool {
    track.iff == iff::FRIENDLY_AUTHENTICATED || track.iff == iff::FRIENDLY_ASSUMED
}

/// Meters from the unit to where it believes the contact to be.
#[inline]
#[must_use]
pub fn estimated_range(unit: &Unit, track: &Track) -> f64 {
    hyp(track.x - unit.transform.x, track.y - unit.transform.y)
}

/// World bearing from the unit to where it believes the contact to be.
#[inline]
#[must_use]
pub fn estimated_bearing(unit: &Unit, track: &Track) -> f64 {
    atan2(track.y - unit.transform.y, track.x - unit.transform.x)
}

/// Whether a track belongs among the contacts: neither a friend nor a munition.
#[inline]
#[must_use]
pub const fn is_contact(track: &Track) -> bool {
    !is_friendly(track) && !track.is_munition
}

/// Non-friendly tracks that are no munitions: best quality first, then nearest, then lowest id.
#[must_use]
pub fn contact_order(unit: &Unit) -> ContactOrder {
    leading_contacts(unit, TRACKS_MAX)
}

/// `contact_order` as far as the first rows are concerned; the rest follow in any order.
#[must_use]
pub fn leading_contacts(unit: &Unit, rows: usize) -> ContactOrder {
    let mut order = ContactOrder {
        places: [0; TRACKS_MAX],
        qualities: [0; TRACKS_MAX],
        ranges_m: [0.0; TRACKS_MAX],
        count: 0,
        sorted_rows: rows,
    };
    for (place, track) in unit.tracks.tracks.iter().enumerate() {
        if is_contact(track) {
            order.insert(place, track.quality, estimated_range(unit, track));
        }
    }
    order
}
