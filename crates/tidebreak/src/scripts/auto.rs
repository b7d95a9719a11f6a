//! The script that suits a unit's class and objective.

use super::registry::Script;
use crate::codes::objective_type;
use crate::orders::Order;
use crate::state::{Battle, Unit};

/// Acts as the suitable script would.
#[must_use]
pub fn auto(battle: &Battle, unit: usize) -> Order {
    suitable_script(&battle.units[unit]).order(battle, unit)
}

/// An objective decides before the class; hulls without a class are submarines or attack.
#[must_use]
pub fn suitable_script(unit: &Unit) -> Script {
    match unit.spec.objective.as_ref().map(|task| task.r#type) {
        Some(objective_type::PROTECT | objective_type::SCREEN) => return Script::Escort,
        Some(objective_type::EVADE | objective_type::DELIVER) => return Script::Evader,
        _ => {}
    }
    match unit.spec.hull.class_name.as_str() {
        "attack_sub" | "deep_runner" => Script::Ambusher,
        "freighter" => Script::Evader,
        "assault_transport" => Script::Boarder,
        "carrier" => Script::Kiter,
        _ if unit.spec.hull.is_submarine => Script::Ambusher,
        _ => Script::Aggressor,
    }
}
