//! What can be sensed, alike for units, decoys and mines: where it is and how much it shows.

use super::acoustics::{hull_source_level, speed_share};
use super::constants::{
    POP_UP_DB, POP_UP_RADAR_FACTOR, SILENT_DB, SURFACED_SUBMARINE_DB, TRANSIT_DB, TRANSIT_INDEX_FACTOR,
};
use crate::codes::{emissions, layer, munition_kind, unit_kind, unit_status};
use crate::components::{IN_TRANSIT, Munition, POPPING_UP};
use crate::state::{Battle, Unit};

/// One thing that can be sensed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Of the unit or munition.
    pub id: i64,
    /// Whose it is.
    pub team: i64,
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// Where it is, the origin while in transit.
    pub layer: i64,
    /// Layers it counts as being in.
    pub layers_mask: i64,
    /// With the effect of its transit.
    pub radar_index: f64,
    /// With the effect of its transit.
    pub visual_index: f64,
    /// Level it radiates.
    pub source_db: f64,
    /// What it returns of a ping.
    pub target_strength_db: f64,
    /// Place of the unit; `None` for decoys and mines.
    pub unit: Option<usize>,
}

/// Level a unit radiates, in decibels.
#[must_use]
pub fn source_level(unit: &Unit) -> f64 {
    let (signature, hull) = (&unit.spec.signature, &unit.hull);
    let mut level = hull_source_level(signature.sl0_db, signature.slk_db, own_speed_share(unit), hull.flood, hull.fire);
    if unit.spec.hull.is_submarine && unit.layer.layer == layer::SURFACE {
        level += SURFACED_SUBMARINE_DB;
    }
    if unit.layer.mode == IN_TRANSIT {
        level += TRANSIT_DB;
    }
    if unit.layer.mode == POPPING_UP {
        level += POP_UP_DB;
    }
    if unit.posture.emissions == emissions::SILENT {
        level -= SILENT_DB;
    }
    level
}

/// Speed as a share of what the hull can do in its layer (the origin while in transit).
#[inline]
#[must_use]
pub fn own_speed_share(unit: &Unit) -> f64 {
    speed_share(unit.speed(), unit.spec.hull.speed_ms[unit.layer.layer as usize])
}

/// Radar index of a unit, with the effect of its transit.
#[inline]
#[must_use]
pub fn radar_index(unit: &Unit) -> f64 {
    match unit.layer.mode {
        IN_TRANSIT => unit.spec.signature.radar_index * TRANSIT_INDEX_FACTOR,
        POPPING_UP => unit.spec.signature.radar_index * POP_UP_RADAR_FACTOR,
        _ => unit.spec.signature.radar_index,
    }
}

/// A unit as others sense it.
#[must_use]
pub fn unit_target(battle: &Battle, unit: usize) -> Target {
    let place = unit;
    let unit = &battle.units[place];
    let signature = &unit.spec.signature;
    let visual_factor = if unit.layer.mode == IN_TRANSIT { TRANSIT_INDEX_FACTOR } else { 1.0 };
    Target {
        id: unit.identity.id,
        team: unit.identity.team,
        x: unit.transform.x,
        y: unit.transform.y,
        layer: unit.layer.layer,
        layers_mask: unit.layers_mask(),
        radar_index: radar_index(unit),
        visual_index: signature.visual_index * visual_factor,
        source_db: source_level(unit),
        target_strength_db: signature.ts_db,
        unit: Some(place),
    }
}

/// A decoy or a mine as others sense it.
#[must_use]
pub fn munition_target(battle: &Battle, munition: &Munition) -> Target {
    let is_decoy = munition.kind == munition_kind::DECOY;
    let signature = if is_decoy { &battle.spec.decoy_signature } else { &battle.spec.mine_signature };
    Target {
        id: munition.id,
        team: munition.team,
        x: munition.x,
        y: munition.y,
        layer: munition.launch_layer,
        layers_mask: 1 << munition.launch_layer,
        radar_index: signature.radar_index,
        visual_index: signature.visual_index,
        source_db: signature.sl0_db,
        target_strength_db: signature.ts_db,
        unit: None,
    }
}

/// Whether a munition is one that sensors find: a decoy or a mine.
#[inline]
#[must_use]
pub const fn is_sensed_munition(munition: &Munition) -> bool {
    munition.kind == munition_kind::DECOY || munition.kind == munition_kind::MINE
}

/// Whether a unit senses for its team: squadrons use their carrier's tracks.
#[inline]
#[must_use]
pub const fn is_observer(unit: &Unit) -> bool {
    let is_lost = !unit.is_present() || unit.has(unit_status::SURRENDERED | unit_status::CAPTURED);
    !is_lost && unit.identity.kind != unit_kind::SQUADRON
}
