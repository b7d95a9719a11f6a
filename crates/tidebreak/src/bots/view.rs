//! An observation row and its mask as a captain reads them: contacts in meters, bearings off the bow.

use kernel::numerics::{atan2, hyp};

use crate::contract::HEAD_OFFSETS;
use crate::layout::{
    COMPACT_CONTACT_ROWS, COMPACT_HOSTILE_ROWS, CONTACT_COLUMNS, CONTACT_ROWS, HOSTILE_ROWS, MATE_ROWS, OBS_WIDTH,
    contact, env, own,
};
use crate::scripts::course::{SEARCH_CIRCLE, around};
use crate::scripts::targeting::CUE_HANDICAP_M;

/// Captains take every map for this large.
pub(super) const HALF_MAP_M: f64 = 8_000.0;
const RANGE_SCALE_M: f64 = 20_000.0;
const QUALITIES: usize = 4;

/// What a captain knows of a class of ships.
#[derive(Clone, Copy, Debug)]
pub struct Hull {
    /// As a row shows it.
    pub cost: f64,
    /// As a row shows it.
    pub armour: f64,
    /// Range of the longest torpedo, 0 without one.
    pub torpedo_m: f64,
    /// Whether it can go under.
    pub is_submarine: bool,
}

/// A contact; `bearing` is relative to the bow, positive to port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting {
    pub row: usize,
    pub range_m: f64,
    pub bearing: f64,
    /// Whether it is of the lowest quality.
    pub is_cue: bool,
}

/// One row, read once.
pub(super) struct View<'a> {
    own: &'a [f32],
    environment: &'a [f32],
    mask: &'a [u8],
    /// Class of the ship.
    pub hull: Hull,
    /// The contact worth going for.
    pub best: Option<Sighting>,
    /// The nearest hostile torpedo or missile that is sensed.
    pub threat: Option<Sighting>,
}

impl<'a> View<'a> {
    /// Reads a row of either profile; `hulls` are the known classes, of which there is at least one.
    pub fn of(obs: &'a [f32], mask: &'a [u8], hulls: &[Hull]) -> Self {
        let is_full = obs.len() == OBS_WIDTH;
        let rows = if is_full { CONTACT_ROWS } else { COMPACT_CONTACT_ROWS };
        let hostile = if is_full { HOSTILE_ROWS } else { COMPACT_HOSTILE_ROWS };
        let (own, rest) = obs.split_at(own::SIZE);
        let (contacts, environment) = rest.split_at(rows * CONTACT_COLUMNS);
        let sightings = |rows: std::ops::Range<usize>| rows.filter_map(|row| sighting(contacts, row));
        Self {
            own,
            environment,
            mask,
            hull: hull_like(hulls, f64::from(environment[env::OWN_COST]), f64::from(own[own::ARMOUR])),
            best: first_least(sightings(0..hostile), |seen| {
                seen.range_m + if seen.is_cue { CUE_HANDICAP_M } else { 0.0 }
            }),
            threat: sightings(hostile + MATE_ROWS..rows).next(),
        }
    }

    /// An entry of the block `own_state`.
    pub fn own(&self, place: usize) -> f64 {
        f64::from(self.own[place])
    }

    /// An entry of the block `environment`.
    pub fn env(&self, place: usize) -> f64 {
        f64::from(self.environment[place])
    }

    /// Whether the mask has the option.
    pub fn allows(&self, head: usize, option: usize) -> bool {
        self.mask[HEAD_OFFSETS[head] + option] != 0
    }

    /// World heading.
    pub fn heading(&self) -> f64 {
        atan2(self.own(own::SIN_HEADING), self.own(own::COS_HEADING))
    }

    /// Bearing of the middle of the map off the bow.
    pub fn center_bearing(&self) -> f64 {
        atan2(-self.own(own::Y), -self.own(own::X)) - self.heading()
    }

    /// Distance of the middle of the map.
    pub fn center_m(&self) -> f64 {
        hyp(self.own(own::X), self.own(own::Y)) * HALF_MAP_M
    }

    /// Bearing off the bow without a contact, around the middle of the map as the scripts go.
    pub fn search_bearing(&self) -> f64 {
        around(self.center_bearing(), self.center_m(), SEARCH_CIRCLE * HALF_MAP_M)
    }
}

fn sighting(contacts: &[f32], row: usize) -> Option<Sighting> {
    let columns = &contacts[row * CONTACT_COLUMNS..][..CONTACT_COLUMNS];
    let at = |column: usize| f64::from(columns[column]);
    let best_quality = |best: usize, next: usize| {
        if at(contact::QUALITY + next) > at(contact::QUALITY + best) { next } else { best }
    };
    (at(contact::VALID) != 0.0).then(|| Sighting {
        row,
        range_m: at(contact::RANGE) * RANGE_SCALE_M,
        bearing: atan2(at(contact::SIN_BEARING), at(contact::COS_BEARING)),
        is_cue: (1..QUALITIES).fold(0, best_quality) == 0,
    })
}

/// The class nearest to what a row shows.
fn hull_like(hulls: &[Hull], cost: f64, armour: f64) -> Hull {
    let distance = |hull: &Hull| (hull.cost - cost).abs() + (hull.armour - armour).abs();
    first_least(hulls.iter().copied(), distance).expect("a captain knows at least one class")
}

/// The item of the lowest score; of equal ones the first.
pub(super) fn first_least<T>(items: impl Iterator<Item = T>, score: impl Fn(&T) -> f64) -> Option<T> {
    let scored = items.map(|item| (score(&item), item));
    scored.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, item)| item)
}
