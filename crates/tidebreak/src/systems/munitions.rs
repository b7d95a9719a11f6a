//! Everything in flight, once per substep and by id: it moves, strikes, bursts, waits or runs out.

use crate::codes::munition_kind;
use crate::components::Munition;
use crate::outputs::{Outputs, Plugin, Steer};
use crate::state::Battle;
use crate::systems::charges_and_mines::{burst_charge, trigger_mine};
use crate::systems::decoys::drift_decoy;
use crate::systems::guidance::guide;
use crate::systems::homing::run_and_strike;
use crate::systems::salvos::fall;
use crate::systems::seekers::PreyList;

/// Kind of a munition that has ended, until the substep is over.
pub const SPENT: i64 = -1;

/// Lets every torpedo and missile decide where it turns.
pub fn guide_munitions(battle: &Battle, outputs: &mut Outputs) {
    let mut homing = battle.munitions.iter().filter(|munition| is_homing(munition)).peekable();
    if homing.peek().is_none() {
        return;
    }
    let mut prey = std::mem::take(&mut outputs.prey);
    prey.gather(battle);
    let mut emit = outputs.emitter(Plugin::Guidance);
    for munition in homing {
        guide(battle, munition, &prey, &mut emit);
    }
    outputs.prey = prey;
}

/// Advances every munition by one substep and takes out those that end.
pub fn move_and_impact(battle: &mut Battle, outputs: &mut Outputs) {
    if battle.munitions.is_empty() {
        return;
    }
    let mut prey = std::mem::take(&mut outputs.prey);
    if battle.munitions.iter().any(|munition| is_homing(munition) || munition.kind == munition_kind::MINE) {
        prey.gather(battle);
    } else {
        prey.clear();
    }
    advance_all(battle, &prey, outputs);
    outputs.prey = prey;
}

fn advance_all(battle: &mut Battle, prey: &PreyList, outputs: &mut Outputs) {
    let steers = outputs.take::<Steer>();
    // Munitions and steers both come by id.
    let mut decided = steers.iter().map(|(_, steer)| steer);
    let mut has_spent = false;
    for place in 0..battle.munitions.len() {
        let is_over = match battle.munitions[place].kind {
            munition_kind::SALVO => fall(battle, place, outputs),
            munition_kind::TORPEDO | munition_kind::MISSILE => {
                let steer = decided.next().expect("every torpedo and missile has decided where to go");
                run_and_strike(battle, place, steer, prey, outputs)
            }
            munition_kind::CHARGE => burst_charge(battle, place, outputs),
            munition_kind::MINE => trigger_mine(battle, place, prey, outputs),
            munition_kind::DECOY => drift_decoy(battle, place),
            _ => true,
        };
        if is_over {
            battle.munitions[place].kind = SPENT;
            has_spent = true;
        }
    }
    if has_spent {
        battle.munitions.retain(|munition| munition.kind != SPENT);
    }
    outputs.put_back(steers);
}

fn is_homing(munition: &Munition) -> bool {
    matches!(munition.kind, munition_kind::TORPEDO | munition_kind::MISSILE)
}
