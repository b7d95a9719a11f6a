//! Torpedoes and missiles on their way, as far as a unit notices them.

use kernel::numerics::hyp;

use crate::codes::munition_kind;
use crate::components::Munition;
use crate::state::{Battle, Unit};

const TORPEDO_HEARD_M: f64 = 2_500.0;
const TORPEDO_SEEN_M: f64 = 800.0;
const MISSILE_SEEN_M: f64 = 6_000.0;

/// Hostile torpedoes and missiles that a unit can sense, each with its distance, by id.
pub fn sensed_munitions<'a>(battle: &'a Battle, unit: &'a Unit) -> impl Iterator<Item = (f64, &'a Munition)> {
    let torpedo_m = torpedo_reach_m(unit);
    let missile_m = if unit.touches_surface() { MISSILE_SEEN_M } else { -1.0 };
    battle.munitions.iter().filter_map(move |munition| {
        let reach_m = match munition.kind {
            munition_kind::TORPEDO => torpedo_m,
            munition_kind::MISSILE => missile_m,
            _ => return None,
        };
        if !battle.are_enemies(unit.identity.team, munition.team) {
            return None;
        }
        let distance_m = hyp(munition.x - unit.transform.x, munition.y - unit.transform.y);
        (distance_m <= reach_m).then_some((distance_m, munition))
    })
}

/// The nearest `N` of the hostile torpedoes and missiles that a unit can sense, then by id.
#[must_use]
pub fn nearest_munitions<'a, const N: usize>(battle: &'a Battle, unit: &'a Unit) -> [Option<&'a Munition>; N] {
    let mut nearest = [None; N];
    let mut distances_m = [f64::INFINITY; N];
    for (distance_m, munition) in sensed_munitions(battle, unit) {
        // They come by id, so that an equally near one stays behind those already there.
        let Some(row) = distances_m.iter().position(|&kept_m| distance_m < kept_m) else { continue };
        nearest.copy_within(row..N - 1, row + 1);
        distances_m.copy_within(row..N - 1, row + 1);
        (nearest[row], distances_m[row]) = (Some(munition), distance_m);
    }
    nearest
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
