//! Digging: yield, wear, and the risk that the rock shatters.

use kernel::numerics::{exp, fmax, sigmoid};

use crate::belt::Makeup;
use crate::bounds::clamp;
use crate::constants::{
    CARGO_MAX, DEPLETION_PER_UNIT, FRACTURE_BIAS, FRACTURE_HAZARD, FRACTURE_HULL, FRACTURE_PER_HEAT,
    FRACTURE_PER_INSTABILITY, FRACTURE_PER_WEAR, FRACTURE_SEVERITY_RANGE, FRACTURE_STABILIZER_RELIEF,
    HEAT_FRACTION_CAP, HEAT_MAX, HOT_DRILL_EFFICIENCY_FLOOR, HOT_DRILL_FROM, HOT_DRILL_SPAN, MINE_TICKS,
    STABILIZE_TICKS, STABILIZED_TICKS, TOOL_EFFICIENCY_FLOOR, TOOL_EFFICIENCY_SPAN, TOOL_MAX,
};
use crate::events::{Cause, Deed, Event, Happenings, MineMode};
use crate::market::PerCommodity;
use crate::rules::Rules;
use crate::state::State;

/// What a mode of mining yields and costs.
struct Drilling {
    yield_factor: f64,
    heat: f64,
    wear: f64,
    alert: f64,
    noise_sigma: f64,
    fracture_bias: f64,
}

const CONSERVATIVE: Drilling =
    Drilling { yield_factor: 0.80, heat: 2.0, wear: 0.8, alert: 1.2, noise_sigma: 0.05, fracture_bias: -0.7 };
const STANDARD: Drilling =
    Drilling { yield_factor: 1.15, heat: 4.0, wear: 1.6, alert: 2.2, noise_sigma: 0.10, fracture_bias: 0.0 };
const AGGRESSIVE: Drilling =
    Drilling { yield_factor: 1.55, heat: 7.0, wear: 2.8, alert: 4.0, noise_sigma: 0.16, fracture_bias: 0.8 };

/// How worn and hot the drill is before it starts, as shares of their maxima.
#[derive(Clone, Copy)]
struct Condition {
    tool: f64,
    heat: f64,
}

/// Digs into the asteroid in `slot`, the selected one.
pub(crate) fn mine(state: &mut State, rules: &Rules, mode: MineMode, slot: u8, happenings: &mut Happenings) -> u8 {
    let drilling = match mode {
        MineMode::Conservative => &CONSERVATIVE,
        MineMode::Standard => &STANDARD,
        MineMode::Aggressive => &AGGRESSIVE,
    };
    let condition = Condition {
        tool: clamp(state.ship.tool / TOOL_MAX, 0.0, 1.0),
        heat: clamp(state.ship.heat / HEAT_MAX, 0.0, HEAT_FRACTION_CAP),
    };
    let (makeup, beliefs) = state.belt.rich_asteroid(usize::from(state.ship.node), usize::from(slot), state.rng.inc());
    let (makeup, mut depletion) = (*makeup, beliefs.depletion);
    let (units, total) = dig(state, drilling, condition, &makeup, depletion);
    happenings.note(Event::Mine);
    happenings.deed = Deed::Mine { mode, asteroid: slot, units, total };
    depletion = clamp(depletion + DEPLETION_PER_UNIT * total, 0.0, 1.0);
    let chance = fracture_chance(drilling, condition, &makeup, state.ship.stabilize_ticks[usize::from(slot)] > 0);
    let shatters = state.rng.f64() < chance;
    if shatters && rules.config.fractures {
        shatter(state, happenings);
        depletion = 1.0;
    }
    if depletion >= 1.0 {
        state.ship.selection = None;
        happenings.note(Event::AsteroidDepleted);
    }
    let (_, beliefs) = state.belt.asteroid(usize::from(state.ship.node), usize::from(slot), state.rng.inc());
    beliefs.depletion = depletion;
    MINE_TICKS
}

/// Takes what the drill yields on board, as far as there is room; returns the units of each commodity and of all.
fn dig(
    state: &mut State,
    drilling: &Drilling,
    condition: Condition,
    makeup: &Makeup,
    depletion: f64,
) -> (PerCommodity, f64) {
    let noise = exp(state.rng.normal(0.0, drilling.noise_sigma));
    let dug = makeup.richness
        * fmax(0.0, 1.0 - depletion)
        * (TOOL_EFFICIENCY_FLOOR + TOOL_EFFICIENCY_SPAN * condition.tool)
        * heat_efficiency(condition.heat)
        * drilling.yield_factor
        * noise;
    let mut units = makeup.true_comp.map(|share| dug * share);
    let mut total = units.iter().fold(0.0, |sum, part| sum + part);
    let room = fmax(0.0, CARGO_MAX - state.hold_total);
    if total > room && total > 0.0 {
        let scale = room / total;
        units = units.map(|part| part * scale);
        total = room;
    }
    let ship = &mut state.ship;
    for (held, part) in ship.cargo.iter_mut().zip(&units) {
        *held += part;
    }
    ship.heat += drilling.heat;
    ship.alert += drilling.alert;
    ship.tool -= drilling.wear;
    state.counters.mining_ticks += 1;
    state.value_hold();
    (units, total)
}

fn fracture_chance(drilling: &Drilling, condition: Condition, makeup: &Makeup, is_stabilized: bool) -> f64 {
    let relief = if is_stabilized { FRACTURE_STABILIZER_RELIEF } else { 0.0 };
    let logit = FRACTURE_BIAS
        + drilling.fracture_bias
        + FRACTURE_PER_INSTABILITY * (1.0 - makeup.stability)
        + FRACTURE_PER_HEAT * fmax(0.0, condition.heat - HOT_DRILL_FROM)
        + FRACTURE_PER_WEAR * (1.0 - condition.tool)
        - relief;
    sigmoid(logit)
}

/// Throws debris at the ship and leaves the node more dangerous for the rest of the episode.
fn shatter(state: &mut State, happenings: &mut Happenings) {
    let damage = FRACTURE_HULL * state.rng.uniform(FRACTURE_SEVERITY_RANGE.0, FRACTURE_SEVERITY_RANGE.1);
    state.ship.hull -= damage;
    let node = state.here_mut();
    node.hazard = clamp(node.hazard + FRACTURE_HAZARD, 0.0, 1.0);
    happenings.note(Event::Fracture);
    happenings.fracture_hull = damage;
    happenings.cause = Cause::Fracture;
}

#[inline]
fn heat_efficiency(heat_share: f64) -> f64 {
    if heat_share <= HOT_DRILL_FROM {
        1.0
    } else {
        fmax(HOT_DRILL_EFFICIENCY_FLOOR, 1.0 - (heat_share - HOT_DRILL_FROM) / HOT_DRILL_SPAN)
    }
}

/// Spends a stabilizer on the asteroid in `slot`, the selected one.
pub(crate) fn stabilize(state: &mut State, slot: u8, happenings: &mut Happenings) -> u8 {
    state.ship.stabilizers -= 1;
    state.ship.stabilize_ticks[usize::from(slot)] = STABILIZED_TICKS;
    happenings.note(Event::Stabilize);
    happenings.deed = Deed::Stabilize { asteroid: slot };
    STABILIZE_TICKS
}
