//! What a critical hit breaks, and changes of the hull that other rules ask for.

use kernel::numerics::clamp;

use crate::codes::{layer, system};
use crate::components::Hull;
use crate::events::{EventKind, News};
use crate::outputs::{Modify, Place};
use crate::state::{Battle, Unit};
use crate::systems::compartments::average_over_compartments;
use crate::systems::criticals::{CEILING_PER_LOSS, Critical, FIRE_OR_FLOOD, SEVERITY};

/// Fire and flood above this show.
pub const SHOWS_FROM: f64 = 0.05;

/// Carries out a critical effect; fire and water start in the struck compartment, if there is one.
pub fn break_something(
    battle: &mut Battle,
    unit: usize,
    effect: Critical,
    compartment: Option<usize>,
    damage_event: i64,
) {
    let struck = &battle.units[unit];
    let is_afloat = struck.layer.layer == layer::SURFACE;
    let effect = if effect == Critical::Fire && !is_afloat { Critical::Flood } else { effect };
    let (id, severity) = (struck.identity.id, SEVERITY[struck.identity.tier as usize]);
    let event =
        battle.record(News { target: id, cause: damage_event, i0: effect as i64, ..News::of(EventKind::Critical) });
    let hull = &mut battle.units[unit].hull;
    match effect {
        Critical::Propulsion => lose_system(hull, system::PROPULSION, severity),
        Critical::Ballast => lose_system(hull, system::BALLAST, severity),
        Critical::Weapons => lose_system(hull, system::WEAPONS, severity),
        Critical::Sensors => lose_system(hull, system::SENSORS, severity),
        Critical::Power => lose_system(hull, system::POWER, severity),
        Critical::Fire => start_fire(battle, unit, compartment, event),
        Critical::Flood => start_flooding(battle, unit, compartment, event),
    }
}

/// Adds to a field of the hull, within its range; fire and flood go to every compartment alike.
pub fn modify_hull(battle: &mut Battle, unit: usize, change: &Modify) {
    let changed = &mut battle.units[unit];
    let hp_max = changed.spec.hull.hp_max;
    let hull = &mut changed.hull;
    match change.place {
        Place::HullHp => hull.hp = clamp(hull.hp + change.delta, 0.0, hp_max),
        Place::HullSystem(system) => hull.systems[system] = clamp(hull.systems[system] + change.delta, 0.0, 1.0),
        Place::HullCeiling(system) => hull.ceilings[system] = clamp(hull.ceilings[system] + change.delta, 0.0, 1.0),
        Place::HullFire | Place::HullFlood => modify_everywhere(battle, unit, change),
        Place::StoresFuel => {}
    }
}

fn lose_system(hull: &mut Hull, system: usize, severity: f64) {
    hull.systems[system] = clamp(hull.systems[system] - severity, 0.0, 1.0);
    hull.ceilings[system] = clamp(hull.ceilings[system] - severity * CEILING_PER_LOSS, 0.0, 1.0);
}

fn start_fire(battle: &mut Battle, unit: usize, compartment: Option<usize>, cause: i64) {
    let struck = &mut battle.units[unit];
    let was_burning = struck.hull.fire > SHOWS_FROM;
    let fire = match compartment {
        Some(index) => &mut struck.compartments[index].fire,
        None => &mut struck.hull.fire,
    };
    *fire = clamp(*fire + FIRE_OR_FLOOD, 0.0, 1.0);
    settle_means(struck);
    let (id, fire) = (struck.identity.id, struck.hull.fire);
    if fire > SHOWS_FROM && !was_burning {
        battle.record(News { target: id, cause, f0: fire, ..News::of(EventKind::FireStarted) });
    }
}

fn start_flooding(battle: &mut Battle, unit: usize, compartment: Option<usize>, cause: i64) {
    let struck = &mut battle.units[unit];
    let was_flooding = struck.hull.flood > SHOWS_FROM;
    let flood = match compartment {
        Some(index) => &mut struck.compartments[index].flood,
        None => &mut struck.hull.flood,
    };
    *flood = clamp(*flood + FIRE_OR_FLOOD, 0.0, 1.0);
    settle_means(struck);
    note_flooding(battle, unit, was_flooding, cause);
}

fn modify_everywhere(battle: &mut Battle, unit: usize, change: &Modify) {
    let changed = &mut battle.units[unit];
    let was_flooding = changed.hull.flood > SHOWS_FROM;
    let grow = |share: &mut f64| *share = clamp(*share + change.delta, 0.0, 1.0);
    let is_fire = change.place == Place::HullFire;
    if changed.compartments.is_empty() {
        grow(if is_fire { &mut changed.hull.fire } else { &mut changed.hull.flood });
    }
    for compartment in &mut changed.compartments {
        grow(if is_fire { &mut compartment.fire } else { &mut compartment.flood });
    }
    settle_means(changed);
    note_flooding(battle, unit, was_flooding, change.cause);
}

fn settle_means(unit: &mut Unit) {
    if !unit.compartments.is_empty() {
        average_over_compartments(unit);
    }
}

fn note_flooding(battle: &mut Battle, unit: usize, was_flooding: bool, cause: i64) {
    let (id, flood) = (battle.units[unit].identity.id, battle.units[unit].hull.flood);
    if flood > SHOWS_FROM && !was_flooding {
        battle.record(News { target: id, cause, f0: flood, ..News::of(EventKind::FloodingStarted) });
    }
}
