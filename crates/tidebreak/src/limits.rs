//! Sizes and limits of a battle that the arena itself holds to; the rest is checked where packages are read.

/// Teams at most.
pub const TEAMS_MAX: usize = 4;
/// Units at the start, platforms included.
pub const UNITS_MAX: usize = 64;
/// Squadrons alive at once.
pub const SQUADRONS_MAX: usize = 32;
/// Munitions alive at once.
pub const MUNITIONS_MAX: usize = 512;
/// Weapons of a unit.
pub const MOUNTS_MAX: usize = 12;
/// Tracks of a unit.
pub const TRACKS_MAX: usize = 64;
/// Storms of a map.
pub const STORMS_MAX: usize = 8;
/// Zones of a map.
pub const ZONES_MAX: usize = 32;
/// Nodes along a side of a current grid.
pub const CURRENT_NODES: usize = 17;
