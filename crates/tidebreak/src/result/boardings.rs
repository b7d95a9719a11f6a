//! How a boarding came out.

use crate::city_reports::DISTRICT_NAMES;
use crate::codes::{boarding_status, size_class};
use crate::result::json::Json;
use crate::result::names::{BOARDING_STATUS_NAMES, name_of};
use crate::state::{Battle, Unit};

const SHORT_OF_ALL: f64 = 0.99;

/// One boarding of the result.
pub fn boarding_outcome(battle: &Battle, attacker: &Unit) -> Json {
    let (boarding, memory) = (&attacker.boarding, &attacker.memory);
    let carried = attacker.spec.crew.marines as f64;
    let target = battle.unit(boarding.target_id);
    let landed = if carried > 0.0 { least(boarding.transferred / carried, 1.0) } else { 0.0 };
    // Full transfer onto a city means a beachhead, so a failed landing stays short of it.
    let is_city_lost = target.identity.size == size_class::XL && boarding.status != boarding_status::ESTABLISHED;
    let entry_point = usize::try_from(memory.entry_district).ok().map(|district| DISTRICT_NAMES[district]);
    Json::object([
        ("target_ship_id", target.spec.ship_id.as_str().into()),
        ("attacker_team_id", battle.spec.teams[attacker.team() as usize].team_id.as_str().into()),
        ("status", name_of(&BOARDING_STATUS_NAMES, boarding.status)),
        ("attached_duration_s", (boarding.attached_ticks as f64).into()),
        ("transfer_progress", if is_city_lost { least(landed, SHORT_OF_ALL) } else { landed }.into()),
        ("troops_inserted", boarding.transferred.into()),
        ("attacker_casualties", memory.attacker_losses.into()),
        ("defender_casualties", memory.defender_losses.into()),
        ("breach_quality", memory.breach_quality.into()),
        ("entry_point", entry_point.into()),
    ])
}

fn least(value: f64, limit: f64) -> f64 {
    if limit < value { limit } else { value }
}
