//! Codes as the names that frames write.

use crate::codes::unit_status;

pub const UNIT_KIND_NAMES: [&str; 3] = ["SHIP", "PLATFORM", "SQUADRON"];
pub const SIZE_NAMES: [&str; 4] = ["S", "M", "L", "XL"];
pub const MUNITION_KIND_NAMES: [&str; 6] = ["SALVO", "TORPEDO", "MISSILE", "CHARGE", "MINE", "DECOY"];
pub const CONNECTION_NAMES: [&str; 5] = ["NONE", "APPROACHING", "LATCHING", "DOCKED", "TRANSFERRING"];
pub const IFF_NAMES: [&str; 5] =
    ["UNKNOWN", "FRIENDLY_AUTHENTICATED", "FRIENDLY_ASSUMED", "SUSPECT", "HOSTILE_DECLARED"];
pub const STORM_PROFILE_NAMES: [&str; 3] = ["UNIFORM", "GRADIENT", "CYCLONIC"];
pub const WEAPON_GROUP_NAMES: [&str; 7] = ["AUTOMATIC", "GUN", "TORPEDO", "MISSILE", "ASW", "MINE", "AIR"];
pub const STATUS_NAMES: [(i64, &str); 13] = [
    (unit_status::MOBILITY_DISABLED, "MOBILITY_DISABLED"),
    (unit_status::WEAPONS_DISABLED, "WEAPONS_DISABLED"),
    (unit_status::SENSORS_DISABLED, "SENSORS_DISABLED"),
    (unit_status::DESTROYED, "DESTROYED"),
    (unit_status::ON_FIRE, "ON_FIRE"),
    (unit_status::FLOODING, "FLOODING"),
    (unit_status::SURRENDERED, "SURRENDERED"),
    (unit_status::DEAD_IN_WATER, "DEAD_IN_WATER"),
    (unit_status::GROUNDED, "GROUNDED"),
    (unit_status::EXITED, "EXITED"),
    (unit_status::CAPTURED, "CAPTURED"),
    (unit_status::SCUTTLED, "SCUTTLED"),
    (unit_status::DISABLED, "DISABLED"),
];
