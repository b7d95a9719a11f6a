//! Integer codes of the contract; they are stable, and state words, buffers and resolved packages hold these numbers.

#![expect(missing_docs, reason = "a code is its name")]

/// Depth as a set of rules, never as a number of meters.
pub mod layer {
    pub const SURFACE: i64 = 0;
    pub const SUBMERGED: i64 = 1;
    pub const ABYSSAL: i64 = 2;
}

/// What a unit is.
pub mod unit_kind {
    pub const SHIP: i64 = 0;
    pub const PLATFORM: i64 = 1;
    pub const SQUADRON: i64 = 2;
}

/// What a munition is; -1 stands for weapons that make none.
pub mod munition_kind {
    pub const SALVO: i64 = 0;
    pub const TORPEDO: i64 = 1;
    pub const MISSILE: i64 = 2;
    pub const CHARGE: i64 = 3;
    pub const MINE: i64 = 4;
    pub const DECOY: i64 = 5;
}

/// Size of a hull, by crew unless its class says otherwise.
pub mod size_class {
    pub const S: i64 = 0;
    pub const M: i64 = 1;
    pub const L: i64 = 2;
    pub const XL: i64 = 3;
}

/// How much a unit gives away of itself.
pub mod emissions {
    pub const SILENT: i64 = 0;
    pub const PASSIVE: i64 = 1;
    pub const ACTIVE: i64 = 2;
}

/// Ways of sensing.
pub mod modality {
    pub const VISUAL: i64 = 0;
    pub const RADAR: i64 = 1;
    pub const ESM: i64 = 2;
    pub const PASSIVE_SONAR: i64 = 3;
    pub const ACTIVE_SONAR: i64 = 4;
    pub const LINK: i64 = 5;
}

/// Cue, coarse, local fire control, shared fire control.
pub mod track_quality {
    pub const Q0: i64 = 0;
    pub const Q1: i64 = 1;
    pub const Q2: i64 = 2;
    pub const Q3: i64 = 3;
}

/// Class tiers of the data mesh.
pub mod link_tier {
    pub const T0: i64 = 0;
    pub const T1: i64 = 1;
    pub const T2: i64 = 2;
    pub const T3: i64 = 3;
}

/// Identification of a track.
pub mod iff {
    pub const UNKNOWN: i64 = 0;
    pub const FRIENDLY_AUTHENTICATED: i64 = 1;
    pub const FRIENDLY_ASSUMED: i64 = 2;
    pub const SUSPECT: i64 = 3;
    pub const HOSTILE_DECLARED: i64 = 4;
}

/// What a hit works by.
pub mod damage_type {
    pub const KINETIC: i64 = 0;
    pub const EXPLOSIVE: i64 = 1;
    pub const UNDERWATER: i64 = 2;
    pub const THERMAL: i64 = 3;
    pub const PRESSURE: i64 = 4;
}

/// Subsystems of a hull.
pub mod system {
    pub const PROPULSION: usize = 0;
    pub const WEAPONS: usize = 1;
    pub const SENSORS: usize = 2;
    pub const POWER: usize = 3;
    pub const BALLAST: usize = 4;
}

/// Groups an order fires; AUTOMATIC weapons fire by themselves.
pub mod weapon_group {
    pub const AUTOMATIC: i64 = 0;
    pub const GUN: i64 = 1;
    pub const TORPEDO: i64 = 2;
    pub const MISSILE: i64 = 3;
    pub const ASW: i64 = 4;
    pub const MINE: i64 = 5;
    pub const AIR: i64 = 6;
}

/// What became of a ship.
pub mod ship_fate {
    pub const OPERATIONAL: i64 = 0;
    pub const DISABLED: i64 = 1;
    pub const DESTROYED: i64 = 2;
    pub const SCUTTLED: i64 = 3;
    pub const CAPTURED: i64 = 4;
}

/// How a ship was taken.
pub mod capture_method {
    pub const NONE: i64 = 0;
    pub const BOARDED: i64 = 1;
    pub const SURRENDERED: i64 = 2;
}

/// How far a boarding came.
pub mod boarding_status {
    pub const NONE: i64 = 0;
    pub const ATTEMPTED: i64 = 1;
    pub const ESTABLISHED: i64 = 2;
    pub const REPULSED: i64 = 3;
}

/// Where a boarding attacker stands.
pub mod connection_state {
    pub const NONE: i64 = 0;
    pub const APPROACHING: i64 = 1;
    pub const LATCHING: i64 = 2;
    pub const DOCKED: i64 = 3;
    pub const TRANSFERRING: i64 = 4;
}

