//! One tick as a list of phases; each phase is plugins, then resolvers.
//!
//! Plugins read the state as it stood when the phase began and emit outputs; resolvers then write, in the order shown,
//! and nothing else writes. Both are plain functions:
//!
//! ```text
//! plugin(battle: &Battle, unit: usize, emit: &mut Emitter)      once per present unit, by id
//! resolver(battle: &mut Battle, outputs: &mut Outputs)          once per phase (per substep in SUBSTEP)
//! ```
//!
//! Rewards change nothing here: they are read off `unit.scratch` once the tick is done.

use crate::judge::objectives::{judge_objective, resolve_objectives};
use crate::judge::termination::resolve_termination;
use crate::observe::rows::publish_contacts;
use crate::outputs::{Emitter, Outputs, Plugin};
use crate::sensing::sense_all;
use crate::state::Battle;
use crate::systems::boarding::resolve_boarding;
use crate::systems::command::{control, resolve_command};
use crate::systems::currents::sample_currents;
use crate::systems::damage::{finish_hulls, resolve_damage};
use crate::systems::damage_control::{damage_control, resolve_sustain};
use crate::systems::fire::resolve_fire;
use crate::systems::fuel::{burn_fuel, resolve_stores};
use crate::systems::hazards::{hazard, resolve_hazards};
use crate::systems::layers::{resolve_layer_orders, resolve_layer_timers, transition};
use crate::systems::morale::resolve_morale;
use crate::systems::munitions::{guide_munitions, move_and_impact};
use crate::systems::physics::resolve_physics;
use crate::systems::point_defence::point_defence;
use crate::systems::squadrons::move_squadrons;
use crate::systems::stamping::{keep_stamps, resolve_fields, stamp_sources};
use crate::systems::storms::resolve_environment;
use crate::systems::support::resolve_support;

type UnitPlugin = fn(&Battle, usize, &mut Emitter<'_>);
type Resolver = fn(&mut Battle, &mut Outputs);

/// One row of the pipeline; each plugin in turn runs for every present unit, or for those that are gone too.
struct Phase {
    plugins: &'static [(Plugin, UnitPlugin)],
    resolvers: &'static [Resolver],
    includes_absent: bool,
}

const ENVIRONMENT: Phase = Phase { plugins: &[], resolvers: &[resolve_environment], includes_absent: false };
const COMMAND: Phase = Phase {
    plugins: &[(Plugin::Controller, control), (Plugin::PointDefence, point_defence)],
    resolvers: &[resolve_command, resolve_layer_orders, resolve_fire, resolve_support, keep_stamps],
    includes_absent: false,
};
const SUBSTEP: Phase = Phase {
    plugins: &[],
    resolvers: &[resolve_physics, move_squadrons, move_and_impact, resolve_damage, keep_stamps],
    includes_absent: false,
};
const SUSTAIN: Phase = Phase {
    plugins: &[
        (Plugin::DamageControl, damage_control),
        (Plugin::Hazard, hazard),
        (Plugin::Transition, transition),
        (Plugin::Fuel, burn_fuel),
    ],
    resolvers: &[
        resolve_layer_timers,
        resolve_hazards,
        resolve_sustain,
        resolve_stores,
        resolve_boarding,
        resolve_damage,
        resolve_morale,
        finish_hulls,
        keep_stamps,
    ],
    includes_absent: false,
};
const FIELDS: Phase =
    Phase { plugins: &[(Plugin::Stamps, stamp_sources)], resolvers: &[resolve_fields], includes_absent: false };
const SENSE: Phase = Phase { plugins: &[], resolvers: &[sense_all], includes_absent: false };
const JUDGE: Phase = Phase {
    plugins: &[(Plugin::Objective, judge_objective)],
    resolvers: &[resolve_objectives, resolve_termination],
    includes_absent: true,
};

/// Names of the parts of a tick that `advance_watched` tells apart.
pub const PARTS: [&str; 7] = ["command", "substeps", "sustain", "fields", "sense", "judge", "contacts"];

/// Advances one tick. Reordering phases or resolvers breaks every stored replay.
///
/// `outputs` only lends its memory.
pub fn advance(battle: &mut Battle, outputs: &mut Outputs) {
    advance_watched(battle, outputs, |_| {});
}

/// Advances one tick and calls `passed` with the place in `PARTS` of every part that is done; for profiles.
#[inline(always)] // so that the watcher of `advance` vanishes
pub fn advance_watched(battle: &mut Battle, outputs: &mut Outputs, mut passed: impl FnMut(usize)) {
    for unit in &mut battle.units {
        unit.memory.was_effective = unit.is_effective();
        unit.scratch.clear();
    }
    run_phase(battle, &ENVIRONMENT, outputs);
    run_phase(battle, &COMMAND, outputs);
    passed(0);
    sample_currents(battle);
    for _ in 0..battle.rules().substeps {
        outputs.clear();
        guide_munitions(battle, outputs);
        resolve(battle, &SUBSTEP, outputs);
    }
    passed(1);
    run_phase(battle, &SUSTAIN, outputs);
    passed(2);
    run_phase(battle, &FIELDS, outputs);
    passed(3);
    run_phase(battle, &SENSE, outputs);
    passed(4);
    run_phase(battle, &JUDGE, outputs);
    battle.latched.fill(None);
    battle.tick += 1;
    passed(5);
    publish_contacts(battle);
    passed(6);
}

/// Lets the units of a new battle sense once, so that the first observation has contacts; no time passes.
pub fn look_around_first(battle: &mut Battle, outputs: &mut Outputs) {
    run_phase(battle, &SENSE, outputs);
    publish_contacts(battle);
}

/// Lets every plugin speak, then lets the resolvers write.
fn run_phase(battle: &mut Battle, phase: &Phase, outputs: &mut Outputs) {
    outputs.clear();
    for (code, plugin) in phase.plugins {
        let mut emit = outputs.emitter(*code);
        for unit in 0..battle.units.len() {
            if phase.includes_absent || battle.units[unit].is_present() {
                plugin(battle, unit, &mut emit);
            }
        }
    }
    resolve(battle, phase, outputs);
}

fn resolve(battle: &mut Battle, phase: &Phase, outputs: &mut Outputs) {
    for resolver in phase.resolvers {
        resolver(battle, outputs);
    }
}
