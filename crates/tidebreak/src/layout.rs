//! Places of the observation: three blocks in one row, and what stands where inside each.
//!
//! A block's entries are counted from its own start.

#![expect(missing_docs, reason = "a place is its name")]

pub use crate::components::CONTACT_ROWS;

pub const CONTACT_COLUMNS: usize = 24;
pub const HOSTILE_ROWS: usize = 10;
pub const MATE_ROWS: usize = 4;
pub const MUNITION_ROWS: usize = 2;
pub const FIRST_MATE_ROW: usize = HOSTILE_ROWS;
pub const FIRST_MUNITION_ROW: usize = HOSTILE_ROWS + MATE_ROWS;
pub const COMPACT_HOSTILE_ROWS: usize = 6;
pub const COMPACT_CONTACT_ROWS: usize = COMPACT_HOSTILE_ROWS + MATE_ROWS + MUNITION_ROWS;

/// Index of each entry of `own_state`, or of the first entry of a group.
pub mod own {
    pub const X: usize = 0;
    pub const Y: usize = 1;
    pub const SIN_HEADING: usize = 2;
    pub const COS_HEADING: usize = 3;
    pub const SPEED_AHEAD: usize = 4;
    pub const SPEED_LEFT: usize = 5;
    pub const TURN: usize = 6;
    pub const THROTTLE: usize = 7;
    pub const RUDDER: usize = 8;
    pub const SPEED_LIMIT: usize = 9;
    pub const HP: usize = 10;
    pub const ARMOUR: usize = 11;
    pub const FUEL: usize = 12;
    pub const MORALE: usize = 13;
    pub const CREW: usize = 14;
    pub const GUNNERY: usize = 15;
    pub const ENGINEERING: usize = 16;
    pub const FATIGUE: usize = 17;
    pub const LAYER: usize = 18;
    pub const IS_CHANGING_LAYER: usize = 21;
    pub const TRANSIT_SHARE: usize = 22;
    pub const TRANSIT_DIRECTION: usize = 23;
    pub const EMISSIONS: usize = 24;
    pub const SOURCE_LEVEL: usize = 27;
    pub const IS_DETECTED: usize = 28;
    pub const SYSTEMS: usize = 29;
    pub const FIRE: usize = 34;
    pub const FLOOD: usize = 35;
    pub const READY: usize = 36;
    pub const AMMO: usize = 42;
    pub const SIZE: usize = 48;
}

/// Index of each column of a row of `contacts`.
pub mod contact {
    pub const VALID: usize = 0;
    pub const SIN_BEARING: usize = 1;
    pub const COS_BEARING: usize = 2;
    pub const RANGE: usize = 3;
    pub const CLOSING_SPEED: usize = 4;
    pub const CROSS_SPEED: usize = 5;
    pub const SIN_COURSE: usize = 6;
    pub const COS_COURSE: usize = 7;
    pub const SIGMA: usize = 8;
    pub const AGE: usize = 9;
    pub const QUALITY: usize = 10;
    pub const BEARING_ONLY: usize = 14;
    pub const LAYER: usize = 15;
    pub const HOSTILE: usize = 18;
    pub const FRIEND: usize = 19;
    pub const SIZE_CLASS: usize = 20;
    pub const IS_MUNITION: usize = 21;
    pub const CAN_ENGAGE: usize = 22;
    pub const IS_DESIGNATED: usize = 23;
    pub const SIZE: usize = super::CONTACT_COLUMNS;
}

/// Index of each entry of `environment`, or of the first entry of a group.
pub mod env {
    pub const TIME_LEFT: usize = 0;
    pub const SEA_STATE: usize = 1;
    pub const VISIBILITY: usize = 2;
    pub const PRECIPITATION: usize = 3;
    pub const WIND: usize = 4;
    pub const LIGHTNING: usize = 6;
    pub const CURRENT: usize = 7;
    pub const DEPTH: usize = 9;
    pub const LAYERS_ALLOWED: usize = 10;
    pub const THERMOCLINE: usize = 13;
    pub const NOISE: usize = 14;
    pub const HAZARD: usize = 15;
    pub const OBSTACLE: usize = 16;
    pub const EDGE: usize = 19;
    pub const STORM: usize = 20;
    pub const FRIENDLY_COST: usize = 24;
    pub const HOSTILE_TRACKS: usize = 25;
    pub const OWN_COST: usize = 26;
    pub const BOARDING: usize = 27;
    pub const OBJECTIVE_TYPE: usize = 28;
    pub const HAS_TARGET: usize = 42;
    pub const TARGET: usize = 43;
    pub const HAS_ASSET: usize = 48;
    pub const ASSET: usize = 49;
    pub const HAS_ZONE: usize = 54;
    pub const ZONE: usize = 55;
    pub const HAS_DESTINATION: usize = 59;
    pub const DESTINATION: usize = 60;
    pub const PRIORITY: usize = 63;
    pub const DEADLINE: usize = 64;
    pub const PROGRESS: usize = 65;
    pub const OBJECTIVE_ACTIVE: usize = 66;
    pub const OBJECTIVE_COMPLETED: usize = 67;
    pub const FOVEATED: usize = 68;
    pub const SIZE: usize = 180;
}

pub const FOVEATED_SECTORS: usize = 28;
pub const FOVEATED_FIELDS: usize = 4;
pub const COMPACT_ENVIRONMENT: usize = env::FOVEATED;
pub const OBS_WIDTH: usize = own::SIZE + CONTACT_ROWS * CONTACT_COLUMNS + env::SIZE;
pub const COMPACT_OBS_WIDTH: usize = own::SIZE + COMPACT_CONTACT_ROWS * CONTACT_COLUMNS + COMPACT_ENVIRONMENT;