/// A fraction in words: from 0.75, from 0.25, below.
pub mod component_status {
    pub const OPERATIONAL: i64 = 0;
    pub const DAMAGED: i64 = 1;
    pub const DESTROYED: i64 = 2;
}

/// What the depth at a point amounts to.
pub mod terrain {
    pub const LAND: i64 = 0;
    pub const SHALLOWS: i64 = 1;
    pub const SHELF: i64 = 2;
    pub const DEEP_OCEAN: i64 = 3;
}

/// What falls from the sky.
pub mod precipitation {
    pub const NONE: i64 = 0;
    pub const LIGHT_RAIN: i64 = 1;
    pub const HEAVY_RAIN: i64 = 2;
    pub const STORM: i64 = 3;
}

/// What damage control works on first.
pub mod dc_focus {
    pub const BALANCED: i64 = 0;
    pub const FIRE: i64 = 1;
    pub const FLOOD: i64 = 2;
    pub const REPAIR: i64 = 3;
}

/// What a ship is told to do.
pub mod objective_type {
    pub const DESTROY: i64 = 0;
    pub const DISABLE: i64 = 1;
    pub const RAID: i64 = 2;
    pub const INTERCEPT: i64 = 3;
    pub const PROTECT: i64 = 4;
    pub const SCREEN: i64 = 5;
    pub const CAPTURE: i64 = 6;
    pub const EVADE: i64 = 7;
    pub const SHADOW: i64 = 8;
    pub const LOITER: i64 = 9;
    pub const SCOUT: i64 = 10;
    pub const DELIVER: i64 = 11;
    pub const RECOVER: i64 = 12;
    pub const EVACUATE: i64 = 13;
}

/// How an objective stands.
pub mod objective_status {
    pub const ACTIVE: i64 = 0;
    pub const COMPLETED: i64 = 1;
    pub const FAILED: i64 = 2;
    pub const SUPERSEDED: i64 = 3;
}

/// Why a battle ended.
pub mod end_reason {
    pub const ELIMINATION: i64 = 0;
    pub const TIME_LIMIT: i64 = 1;
    pub const ALL_OUT: i64 = 2;
    pub const OBJECTIVE: i64 = 3;
    pub const ABORTED: i64 = 4;
}

/// What a zone of the map does, in the order of the rules.
pub mod zone_effect {
    pub const SENSOR_INTERFERENCE: i64 = 0;
    pub const HAZARD: i64 = 1;
    pub const CURRENT: i64 = 2;
    pub const SPEED_BONUS: i64 = 3;
    pub const ECM: i64 = 4;
    pub const VENT: i64 = 5;
}

/// How a storm's strength falls off with distance.
pub mod storm_profile {
    pub const UNIFORM: i64 = 0;
    pub const GRADIENT: i64 = 1;
    pub const CYCLONIC: i64 = 2;
}

/// Status bits of a unit.
pub mod unit_status {
    pub const MOBILITY_DISABLED: i64 = 1;
    pub const WEAPONS_DISABLED: i64 = 2;
    pub const SENSORS_DISABLED: i64 = 4;
    pub const DESTROYED: i64 = 8;
    pub const ON_FIRE: i64 = 16;
    pub const FLOODING: i64 = 32;
    pub const SURRENDERED: i64 = 64;
    pub const DEAD_IN_WATER: i64 = 128;
    pub const GROUNDED: i64 = 256;
    pub const EXITED: i64 = 512;
    pub const CAPTURED: i64 = 1024;
    pub const SCUTTLED: i64 = 2048;
    pub const DISABLED: i64 = 4096;
}

/// Bits of a unit that is no longer there.
pub const ABSENT_STATUS: i64 = unit_status::DESTROYED | unit_status::SCUTTLED | unit_status::EXITED;
/// Bits of a unit that no longer fights.
pub const INEFFECTIVE_STATUS: i64 =
    ABSENT_STATUS | unit_status::SURRENDERED | unit_status::CAPTURED | unit_status::DISABLED;
/// Bit `1 << layer` of every layer.
pub const ALL_LAYERS_MASK: i64 = 0b111;
/// A unit that is not in transit; a track whose layer is unknown.
pub const NO_LAYER: i64 = 3;
/// Subsystems of a hull.
pub const SYSTEMS: usize = 5;
/// Ways of sensing.
pub const MODALITIES: usize = 6;

/// Puts a system's fraction into words.
#[must_use]
pub fn component_status(fraction: f64) -> i64 {
    if fraction >= 0.75 {
        component_status::OPERATIONAL
    } else if fraction >= 0.25 {
        component_status::DAMAGED
    } else {
        component_status::DESTROYED
    }
}
