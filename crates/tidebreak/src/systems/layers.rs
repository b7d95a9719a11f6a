//! Changing depth: orders, the time it takes, and what damage on the way does to it.

use kernel::numerics::{ceil, floor, fmax};

use crate::codes::{damage_type, layer, system, unit_status, weapon_group};
use crate::components::{IN_TRANSIT, LayerState, POPPING_UP, STEADY};
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Emitter, Exposed, Exposure, LayerDirection, LayerOrder, Modify, Outputs, Place, Plugin};
use crate::resolve::terrain::allows;
use crate::state::{Battle, Unit};
use crate::systems::compartments::usable;
use crate::systems::terrain::depth_below;
use crate::systems::weather::local_weather;

const BALLAST_MIN: f64 = 0.25;
const FUEL_SHARE: f64 = 0.01;
const CALM_SEA_STATE: f64 = 3.0;
const SEA_STATE_DELAY: f64 = 0.08;
const POP_UP_TICKS: i64 = 12;
const POP_UP_FIRES_FROM: i64 = 6;
const POP_UP_FIRES_TO: i64 = 9;
/// Of hp_max, of damage since the transit began.
pub(crate) const BOTCH_SHARE: f64 = 0.1;
const STUCK_TICKS: i64 = 20;
const BOTCH_FLOOD: f64 = 0.3;
const CATASTROPHE_SHARE: f64 = 0.3; // of hp_max
const STRAIN_BELOW: f64 = 0.5; // of hp_max
const STRAIN_SHARE: f64 = 0.0002;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Botch {
    Return = 0,
    Stuck = 1,
    Flooded = 2,
    Catastrophe = 3,
}

impl Botch {
    const fn drawn(u: f64) -> Self {
        if u < 0.50 {
            Self::Return
        } else if u < 0.80 {
            Self::Stuck
        } else if u < 0.95 {
            Self::Flooded
        } else {
            Self::Catastrophe
        }
    }
}

/// Whether the unit would carry out this order now.
#[must_use]
pub fn accepts(battle: &Battle, unit: usize, direction: LayerDirection) -> bool {
    let own = &battle.units[unit];
    let state = &own.layer;
    if !own.is_effective() || own.has(unit_status::GROUNDED) || state.mode == POPPING_UP {
        return false;
    }
    if direction == LayerDirection::PopUp {
        let is_below = state.mode == STEADY && state.layer == layer::SUBMERGED;
        return is_below && has_pop_up_missile(battle, own) && !battle.is_attached(unit);
    }
    let Some(goal) = goal(state, direction) else { return false };
    if own.spec.hull.layers_mask >> goal & 1 == 0 || usable(own, system::BALLAST) < BALLAST_MIN {
        return false;
    }
    allows(depth_below(battle, own.x(), own.y()), goal) && !battle.is_attached(unit)
}

/// Whether the unit is in the window of a pop-up in which missiles may be fired.
#[inline]
#[must_use]
pub fn can_launch_in_pop_up(unit: &Unit) -> bool {
    unit.layer.mode == POPPING_UP && (POP_UP_FIRES_FROM..=POP_UP_FIRES_TO).contains(&unit.layer.elapsed)
}

/// Layer the order leads to: one up or down, or back to where a transit came from.
fn goal(state: &LayerState, direction: LayerDirection) -> Option<i64> {
    let step = -(direction as i64);
    if state.mode == IN_TRANSIT {
        let is_back = (state.target_layer - state.layer) * step < 0;
        return is_back.then_some(state.layer);
    }
    let goal = state.layer + step;
    (layer::SURFACE..=layer::ABYSSAL).contains(&goal).then_some(goal)
}

fn has_pop_up_missile(battle: &Battle, unit: &Unit) -> bool {
    unit.spec.mounts.iter().any(|mount| {
        let weapon = &battle.spec.weapons[mount.weapon];
        weapon.group == weapon_group::MISSILE && weapon.pop_up
    })
}

/// Begins or turns around transits.
pub fn resolve_layer_orders(battle: &mut Battle, outputs: &mut Outputs) {
    let orders = outputs.take::<LayerOrder>();
    for (_, order) in &orders {
        let place = battle.place(order.source);
        let is_accepted = accepts(battle, place, order.direction);
        let unit = &mut battle.units[place];
        if !is_accepted {
            unit.note_invalid();
        } else if order.direction == LayerDirection::PopUp {
            (unit.layer.mode, unit.layer.elapsed, unit.layer.total) = (POPPING_UP, 0, POP_UP_TICKS);
            let (source, f0, i0) = (unit.id(), POP_UP_TICKS as f64, layer::SURFACE);
            battle.record(News { source, f0, i0, ..News::of(EventKind::TransitionStart) });
        } else if unit.layer.mode == IN_TRANSIT {
            reverse(&mut unit.layer);
        } else {
            begin(battle, place, order.direction, outputs);
        }
    }
    outputs.put_back(orders);
}

