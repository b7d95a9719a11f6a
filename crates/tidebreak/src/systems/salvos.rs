//! Gun salvos: rounds that fall around their aim point when their time of flight is over.

use kernel::numerics::hyp;

use crate::codes::unit_kind;
use crate::components::Munition;
use crate::draws::{Stream, bell};
use crate::events::NO_EVENT;
use crate::outputs::Outputs;
use crate::state::{Battle, Unit};
use crate::systems::fire_conditions::is_anti_air;
use crate::systems::hits::strike;
use crate::systems::spending::spend;

/// Lets time pass; when it is over, lets every round hit what it falls on. Says whether the salvo ends.
pub fn fall(battle: &mut Battle, place: usize, outputs: &mut Outputs) -> bool {
    let dt = battle.rules().dt_s;
    battle.munitions[place].remaining -= dt;
    if battle.munitions[place].remaining > 0.0 {
        return false;
    }
    let salvo = battle.munitions[place];
    let mut hits = 0;
    for round_number in 0..salvo.rounds {
        let (x, y) = fall_point(battle, &salvo, round_number);
        if let Some(target) = unit_under(battle, &salvo, x, y) {
            strike(battle, &salvo, target, salvo.damage, (salvo.x, salvo.y), outputs);
            hits += 1;
        }
    }
    spend(battle, &salvo, hits > 0, NO_EVENT);
    true
}

/// Where one round or burst of a pattern comes down.
#[must_use]
pub fn fall_point(battle: &Battle, munition: &Munition, round_number: i64) -> (f64, f64) {
    let east = bell(battle, Stream::Dispersion, munition.id, round_number, 0);
    let north = bell(battle, Stream::Dispersion, munition.id, round_number, 1);
    (munition.aim_x + munition.spread * east, munition.aim_y + munition.spread * north)
}

/// Whether what falls from the sky or bursts in the water spares a unit.
#[must_use]
pub fn is_exempt(battle: &Battle, munition: &Munition, unit: &Unit) -> bool {
    unit.identity.id == munition.owner_id || (unit.identity.team == munition.team && !battle.rules().friendly_fire)
}

/// Place of the unit nearest to the fall point, if the point is on it.
fn unit_under(battle: &Battle, salvo: &Munition, x: f64, y: f64) -> Option<usize> {
    let mut nearest: Option<usize> = None;
    let mut nearest_m = 0.0;
    for (place, unit) in battle.units.iter().enumerate() {
        if !unit.is_present() || is_exempt(battle, salvo, unit) || !can_fall_on(battle, salvo, unit) {
            continue;
        }
        let distance = hyp(unit.x() - x, unit.y() - y);
        if nearest.is_none() || distance < nearest_m {
            (nearest, nearest_m) = (Some(place), distance);
        }
    }
    nearest.filter(|&place| nearest_m < battle.units[place].spec.hull.radius_m)
}

fn can_fall_on(battle: &Battle, salvo: &Munition, unit: &Unit) -> bool {
    if unit.identity.kind == unit_kind::SQUADRON {
        return is_anti_air(&battle.spec.weapons[salvo.weapon_code as usize]);
    }
    unit.layers_mask() & salvo.target_layers != 0
}
