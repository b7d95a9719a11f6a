//! The tick: the town's stages in a fixed order.
//!
//! ```text
//! begin_tick    stage 2, then what stage 3 begins with: which options have ended
//!               -- observations and masks are read here --
//! finish_tick   stages 3 to 5, and on to the next tick
//! ```
//!
//! Stages 1, 6 and 7 belong to whoever runs a town live; a batch has none.

use crate::curiosity::note_visits;
use crate::decisions::deciding::decide;
use crate::decisions::options::settle_options;
use crate::resolving::resolve;
use crate::reward::pay_rewards;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::appointments::keep_appointments;
use crate::systems::collapse::count_decline;
use crate::systems::fitness::turn_fitness;
use crate::systems::kpis::count_tick;
use crate::systems::lifecycle::{evaluate_exits, remove_exited};
use crate::systems::needs::decay_needs;
use crate::systems::perturbations::effects::note_city_events;
use crate::systems::perturbations::scheduler::run_scheduler;
use crate::systems::rollover::roll_over;
use crate::systems::shifts::work_shifts;
use crate::systems::spawning::spawn_replacements;
use crate::systems::ties::fade_ties;

/// Opens a tick up to the point where citizens decide.
pub fn begin_tick(town: &mut Town, setup: &Setup) {
    town.report.clear();
    town.citizens_mut().for_each(|citizen| citizen.facts.clear());
    roll_over(town, setup);
    spawn_replacements(town, setup);
    run_scheduler(town, setup);
    settle_options(town, setup);
}

/// Carries a tick out and goes on to the next one. Reordering the systems breaks every stored replay.
///
/// # Arguments
/// * `selections` - By seat, an action of the configured level; what free seats select is ignored.
/// * `on_exit` - Called with the seat of everybody who leaves, while they are still there: the moment of their last
///   observation.
pub fn finish_tick(town: &mut Town, setup: &Setup, selections: &[i64], mut on_exit: impl FnMut(&Town, usize)) {
    decide(town, setup, selections);
    let primitives = std::mem::take(&mut town.report.primitives);
    resolve(town, setup, &primitives);
    town.report.primitives = primitives;
    note_visits(town, setup);
    decay_needs(town, setup); // after effects, which stage 4 applied
    work_shifts(town, setup);
    fade_ties(town, setup);
    keep_appointments(town, setup);
    note_city_events(town, setup);
    count_decline(town, setup);
    evaluate_exits(town, setup);
    pay_rewards(town, setup); // those who leave are paid for the last time
    for place in 0..town.report.exits.len() {
        let (seat, _) = town.report.exits[place];
        town.citizen_mut(seat).ctx_reset = true;
        on_exit(town, seat);
    }
    remove_exited(town, setup);
    count_tick(town, setup);
    turn_fitness(town);
    town.tick += 1;
}
