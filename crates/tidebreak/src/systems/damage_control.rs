//! Each tick aboard: what burns and floods eats the hull, and damage control works against it.

use std::cmp::Ordering;

use kernel::numerics::{fmax, fmin};

use crate::codes::{damage_type, dc_focus, unit_kind};
use crate::components::Compartment;
use crate::outputs::{Damage, Emitter, Modify, Outputs};
use crate::state::{Battle, Unit};
use crate::systems::breakage::modify_hull;
use crate::systems::casualties::alive_share;
use crate::systems::compartments::{DISTRICTS, average_over_compartments, spread_fire_and_flood};

/// Of `hp_max` per tick, as the next.
const BURNS: f64 = 0.002;
const DROWNS: f64 = 0.0015;
const FIRE_RATE: f64 = 0.004;
const FLOOD_RATE: f64 = 0.002;
const REPAIR_RATE: f64 = 0.001;
const FOCUSED: f64 = 3.0;
const NEGLECTED: f64 = 0.5;

/// What damage control does in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Taken from fire.
    pub fire: f64,
    /// Taken from flood.
    pub flood: f64,
    /// Given to every system.
    pub repair: f64,
}

/// Burning and flooding eat hit points, past any armor.
pub fn damage_control(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let unit = &battle.units[unit];
    let (burning, drowning) = (BURNS * unit.hull.fire, DROWNS * unit.hull.flood);
    if burning + drowning > 0.0 {
        let amount = unit.spec.hull.hp_max * (burning + drowning);
        let kind = if drowning > burning { damage_type::UNDERWATER } else { damage_type::THERMAL };
        emit.emit(Damage {
            ignores_armour: true,
            can_crit: false,
            ..Damage::new(unit.id(), unit.id(), amount, kind, unit.heading())
        });
    }
}

/// Carries out changes of hulls that others ask for, then lets fire and water spread and crews fight them.
pub fn resolve_sustain(battle: &mut Battle, outputs: &mut Outputs) {
    let changes = outputs.take::<Modify>();
    for (_, change) in &changes {
        if change.place.is_of_hull() {
            modify_hull(battle, battle.place(change.target), change);
        }
    }
    outputs.put_back(changes);
    for unit in &mut battle.units {
        if unit.is_present() && unit.identity.kind != unit_kind::SQUADRON {
            sustain(unit);
        }
    }
}

/// How well the crew does damage control; 1 for an average crew that is whole and rested.
#[must_use]
pub fn strength(unit: &Unit) -> f64 {
    (0.5 + unit.crew.engineering) * alive_share(unit) * (1.0 - 0.3 * unit.crew.fatigue)
}

/// Work per tick of a crew of this strength.
#[must_use]
pub fn rates(focus: i64, dc: f64) -> Rates {
    Rates {
        fire: FIRE_RATE * factor(focus, dc_focus::FIRE) * dc,
        flood: FLOOD_RATE * factor(focus, dc_focus::FLOOD) * dc,
        repair: REPAIR_RATE * factor(focus, dc_focus::REPAIR) * dc,
    }
}

fn factor(focus: i64, own: i64) -> f64 {
    if focus == dc_focus::BALANCED {
        1.0
    } else if focus == own {
        FOCUSED
    } else {
        NEGLECTED
    }
}

fn sustain(unit: &mut Unit) {
    let work = rates(unit.posture.dc_focus, strength(unit));
    if unit.compartments.is_empty() {
        unit.hull.fire = fmax(0.0, unit.hull.fire - work.fire);
        unit.hull.flood = fmax(0.0, unit.hull.flood - work.flood);
    } else {
        spread_fire_and_flood(unit);
        fight_fires(&mut unit.compartments, work.fire);
        pump(&mut unit.compartments, work.flood);
        average_over_compartments(unit);
    }
    repair(unit, work.repair);
}

/// Spends the whole hull's budget on the compartment that burns most, then on the next.
fn fight_fires(compartments: &mut [Compartment], rate: f64) {
    let mut budget = rate * compartments.len() as f64;
    for &place in &worst_first(compartments, |compartment| compartment.fire)[..compartments.len()] {
        let compartment = &mut compartments[place];
        let spent = fmin(budget, compartment.fire);
        compartment.fire -= spent;
        budget -= spent;
    }
}

/// The same for water; a breach is stopped once its compartment is dry.
fn pump(compartments: &mut [Compartment], rate: f64) {
    let mut budget = rate * compartments.len() as f64;
    for &place in &worst_first(compartments, |compartment| compartment.flood)[..compartments.len()] {
        let compartment = &mut compartments[place];
        let spent = fmin(budget, compartment.flood);
        compartment.flood -= spent;
        budget -= spent;
        if compartment.breached && spent > 0.0 && compartment.flood == 0.0 {
            compartment.breached = false;
        }
    }
}

/// Places of the compartments by descending value, ties by ascending place.
fn worst_first(compartments: &[Compartment], value: impl Fn(&Compartment) -> f64) -> [usize; DISTRICTS] {
    let mut places: [usize; DISTRICTS] = std::array::from_fn(|place| place);
    places[..compartments.len()].sort_by(|&one, &other| {
        value(&compartments[other]).partial_cmp(&value(&compartments[one])).unwrap_or(Ordering::Equal)
    });
    places
}

fn repair(unit: &mut Unit, rate: f64) {
    for (system, ceiling) in unit.hull.systems.iter_mut().zip(unit.hull.ceilings) {
        if *system < ceiling {
            *system = fmin(ceiling, *system + rate);
        }
    }
}
