//! A munition that strikes a unit: the HIT event and the damage that follows from it.

use kernel::numerics::atan2;
use morphospace::Effect;

use crate::components::Munition;
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Outputs, Plugin, StampField};
use crate::state::Battle;

/// Sends damage on its way to a unit; the bearing of `came_from` from the target is the direction of the hit.
pub fn strike(
    battle: &mut Battle,
    munition: &Munition,
    target: usize,
    amount: f64,
    came_from: (f64, f64),
    outputs: &mut Outputs,
) {
    let weapon = &battle.spec.weapons[munition.weapon_code as usize];
    let (code, damage_type, city_killer) = (weapon.code, weapon.damage_type, weapon.city_killer);
    let struck = &battle.units[target];
    let target_id = struck.identity.id;
    let direction = atan2(came_from.1 - struck.transform.y, came_from.0 - struck.transform.x);
    let hit = battle.record(News {
        source: munition.owner_id,
        target: target_id,
        cause: munition.fired_event,
        f0: amount,
        i0: code,
        ..News::of(EventKind::Hit)
    });
    outputs.emit(
        Plugin::Guidance,
        Damage { city_killer, cause: hit, ..Damage::new(munition.owner_id, target_id, amount, damage_type, direction) },
    );
}

/// Leaves noise and sediment where something went off below the surface.
pub fn stamp_underwater(munition: &Munition, x: f64, y: f64, outputs: &mut Outputs) {
    outputs.emit(Plugin::Guidance, StampField { source: munition.id, effect: Effect::ExplosionUnderwater, at: [x, y] });
}