fn begin(battle: &mut Battle, place: usize, direction: LayerDirection, outputs: &mut Outputs) {
    let origin = battle.units[place].layer.layer;
    let goal = origin - direction as i64;
    let total = transit_ticks(battle, place, origin, goal);
    let unit = &mut battle.units[place];
    unit.layer = LayerState { mode: IN_TRANSIT, target_layer: goal, total, ..LayerState::steady(origin) };
    let (source, fuel_capacity_s) = (unit.id(), unit.spec.fuel_capacity_s);
    battle.record(News { source, f0: total as f64, i0: goal, ..News::of(EventKind::TransitionStart) });
    let delta = -FUEL_SHARE * fmax(fuel_capacity_s, 0.0);
    outputs.emit(Plugin::Controller, Modify { source, target: source, place: Place::StoresFuel, delta, cause: 0 });
}

/// How long the unit takes from one layer to the next, here and now.
#[must_use]
pub fn transit_ticks(battle: &Battle, unit: usize, origin: i64, goal: i64) -> i64 {
    let own = &battle.units[unit];
    let is_shallow = origin == layer::SURFACE || goal == layer::SURFACE;
    let base_s = if is_shallow { own.spec.hull.dive_s } else { own.spec.hull.deep_s };
    let weather = if is_shallow {
        let sea_state = local_weather(battle, own.x(), own.y()).sea_state;
        1.0 + SEA_STATE_DELAY * fmax(0.0, sea_state - CALM_SEA_STATE)
    } else {
        1.0
    };
    ceil(base_s * weather * (1.5 - 0.5 * usable(own, system::BALLAST))) as i64
}

const fn reverse(state: &mut LayerState) {
    (state.layer, state.target_layer) = (state.target_layer, state.layer);
    state.elapsed = state.total - state.elapsed;
}

/// Weak hulls suffer in the abyss.
pub fn transition(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let unit = &battle.units[unit];
    let hp_max = unit.spec.hull.hp_max;
    if unit.layer.layer == layer::ABYSSAL && unit.hull.hp < STRAIN_BELOW * hp_max {
        emit.emit(Exposed { source: unit.id(), exposure: Exposure::Abyss, amount: STRAIN_SHARE * hp_max });
    }
}

/// Botches transits that took too much damage, and brings the others one tick closer to their end.
pub fn resolve_layer_timers(battle: &mut Battle, outputs: &mut Outputs) {
    for place in 0..battle.units.len() {
        let unit = &battle.units[place];
        if !unit.is_present() || unit.layer.mode == STEADY {
            continue;
        }
        if unit.layer.mode == IN_TRANSIT {
            let crossed = floor(unit.layer.trans_damage / (BOTCH_SHARE * unit.spec.hull.hp_max)) as i64;
            while battle.units[place].layer.botches < crossed {
                battle.units[place].layer.botches += 1;
                botch(battle, place, outputs);
            }
        }
        let state = &mut battle.units[place].layer;
        state.elapsed += 1;
        if state.elapsed >= state.total {
            finish(battle, place);
        }
    }
}

fn finish(battle: &mut Battle, place: usize) {
    let unit = &mut battle.units[place];
    if unit.layer.mode == IN_TRANSIT {
        unit.layer = LayerState::steady(unit.layer.target_layer);
        unit.tally.transitions += 1;
        let (source, i0) = (unit.id(), unit.layer.layer);
        battle.record(News { source, i0, ..News::of(EventKind::TransitionComplete) });
    } else {
        unit.layer = LayerState::steady(layer::SUBMERGED);
    }
}

fn botch(battle: &mut Battle, place: usize, outputs: &mut Outputs) {
    let unit = &battle.units[place];
    let id = unit.id();
    let outcome = Botch::drawn(uniform(battle, Stream::LayerTransition, id, unit.layer.botches, 0));
    let (cause, i0) = (unit.memory.last_damage_event, outcome as i64);
    let event = battle.record(News { source: id, target: id, cause, i0, ..News::of(EventKind::TransitionBotched) });
    let unit = &mut battle.units[place];
    match outcome {
        Botch::Stuck => unit.layer.total += STUCK_TICKS,
        Botch::Flooded => {
            let place = Place::HullFlood;
            let flood = Modify { source: id, target: id, place, delta: BOTCH_FLOOD, cause: event };
            outputs.emit(Plugin::Transition, flood);
        }
        Botch::Return | Botch::Catastrophe => reverse(&mut unit.layer),
    }
    if outcome == Botch::Catastrophe {
        let amount = CATASTROPHE_SHARE * unit.spec.hull.hp_max;
        let harm = Damage::new(id, id, amount, damage_type::PRESSURE, unit.heading());
        outputs.emit(Plugin::Transition, Damage { cause: event, ..harm });
    }
}
