//! The resolved battle: every number a battle starts from, in meters, seconds, radians and integer codes.
//!
//! Absent things are `None` where a rule asks whether they exist, and -1 where a count has no end.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use std::sync::Arc;

use crate::codes::{MODALITIES, SYSTEMS};

/// Version of this layout.
pub const FORMAT: &str = "tidebreak.resolved.1";
/// A count without end.
pub const UNLIMITED: i64 = -1;

/// Switches of the battle, and its clock: `dt_s` is exactly `1.0 / substeps`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedRules {
    pub substeps: i64,
    pub dt_s: f64,
    pub time_limit_ticks: i64,
    pub margin_on_timeout: bool,
    pub fields: bool,
    pub field_period: i64,
    pub max_bricks: usize,
    pub fog: bool,
    pub perfect_iff: bool,
    pub friendly_fire: bool,
    pub allow_friendly_orders: bool,
    pub boarding: bool,
    pub surrender: bool,
    pub clutter: bool,
    pub objective_ends_battle: bool,
}

/// One side; `enemies` lists indices of the teams it is at war with, ascending.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedTeam {
    pub index: i64,
    pub team_id: String,
    pub name: String,
    pub enemies: Vec<i64>,
}

/// Either `uniform_m`, or nodes row by row from the south-west corner; positive down, land at or below 0.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedDepth {
    pub uniform_m: Option<f64>,
    pub rows: usize,
    pub columns: usize,
    pub nodes_m: Vec<f64>,
}

/// A circle (no vertices, `radius_m` its radius) or a convex polygon, counter-clockwise.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedShape {
    /// Center, absolute.
    pub x: f64,
    /// Center, absolute.
    pub y: f64,
    /// Of the circle, or of the smallest circle around the center that holds the polygon.
    pub radius_m: f64,
    /// Of the polygon, absolute; empty for a circle.
    pub vertices: Vec<[f64; 2]>,
}

/// Solid obstacles block movement and sight; soft ones disturb sensors by `intensity`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedObstacle {
    pub shape: ResolvedShape,
    pub solid: bool,
    pub intensity: f64,
    pub layers_mask: i64,
}

/// `effect` is a `ZoneEffect`; the vector is zero except for CURRENT.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedZone {
    pub shape: ResolvedShape,
    pub effect: i64,
    pub intensity: f64,
    pub layers_mask: i64,
    pub vector_x: f64,
    pub vector_y: f64,
}

/// 17 x 17 nodes of one layer in m/s, row by row from the south-west corner.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedCurrent {
    pub x_ms: Vec<f64>,
    pub y_ms: Vec<f64>,
}

/// Weather away from storms; `wind_x` and `wind_y` are the wind's vector in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedWeather {
    pub sea_state: f64,
    pub visibility_km: f64,
    pub precipitation: i64,
    pub wind_speed_ms: f64,
    pub wind_direction_rad: f64,
    pub wind_x: f64,
    pub wind_y: f64,
    pub lightning: f64,
}

/// `profile` is a `StormProfile`; a storm without an end gets the time limit, which no tick passes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedStorm {
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub radius_m: f64,
    pub intensity: f64,
    pub profile: i64,
    pub ends_at_tick: i64,
}

/// Local rules of one layer; `sensor_db` is by `Modality` and is added to excesses.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedLayer {
    pub sensor_db: [f64; MODALITIES],
    pub speed_modifier: f64,
}

/// Where the battle is fought; tuples of three are by `Layer`.
///
/// `field_x0`, `field_y0` is the south-west corner of the field engine's square of side `field_side_m`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedMap {
    pub min_x: f64,
    pub min_y: f64,
    pub max_x: f64,
    pub max_y: f64,
    pub edges_open: bool,
    pub field_side_m: f64,
    pub field_x0: f64,
    pub field_y0: f64,
    pub depth: ResolvedDepth,
    pub obstacles: Vec<ResolvedObstacle>,
    pub zones: Vec<ResolvedZone>,
    pub currents: [ResolvedCurrent; 3],
    pub weather: ResolvedWeather,
    pub storms: Vec<ResolvedStorm>,
    pub thermocline: f64,
    pub temperature_c: [f64; 3],
    pub salinity_ppt: f64,
    pub layers: [ResolvedLayer; 3],
}
/// How much a thing shows: indices without unit, levels in decibels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedSignature {
    pub radar_index: f64,
    pub visual_index: f64,
    pub sl0_db: f64,
    pub slk_db: f64,
    pub ts_db: f64,
}

/// A row of the weapon table.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedWeapon {
    pub code: i64,
    pub weapon_id: String,
    pub name: String,
    pub group: i64,
    /// `MunitionKind`, or -1 for point defense and air wings.
    pub kind: i64,
    pub rounds: i64,
    pub damage: f64,
    pub damage_type: i64,
    pub cooldown_s: i64,
    pub range_m: f64,
    pub spread_rad: f64,
    pub spread_min_m: f64,
    pub speed_ms: f64,
    pub turn_rate: f64,
    pub seeker_m: f64,
    pub half_fov_rad: f64,
    pub trigger_m: f64,
    pub half_arc_rad: f64,
    /// Rounds of a full mount, -1 without end.
    pub ammo: i64,
    /// Layers it can be launched from, bit `1 << layer`.
    pub launch_mask: i64,
    /// Whether it can be launched in the pop-up window.
    pub pop_up: bool,
    /// Layers it can hit.
    pub hits_mask: i64,
    /// `TrackQuality` it needs, -1 if it needs no track.
    pub min_quality: i64,
    /// Largest standard error of the track, None without bound.
    pub sigma_max_m: Option<f64>,
    pub city_killer: bool,
}

