//! Damage arrives: armor, hit points, people, critical hits, fates, and who gets the credit.

use kernel::numerics::{fmax, wrap};
use morphospace::{Effect, blast_intensity};

use crate::codes::{damage_type, size_class, system, unit_status};
use crate::components::IN_TRANSIT;
use crate::draws::{Stream, choice, uniform};
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Outputs, Plugin, StampField};
use crate::state::{Battle, Unit};
use crate::systems::armour::effective_damage;
use crate::systems::breakage::{SHOWS_FROM, break_something};
use crate::systems::casualties::{crew_loss, lose_crew};
use crate::systems::compartments::{
    HULL_COMPARTMENTS, INNER_CHANCE, INNER_DISTRICTS, lose_integrity, struck_compartment, usable,
};
use crate::systems::criticals::{critical_chance, critical_effect};
use crate::systems::fates::settle_fate;

const DISABLED_BELOW: f64 = 0.25;
const DEAD_IN_WATER_BELOW: f64 = 0.1;

/// Lets every damage of the phase arrive, by source and then in the order it was caused.
pub fn resolve_damage(battle: &mut Battle, outputs: &mut Outputs) {
    let damages = outputs.take::<Damage>();
    for (_, damage) in &damages {
        let place = battle.place(damage.target);
        if battle.units[place].is_present() && damage.amount > 0.0 {
            suffer(battle, place, damage, outputs);
        }
    }
    outputs.put_back(damages);
}

/// Settles the fates that the tick has led to and derives the status bits that follow from the hull.
pub fn finish_hulls(battle: &mut Battle, outputs: &mut Outputs) {
    for place in 0..battle.units.len() {
        if !battle.units[place].is_present() {
            continue;
        }
        settle_fate(battle, place, outputs, false);
        let unit = &mut battle.units[place];
        let propulsion = usable(unit, system::PROPULSION);
        let (weapons, sensors) = (usable(unit, system::WEAPONS), usable(unit, system::SENSORS));
        let (fire, flood) = (unit.hull.fire, unit.hull.flood);
        show(unit, unit_status::MOBILITY_DISABLED, propulsion < DISABLED_BELOW);
        show(unit, unit_status::WEAPONS_DISABLED, weapons < DISABLED_BELOW);
        show(unit, unit_status::SENSORS_DISABLED, sensors < DISABLED_BELOW);
        show(unit, unit_status::ON_FIRE, fire > SHOWS_FROM);
        show(unit, unit_status::FLOODING, flood > SHOWS_FROM);
        show(unit, unit_status::DEAD_IN_WATER, propulsion < DEAD_IN_WATER_BELOW);
    }
}

fn suffer(battle: &mut Battle, place: usize, damage: &Damage, outputs: &mut Outputs) {
    let unit = &mut battle.units[place];
    let effective = effective_of(unit, damage);
    unit.hull.hp = fmax(0.0, unit.hull.hp - effective);
    if unit.layer.mode == IN_TRANSIT {
        unit.layer.trans_damage += effective;
    }
    let event = note(battle, place, damage, effective);
    credit(battle, place, damage, effective);
    if damage.can_crit {
        hit(battle, place, damage, effective, event);
    }
    if is_explosion(damage) {
        let unit = &battle.units[place];
        let effect = Effect::ExplosionSurface { intensity: blast_intensity(effective) };
        outputs.emit(
            Plugin::Guidance,
            StampField { source: unit.identity.id, effect, at: [unit.transform.x, unit.transform.y] },
        );
    }
    settle_fate(battle, place, outputs, damage.city_killer);
}

fn effective_of(unit: &Unit, damage: &Damage) -> f64 {
    if !damage.can_crit && !damage.is_hazard {
        return damage.amount;
    }
    let armour = if damage.ignores_armour { 0.0 } else { unit.spec.hull.armour };
    effective_damage(damage.amount, damage.r#type, armour, unit.layer.mode == IN_TRANSIT)
}

/// Records the event; what burns and floods tick by tick has none of its own.
fn note(battle: &mut Battle, place: usize, damage: &Damage, effective: f64) -> i64 {
    let unit = &battle.units[place];
    if !damage.can_crit && damage.cause == 0 {
        return unit.memory.last_damage_event;
    }
    let (id, hp) = (unit.identity.id, unit.hull.hp);
    let event = battle.record(News {
        source: damage.source,
        target: id,
        cause: damage.cause,
        f0: effective,
        f1: hp,
        i0: damage.r#type,
        ..News::of(EventKind::Damage)
    });
    battle.units[place].memory.last_damage_event = event;
    event
}

fn credit(battle: &mut Battle, place: usize, damage: &Damage, effective: f64) {
    let unit = &mut battle.units[place];
    unit.tally.damage_taken += effective;
    unit.scratch.effective_taken += effective;
    if damage.is_hazard {
        unit.tally.hazard_damage += effective;
        unit.scratch.hazard_damage += effective;
    }
    if damage.source == unit.identity.id {
        return;
    }
    unit.memory.last_damage_by = damage.source;
    let team = unit.identity.team;
    let worth = effective / unit.spec.hull.hp_max * unit.spec.hull.cost;
    let source = battle.place(damage.source);
    let source = &mut battle.units[source];
    source.tally.damage_dealt += effective;
    source.tally.hits += 1;
    source.memory.harmed_at[team as usize] = battle.tick;
    if source.identity.team == team {
        source.scratch.dealt_own += worth;
    } else {
        source.scratch.dealt += worth;
    }
}

/// What a hit does beyond taking hit points: it costs people, opens a compartment and may break something.
fn hit(battle: &mut Battle, place: usize, damage: &Damage, effective: f64, event: i64) {
    let unit = &mut battle.units[place];
    let (id, hp_max, hit) = (unit.identity.id, unit.spec.hull.hp_max, unit.scratch.hits_taken);
    unit.scratch.hits_taken += 1;
    let loss = crew_loss(unit.spec.crew.crew_start, effective, hp_max);
    lose_crew(unit, loss);
    let compartment = compartment_of(battle, &battle.units[place], damage.direction, hit);
    if let Some(compartment) = compartment {
        lose_integrity(&mut battle.units[place], compartment, effective);
    }
    if uniform(battle, Stream::Damage, id, hit, 0) < critical_chance(effective, hp_max) {
        let effect = critical_effect(damage.r#type, uniform(battle, Stream::Damage, id, hit, 1));
        break_something(battle, place, effect, compartment, event);
    }
}

fn compartment_of(battle: &Battle, unit: &Unit, direction: f64, hit: i64) -> Option<usize> {
    if unit.compartments.is_empty() {
        return None;
    }
    let id = unit.identity.id;
    if unit.identity.size == size_class::XL && uniform(battle, Stream::Damage, id, hit, 2) < INNER_CHANCE {
        return Some(HULL_COMPARTMENTS + choice(battle, Stream::Damage, id, hit, 3, INNER_DISTRICTS as u64));
    }
    Some(struck_compartment(wrap(direction - unit.transform.heading)))
}

/// Whether it is a shell or missile that goes off on a hull; what bursts in the water stamps by itself.
fn is_explosion(damage: &Damage) -> bool {
    let is_weapon = damage.source != damage.target && !damage.ignores_armour;
    is_weapon && matches!(damage.r#type, damage_type::KINETIC | damage_type::EXPLOSIVE)
}

fn show(unit: &mut Unit, bit: i64, is_set: bool) {
    if is_set {
        unit.mark(bit);
    } else {
        unit.unmark(bit);
    }
}
