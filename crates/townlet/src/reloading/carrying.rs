//! Brings numbers and lists of the state in line with new tables.

use std::sync::Arc;

use super::renumbering::Renumbering;
use crate::codes::{NEVER, NOTHING};
use crate::setup::Setup;
use crate::state::objects::ObjectState;
use crate::state::town::Town;
use crate::systems::affordances::running;

/// Carries objects, citizens, perturbations and notes over.
pub fn carry_over(town: &mut Town, before: &Setup, after: &Setup, numbers: &Renumbering<'_>) {
    carry_objects(town, before, after, numbers);
    for citizen in town.citizens_mut() {
        citizen.inventory = numbers.counts(&citizen.inventory);
        citizen.bed = numbers.object(citizen.bed);
        citizen.holding = numbers.object(citizen.holding);
        citizen.queued = numbers.object(citizen.queued);
        citizen.plan.goal = NOTHING;
    }
    for note in &mut town.social.conflicts {
        note.object = numbers.object(note.object);
    }
    town.social.conflicts.retain(|note| note.object != NOTHING);
    carry_perturbations(town, after, numbers);
}

fn carry_objects(town: &mut Town, before: &Setup, after: &Setup, numbers: &Renumbering<'_>) {
    let seats = town.seats.len();
    let mut objects: Vec<_> = after.tables.objects.iter().map(|row| ObjectState::new(&row.stock, seats)).collect();
    for object in 0..town.objects.len() {
        if numbers.is_gone(object) {
            continue;
        }
        let kept = running(town, before, object).map(|row| Arc::new(numbers.row(&row)));
        let state = &town.objects[object];
        objects[numbers.object(object as i64) as usize] = ObjectState {
            stock: numbers.counts(&state.stock),
            running: kept.as_ref().map_or(NOTHING, |row| row.index),
            kept,
            ..state.clone()
        };
    }
    town.objects = objects;
}

fn carry_perturbations(town: &mut Town, after: &Setup, numbers: &Renumbering<'_>) {
    let state = &mut town.perturbations;
    let mut ready_ticks = vec![NEVER; after.tables.perturbations.len()];
    for (spec, &ready) in state.ready_ticks.iter().enumerate() {
        let place = numbers.perturbation(spec as i64);
        if place != NOTHING {
            ready_ticks[place as usize] = ready;
        }
    }
    state.ready_ticks = ready_ticks;
    for event in state.active.iter_mut().chain(&mut state.pending) {
        event.spec = numbers.perturbation(event.spec);
    }
    for start in &mut state.starts {
        start.bucket = numbers.bucket(start.bucket);
    }
    state.starts.retain(|start| start.bucket != NOTHING);
}