/// The body of a unit; codes are `UnitKind` and `SizeClass`, tuples of three are by `Layer`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedHull {
    /// Row of the class table, one past it for hulls without a class.
    pub class_code: i64,
    pub class_name: String,
    pub kind: i64,
    pub size: i64,
    pub damage_tier: i64,
    pub boarding_tier: i64,
    /// 0, 8 or 12.
    pub compartments: i64,
    pub cost: f64,
    /// 0 for what cannot be moved.
    pub mass_t: f64,
    pub radius_m: f64,
    pub draught_m: f64,
    pub hp_max: f64,
    pub armour: f64,
    /// Full speed by layer, 0 where the hull cannot go.
    pub speed_ms: [f64; 3],
    /// Layers it may be in.
    pub layers_mask: i64,
    pub is_submarine: bool,
    pub acceleration: f64,
    pub turn_rate: f64,
    /// With the effect of its officers.
    pub turn_lag_s: f64,
    /// SURFACE to SUBMERGED and back, 0 if it cannot.
    pub dive_s: f64,
    /// SUBMERGED to ABYSSAL and back, 0 if it cannot.
    pub deep_s: f64,
    /// Share of fire and flood that doors hold back.
    pub bulkhead: f64,
}

/// What a unit sees by; None where it has no such sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedSensors {
    pub radar_range_m: Option<f64>,
    pub di_db: Option<f64>,
    pub ping_db: Option<f64>,
    pub visual_factor: f64,
    pub tracks_max: i64,
    pub link_tier: i64,
}

/// A weapon aboard, in slot order; slots may have gaps. `ammo` counts are -1 without end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedMount {
    pub slot: i64,
    pub weapon: usize,
    pub facing_rad: f64,
    pub any_arc: bool,
    pub ammo_max: i64,
    pub ammo: i64,
}

/// People at the start; skills with the effect of supply.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedCrew {
    pub crew_start: i64,
    pub gunnery: f64,
    pub engineering: f64,
    pub fatigue: f64,
    pub morale: f64,
    pub command: f64,
    pub marines: i64,
    pub security: i64,
}

/// A compartment or district at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedCompartment {
    pub integrity: f64,
    pub fire: f64,
    pub flood: f64,
    pub breached: bool,
    pub crew: i64,
}

/// A unit's first state; five-tuples are by `System`, speed is along the heading.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedStart {
    pub x: f64,
    pub y: f64,
    pub heading: f64,
    pub speed_ms: f64,
    pub layer: i64,
    pub hp: f64,
    pub systems: [f64; SYSTEMS],
    pub ceilings: [f64; SYSTEMS],
    pub fire: f64,
    pub flood: f64,
    pub compartments: Vec<ResolvedCompartment>,
    pub fuel_s: f64,
    pub decoys: i64,
}

/// What a unit is told to do; ids are unit ids, 0 for none.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedObjective {
    pub objective_id: String,
    pub r#type: i64,
    pub priority: f64,
    pub target_id: i64,
    /// All targets, ascending; `target_id` is the single one of types that have one.
    pub target_ids: Vec<i64>,
    pub asset_id: i64,
    /// Area, its center an offset from unit `zone_relative_id` unless that is 0.
    pub zone: Option<ResolvedShape>,
    pub zone_relative_id: i64,
    pub destination_id: i64,
    /// Position, or where to go once unit `destination_id` is gone; None without one.
    pub destination_x: Option<f64>,
    pub destination_y: Option<f64>,
    /// Rounded up, 0 without one.
    pub duration_ticks: i64,
    /// Rounded up, -1 without one.
    pub deadline_ticks: i64,
    pub cargo: Option<String>,
}

/// A ship or platform.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedUnit {
    /// From 1, by ascending byte order of `ship_id`.
    pub id: i64,
    pub ship_id: String,
    /// Place in the package's list, which the result keeps.
    pub package_index: i64,
    /// Index of its team.
    pub team: i64,
    pub is_flagship: bool,
    pub no_surrender: bool,
    pub fleet_id: Option<String>,
    /// Seconds at full speed, -1 without end.
    pub fuel_capacity_s: f64,
    pub hull: ResolvedHull,
    pub signature: ResolvedSignature,
    pub sensors: ResolvedSensors,
    pub mounts: Vec<ResolvedMount>,
    pub crew: ResolvedCrew,
    pub start: ResolvedStart,
    pub objective: Option<ResolvedObjective>,
}

/// Everything a battle starts from.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ResolvedBattle {
    /// `FORMAT` of `records`, the version of this layout.
    pub format: String,
    /// Of the package, echoed by the result.
    pub schema_version: String,
    pub battle_id: String,
    pub seed: u64,
    pub torch_seed: Option<u64>,
    /// Of the content that was expanded.
    pub content_hash: String,
    pub rules: ResolvedRules,
    pub teams: Vec<ResolvedTeam>,
    pub map: ResolvedMap,
    /// The whole table, index = code.
    pub weapons: Vec<ResolvedWeapon>,
    pub decoy_signature: ResolvedSignature,
    pub mine_signature: ResolvedSignature,
    /// Index = id - 1.
    pub units: Vec<Arc<ResolvedUnit>>,
}
