//! Who a contact is: confidence grows with every measurement, and with it what is believed.

use kernel::numerics::fmin;

use super::constants::{
    AGGRESSION_TICKS, CLASS_LEVELS, CONFIDENCE_GAIN, DECLARED_FROM, ENEMY_SUSPECT_CHANCE, FIRE_CONTROL_GAIN,
    NEUTRAL_SUSPECT_CHANCE, SUSPECT_FROM, UNMASKED_AT,
};
use super::measuring::Measure;
use super::presence::Presence;
use crate::codes::{iff, layer, modality, track_quality};
use crate::components::{NEVER, Track};
use crate::draws::{Stream, uniform_at};
use crate::state::Battle;

/// What identification asks about an entity.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Of the unit or munition.
    pub id: i64,
    /// Whose it is.
    pub team: i64,
    /// Place of the unit itself; `None` for munitions.
    pub unit: Option<usize>,
}

impl From<&Presence> for Subject {
    fn from(target: &Presence) -> Self {
        Self { id: target.id, team: target.team, unit: target.unit }
    }
}

/// Who identifies: id and team of the observer.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    /// Entity id.
    pub id: i64,
    /// Index of its team.
    pub team: i64,
}

/// Learns from a measurement what the contact is and where it stands in depth.
pub fn identify(battle: &Battle, viewer: Viewer, track: &mut Track, target: &Presence, measure: &Measure) {
    let mut gain = CONFIDENCE_GAIN[measure.modality as usize];
    if measure.quality >= track_quality::Q2 {
        gain *= FIRE_CONTROL_GAIN;
    }
    track.id_conf = fmin(1.0, track.id_conf + gain);
    track.class_level = class_level(track.id_conf);
    track.is_munition = target.is_munition() && track.id_conf >= UNMASKED_AT;
    track.modalities |= 1 << measure.modality;
    track.layer_est = estimate_layer(measure, target.layer, track.layer_est);
    track.iff = judge_iff(battle, viewer, track.id_conf, &Subject::from(target));
}

/// 0 nothing, 1 category, 2 size, 3 class.
#[inline]
#[must_use]
pub fn class_level(id_conf: f64) -> i64 {
    CLASS_LEVELS.iter().map(|&least| i64::from(id_conf >= least)).sum()
}

/// Layer a measurement tells; a bearing of the listening sonar tells none.
#[must_use]
pub const fn estimate_layer(measure: &Measure, true_layer: i64, before: i64) -> i64 {
    match measure.modality {
        modality::VISUAL | modality::RADAR | modality::ESM => layer::SURFACE,
        modality::PASSIVE_SONAR if measure.quality < track_quality::Q1 => before,
        _ => true_layer,
    }
}

/// Takes a side of a contact; who has just done harm is an enemy whatever else is known.
#[must_use]
pub fn judge_iff(battle: &Battle, viewer: Viewer, id_conf: f64, subject: &Subject) -> i64 {
    let is_enemy = battle.are_enemies(viewer.team, subject.team);
    if is_enemy && battle.rules().perfect_iff {
        return iff::HOSTILE_DECLARED;
    }
    if has_harmed(battle, viewer.team, subject.unit) {
        return iff::HOSTILE_DECLARED;
    }
    if id_conf < SUSPECT_FROM {
        return iff::UNKNOWN;
    }
    if id_conf >= DECLARED_FROM {
        return if is_enemy { iff::HOSTILE_DECLARED } else { iff::FRIENDLY_ASSUMED };
    }
    let chance = if is_enemy { ENEMY_SUSPECT_CHANCE } else { NEUTRAL_SUSPECT_CHANCE };
    let is_suspect = uniform_at(battle, Stream::Identification, 0, viewer.id, subject.id, 0) < chance;
    if is_suspect { iff::SUSPECT } else { iff::FRIENDLY_ASSUMED }
}

/// Whether the contact, if it is a unit, damaged a unit of the team within the last minute.
#[inline]
#[must_use]
pub fn has_harmed(battle: &Battle, team: i64, unit: Option<usize>) -> bool {
    let harmed_at = unit.map_or(NEVER, |place| battle.units[place].memory.harmed_at[team as usize]);
    harmed_at >= battle.tick - AGGRESSION_TICKS
}
