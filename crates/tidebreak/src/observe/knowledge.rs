//! Where a unit believes others to be: by its tracks and its link, else where the briefing put them.

use crate::sensing::filtering::is_velocity_known;
use crate::state::{Battle, Unit};

/// A believed place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// `None` where nothing is known of it.
    pub velocity: Option<[f64; 2]>,
    /// Whether there is a current contact.
    pub is_held: bool,
}

/// What a unit knows of another one's place.
#[must_use]
pub fn known_place(battle: &Battle, unit: &Unit, other_id: i64) -> Known {
    if other_id == unit.identity.id {
        let velocity = Some([unit.motion.vx, unit.motion.vy]);
        return Known { x: unit.transform.x, y: unit.transform.y, velocity, is_held: true };
    }
    if let Some(fix) = unit.memory.mate_fixes.iter().find(|fix| fix.unit_id == other_id) {
        return Known { x: fix.x, y: fix.y, velocity: Some([fix.vx, fix.vy]), is_held: true };
    }
    if let Some(track) = unit.tracks.of_target(other_id) {
        let velocity = is_velocity_known(track).then_some([track.vx, track.vy]);
        return Known { x: track.x, y: track.y, velocity, is_held: true };
    }
    let briefed = &battle.unit(other_id).spec.start;
    Known { x: briefed.x, y: briefed.y, velocity: None, is_held: false }
}
