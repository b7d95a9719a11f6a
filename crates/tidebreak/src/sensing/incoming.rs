//! Torpedoes and missiles on their way, as far as a unit notices them.

use kernel::numerics::hyp;

use crate::codes::munition_kind;
use crate::state::{Battle, Unit};

const TORPEDO_HEARD_M: f64 = 2_500.0;
const TORPEDO_SEEN_M: f64 = 800.0;
const MISSILE_SEEN_M: f64 = 6_000.0;

/// Hostile torpedoes and missiles that a unit can sense: distances and places, by id.
pub fn sensed_munitions<'a>(battle: &'a Battle, unit: &'a Unit) -> impl Iterator<Item = (f64, usize)> + 'a {
    let torpedo_m = torpedo_reach_m(unit);
    let missile_m = if unit.touches_surface() { MISSILE_SEEN_M } else { -1.0 };
    battle.munitions.iter().enumerate().filter_map(move |(place, munition)| {
        let reach_m = match munition.kind {
            munition_kind::TORPEDO => torpedo_m,
            munition_kind::MISSILE => missile_m,
            _ => return None,
        };
        if !battle.are_enemies(unit.identity.team, munition.team) {
            return None;
        }
        let distance_m = hyp(munition.x - unit.transform.x, munition.y - unit.transform.y);
        (distance_m <= reach_m).then_some((distance_m, place))
    })
}

fn torpedo_reach_m(unit: &Unit) -> f64 {
    if unit.spec.sensors.di_db.is_some() {
        TORPEDO_HEARD_M
    } else if unit.touches_surface() {
        TORPEDO_SEEN_M
    } else {
        -1.0
    }
}
