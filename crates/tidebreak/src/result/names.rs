//! Codes as the names that results write.

use crate::codes::SYSTEMS;
use crate::result::json::Json;

pub const LAYER_NAMES: [&str; 3] = ["SURFACE", "SUBMERGED", "ABYSSAL"];
pub const SYSTEM_NAMES: [&str; SYSTEMS] = ["PROPULSION", "WEAPONS", "SENSORS", "POWER", "BALLAST"];
pub const SHIP_FATE_NAMES: [&str; 5] = ["OPERATIONAL", "DISABLED", "DESTROYED", "SCUTTLED", "CAPTURED"];
pub const CAPTURE_METHOD_NAMES: [&str; 3] = ["NONE", "BOARDED", "SURRENDERED"];
pub const BOARDING_STATUS_NAMES: [&str; 4] = ["NONE", "ATTEMPTED", "ESTABLISHED", "REPULSED"];
pub const COMPONENT_STATUS_NAMES: [&str; 3] = ["OPERATIONAL", "DAMAGED", "DESTROYED"];
pub const OBJECTIVE_STATUS_NAMES: [&str; 4] = ["ACTIVE", "COMPLETED", "FAILED", "SUPERSEDED"];
pub const END_REASON_NAMES: [&str; 5] = ["ELIMINATION", "TIME_LIMIT", "ALL_OUT", "OBJECTIVE", "ABORTED"];
pub const OBJECTIVE_TYPE_NAMES: [&str; 14] = [
    "DESTROY",
    "DISABLE",
    "RAID",
    "INTERCEPT",
    "PROTECT",
    "SCREEN",
    "CAPTURE",
    "EVADE",
    "SHADOW",
    "LOITER",
    "SCOUT",
    "DELIVER",
    "RECOVER",
    "EVACUATE",
];

/// The name of a code; a code without one, which only a damaged snapshot can bring, is told as it is.
pub fn name_of(names: &[&str], code: i64) -> Json {
    usize::try_from(code).ok().and_then(|place| names.get(place)).map_or_else(|| code.into(), |&name| name.into())
}
