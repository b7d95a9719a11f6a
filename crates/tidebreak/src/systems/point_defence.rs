//! Point defense: every mount engages the nearest hostile missile or squadron by itself.

use kernel::numerics::hyp;

use crate::codes::{munition_kind, unit_kind, weapon_group};
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, NO_EVENT, News};
use crate::outputs::{Emitter, FireGroup};
use crate::state::Battle;
use crate::systems::ballistics::effective_gunnery;
use crate::systems::fire_conditions::{mount_refusal, weapon_at};
use crate::systems::spending::spend;
use crate::systems::squadrons::lose_craft;

const KILL_CHANCE: f64 = 0.12;

/// Orders every mount that can shoot to engage the nearest target within its range.
pub fn point_defence(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    // Which target is nearest does not depend on the mount, only whether it is near enough.
    let Some((distance_m, target)) = nearest_target(battle, unit) else { return };
    let own = &battle.units[unit];
    for (place, mount) in own.spec.mounts.iter().enumerate() {
        let weapon = weapon_at(battle, unit, place);
        let can_reach = weapon.group == weapon_group::AUTOMATIC && distance_m <= weapon.range_m;
        if can_reach && mount_refusal(battle, unit, place).is_none() {
            emit.emit(FireGroup { source: own.id(), group: weapon_group::AUTOMATIC, track_id: mount.slot, target });
        }
    }
}

/// Probability that one shot brings its target down; `gunnery` is the effective one.
#[must_use]
pub fn kill_chance(gunnery: f64) -> f64 {
    KILL_CHANCE * (0.6 + 0.8 * gunnery)
}

/// Fires one shot; a mount whose target another has already brought down holds its fire.
pub fn shoot_down(battle: &mut Battle, unit: usize, slot: i64, target_id: i64) {
    let missile = battle.munition_place(target_id);
    let squadron = battle.place_of(target_id).filter(|&place| battle.units[place].is_present());
    if missile.is_none() && squadron.is_none() {
        return;
    }
    let own = &mut battle.units[unit];
    let place = own.spec.mounts.iter().position(|mount| mount.slot == slot).expect("the slot of a mount");
    if own.mounts[place].ammo > 0 {
        own.mounts[place].ammo -= 1;
    }
    let source = own.id();
    let chance = kill_chance(effective_gunnery(own.crew.gunnery, own.crew.fatigue));
    if uniform(battle, Stream::PointDefence, source, slot, 0) >= chance {
        return;
    }
    let cause = missile.map_or(NO_EVENT, |missile| battle.munitions[missile].fired_event);
    let killed = battle.record(News { source, target: target_id, cause, i0: slot, ..News::of(EventKind::PdKill) });
    if let Some(missile) = missile {
        let missile = battle.munitions.remove(missile);
        spend(battle, &missile, false, killed);
    } else if let Some(squadron) = squadron {
        lose_craft(battle, squadron, unit, killed);
    }
}

/// Distance and id of the nearest hostile missile or squadron; ties go to the lower id.
fn nearest_target(battle: &Battle, unit: usize) -> Option<(f64, i64)> {
    let own = &battle.units[unit];
    let missiles = battle
        .munitions
        .iter()
        .filter(|munition| munition.kind == munition_kind::MISSILE)
        .map(|missile| (missile.team, missile.x, missile.y, missile.id));
    let squadrons = battle.units[battle.starting_units()..]
        .iter()
        .filter(|unit| unit.is_present() && unit.identity.kind == unit_kind::SQUADRON)
        .map(|squadron| (squadron.team(), squadron.x(), squadron.y(), squadron.id()));
    let mut nearest: Option<(f64, i64)> = None;
    for (team, x, y, id) in missiles.chain(squadrons) {
        if battle.are_enemies(own.team(), team) {
            let distance_m = hyp(x - own.x(), y - own.y());
            if nearest
                .is_none_or(|(least_m, least_id)| distance_m < least_m || (distance_m == least_m && id < least_id))
            {
                nearest = Some((distance_m, id));
            }
        }
    }
    nearest
}
