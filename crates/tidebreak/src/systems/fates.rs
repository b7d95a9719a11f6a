//! What becomes of a hull whose hit points run out, by its size.

use kernel::numerics::fmax;
use morphospace::Effect;

use crate::codes::{size_class, system, unit_kind, unit_status};
use crate::events::{EventKind, News};
use crate::outputs::{Outputs, Plugin, StampField};
use crate::state::Battle;
use crate::systems::compartments::usable;

/// Of `hp_max`, as all shares here.
const MEDIUM_DISABLED_BELOW: f64 = 0.15;
const MEDIUM_DEAD_PROPULSION: f64 = 0.1;
const LARGE_SINKS_FLOOD: f64 = 0.6;
const LARGE_HELD_HP: f64 = 1.0;
const LARGE_DISABLED_AT: f64 = 0.2;
const CITY_HELD_SHARE: f64 = 0.05;
const CITY_DISABLED_AT: f64 = 0.25;

/// Destroys or disables a unit that has come to that; `city_killer` is of the damage it has just taken.
pub fn settle_fate(battle: &mut Battle, place: usize, outputs: &mut Outputs, city_killer: bool) {
    let unit = &mut battle.units[place];
    let (hp, hp_max) = (unit.hull.hp, unit.spec.hull.hp_max);
    match unit.identity.size {
        size_class::S => {
            if hp <= 0.0 {
                destroy(battle, place, outputs);
            }
        }
        size_class::M => {
            if hp <= 0.0 {
                destroy(battle, place, outputs);
            } else if hp < MEDIUM_DISABLED_BELOW * hp_max && usable(unit, system::PROPULSION) < MEDIUM_DEAD_PROPULSION {
                disable(battle, place);
            }
        }
        size_class::L => {
            if hp <= 0.0 && unit.hull.flood >= LARGE_SINKS_FLOOD {
                destroy(battle, place, outputs);
                return;
            }
            if hp <= 0.0 {
                unit.hull.hp = LARGE_HELD_HP;
            }
            if unit.hull.hp <= LARGE_DISABLED_AT * hp_max {
                disable(battle, place);
            }
        }
        _ => {
            if hp <= 0.0 && city_killer {
                destroy(battle, place, outputs);
                return;
            }
            if hp <= CITY_DISABLED_AT * hp_max {
                disable(battle, place);
            }
            battle.units[place].hull.hp = fmax(hp, CITY_HELD_SHARE * hp_max);
        }
    }
}

/// Takes a unit out of the battle, names its destroyer and leaves the traces of its end.
pub fn destroy(battle: &mut Battle, place: usize, outputs: &mut Outputs) {
    let unit = &mut battle.units[place];
    unit.hull.hp = 0.0;
    unit.mark(unit_status::DESTROYED);
    let (id, team, at) = (unit.identity.id, unit.identity.team, [unit.transform.x, unit.transform.y]);
    let (destroyer_id, cause) = (unit.memory.last_damage_by, unit.memory.last_damage_event);
    if unit.identity.kind == unit_kind::SQUADRON {
        battle.record(News { source: destroyer_id, target: id, cause, ..News::of(EventKind::SquadronLost) });
        return;
    }
    battle.record(News { source: destroyer_id, target: id, cause, ..News::of(EventKind::Destroyed) });
    if let Some(destroyer) = battle.place_of(destroyer_id) {
        let destroyer = &mut battle.units[destroyer];
        if destroyer.identity.team != team {
            destroyer.tally.kills += 1;
        }
    }
    credit_loss(battle, place);
    outputs.emit(Plugin::DamageControl, StampField { source: id, effect: Effect::Sinking, at });
}

/// Puts a unit out of the fight for the rest of the battle; once is enough.
pub fn disable(battle: &mut Battle, place: usize) {
    let unit = &mut battle.units[place];
    if unit.has(unit_status::DISABLED) {
        return;
    }
    unit.mark(unit_status::DISABLED);
    let (id, by, cause) = (unit.identity.id, unit.memory.last_damage_by, unit.memory.last_damage_event);
    battle.record(News { source: by, target: id, cause, ..News::of(EventKind::Disabled) });
    credit_loss(battle, place);
}

/// Credits the cost of a lost unit, once, to the enemy that damaged it last.
pub fn credit_loss(battle: &mut Battle, place: usize) {
    let unit = &battle.units[place];
    let (team, cost) = (unit.identity.team, unit.spec.hull.cost);
    let Some(victor) = battle.place_of(unit.memory.last_damage_by) else {
        return;
    };
    if unit.memory.is_loss_paid || battle.units[victor].identity.team == team {
        return;
    }
    battle.units[place].memory.is_loss_paid = true;
    battle.units[victor].scratch.credited_cost += cost;
}
