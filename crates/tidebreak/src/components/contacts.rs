//! What a unit believes of others.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use super::memory::NEVER;

/// Ticks at which it last pinged, was pinged and was painted by radar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMemory {
    pub last_ping_tick: i64,
    pub pinged_at: i64,
    pub painted_at: i64,
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self { last_ping_tick: NEVER, pinged_at: NEVER, painted_at: NEVER }
    }
}

/// What a unit believes of a contact.
///
/// `target_id` is hidden from policies, `layer_est` is 3 when unknown, `class_level` is 0 none to 3 class,
/// `modalities` has bit `1 << modality`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(non_snake_case, reason = "`P` is the name the contract gives the variance")]
pub struct Track {
    pub track_id: i64,
    pub target_id: i64,
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub P: f64,
    pub quality: i64,
    pub age: i64,
    pub hits: i64,
    pub bearing_only: bool,
    pub layer_est: i64,
    pub class_level: i64,
    pub id_conf: f64,
    pub iff: i64,
    pub is_munition: bool,
    pub modalities: i64,
    pub shared: bool,
}

/// Tracks by ascending track id; ids count from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks {
    pub next_track_id: i64,
    pub tracks: Vec<Track>,
}

impl Default for Tracks {
    fn default() -> Self {
        Self { next_track_id: 1, tracks: Vec::new() }
    }
}

impl Tracks {
    /// The track with this id, if it is held.
    #[inline]
    #[must_use]
    pub fn get(&self, track_id: i64) -> Option<&Track> {
        self.tracks.binary_search_by_key(&track_id, |track| track.track_id).ok().map(|place| &self.tracks[place])
    }

    /// The track of this entity, if it is held.
    #[inline]
    #[must_use]
    pub fn of_target(&self, target_id: i64) -> Option<&Track> {
        self.tracks.iter().find(|track| track.target_id == target_id)
    }
}

/// Where a team-mate was when the link last reached it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MateFix {
    pub unit_id: i64,
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub layer: i64,
    pub tick: i64,
}
