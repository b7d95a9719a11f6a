//! Which contact a script goes for, and what it fires at it.

use kernel::numerics::fmax;

use crate::codes::{NO_LAYER, layer, track_quality, weapon_group};
use crate::components::Track;
use crate::contacts::{estimated_range, is_contact};
use crate::orders::{FREE_FIRE, Groups};
use crate::state::{Battle, Unit};

/// Cues count as this much farther away.
pub const CUE_HANDICAP_M: f64 = 4_000.0;
/// Share of their range beyond which torpedoes are kept.
pub const TORPEDO_SHARE: f64 = 0.65;

/// The nearest contact worth going for; cues count as farther away, ties go to the lower id.
#[must_use]
pub fn best_track<'a>(battle: &Battle, unit: &'a Unit) -> Option<&'a Track> {
    let mut best = None;
    let mut best_score = 0.0;
    for track in &unit.tracks.tracks {
        if !is_contact(track) || is_neutral(battle, unit, track) {
            continue;
        }
        let handicap_m = if track.quality == track_quality::Q0 { CUE_HANDICAP_M } else { 0.0 };
        let score = estimated_range(unit, track) + handicap_m;
        if best.is_none() || score < best_score {
            (best, best_score) = (Some(track), score);
        }
    }
    best
}

fn is_neutral(battle: &Battle, unit: &Unit, track: &Track) -> bool {
    let target = battle.find_unit(track.target_id);
    target.is_some_and(|target| !battle.are_enemies(unit.identity.team, target.identity.team))
}

/// Whether the contact is believed to be under water.
#[inline]
#[must_use]
pub const fn is_below(track: &Track) -> bool {
    track.layer_est != layer::SURFACE && track.layer_est != NO_LAYER
}

/// Longest range among the unit's weapons of a group, 0 without one.
#[must_use]
pub fn longest_range_m(battle: &Battle, unit: &Unit, group: i64) -> f64 {
    let mut longest = 0.0;
    for mount in &unit.spec.mounts {
        let weapon = &battle.spec.weapons[mount.weapon];
        if weapon.group == group {
            longest = fmax(longest, weapon.range_m);
        }
    }
    longest
}

/// Everything, but torpedoes only when the target is well within their range.
#[must_use]
pub fn fire_groups(battle: &Battle, unit: &Unit, target: &Track) -> Groups {
    let reach_m = TORPEDO_SHARE * longest_range_m(battle, unit, weapon_group::TORPEDO);
    if estimated_range(unit, target) < reach_m { FREE_FIRE } else { FREE_FIRE.without(weapon_group::TORPEDO) }
}
