//! Reading a unit's own tracks.

use kernel::numerics::{atan2, hyp};

use crate::codes::iff;
use crate::components::Track;
use crate::limits::TRACKS_MAX;
use crate::state::Unit;

/// Places of tracks in their order of interest.
#[derive(Clone, Copy, Debug)]
pub struct ContactOrder {
    places: [u8; TRACKS_MAX],
    ranges_m: [f64; TRACKS_MAX],
    count: usize,
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
        self.places[..self.count].iter().map(|&place| usize::from(place)).zip(self.ranges_m)
    }

    /// Puts a track behind all that are at least as good and as near.
    #[inline]
    fn insert(&mut self, unit: &Unit, place: usize, range_m: f64) {
        let quality = unit.tracks.tracks[place].quality;
        let mut at = self.count;
        while at > 0 {
            let before = unit.tracks.tracks[usize::from(self.places[at - 1])].quality;
            if before > quality || (before == quality && self.ranges_m[at - 1] <= range_m) {
                break;
            }
            self.places[at] = self.places[at - 1];
            self.ranges_m[at] = self.ranges_m[at - 1];
            at -= 1;
        }
        self.places[at] = place as u8;
        self.ranges_m[at] = range_m;
        self.count += 1;
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
    let mut order = ContactOrder { places: [0; TRACKS_MAX], ranges_m: [0.0; TRACKS_MAX], count: 0 };
    for (place, track) in unit.tracks.tracks.iter().enumerate() {
        if is_contact(track) {
            order.insert(unit, place, estimated_range(unit, track));
        }
    }
    order
}
