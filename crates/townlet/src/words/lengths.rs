//! What words must hold before a town can be made of them: every list is as long as its tables say.

use kernel::bounds::{need, within};
use kernel::snapshot::SnapshotError;

use crate::codes::NOTHING;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::objects::ObjectState;
use crate::state::town::Town;
use crate::systems::ties::EVICTION_REASONS;

/// Refuses citizens and objects that do not belong to this setup, before a town is made of them.
pub(super) fn check_fit(citizens: &[Citizen], objects: &[ObjectState], setup: &Setup) -> Result<(), SnapshotError> {
    let (tables, seats) = (&setup.tables, setup.config.world.seats);
    let items = tables.items.len();
    check_length("the list of objects", objects, tables.objects.len())?;
    let mut taken = vec![false; seats];
    for citizen in citizens {
        let seat = citizen.seat;
        within(format_args!("a citizen"), &[("seat", seat, 0, seats as i64 - 1)])?;
        need(!taken[seat as usize], || format!("two citizens have the seat {seat}; each must have its own"))?;
        taken[seat as usize] = true;
        let tile = ("tile", citizen.tile, 0, tables.map.walkable.len() as i64 - 1);
        let job = ("job", citizen.job, NOTHING, tables.jobs.len() as i64 - 1);
        within(format_args!("the citizen on seat {seat}"), &[tile, job])?;
        check_length(&format!("the citizen on seat {seat}: inventory"), &citizen.inventory, items)?;
    }
    for (index, state) in objects.iter().enumerate() {
        let running = ("running", state.running, NOTHING, tables.affordances.len() as i64 - 1);
        within(format_args!("object {index}"), &[running])?;
        check_length(&format!("object {index}: stock"), &state.stock, items)?;
        check_length(&format!("object {index}: cooldowns"), &state.cooldowns, seats)?;
    }
    Ok(())
}

/// Refuses ledgers in which seats, slots or perturbations are missing, or too many.
pub(super) fn check_complete(town: &Town, setup: &Setup) -> Result<(), SnapshotError> {
    let (seats, slots) = (town.seats.len(), setup.config.embedding_allocator.max_slots);
    check_length("vacated", &town.lifecycle.vacated, seats)?;
    check_length("holders", &town.embedding.holders, slots)?;
    check_length("released", &town.embedding.released, slots)?;
    check_length("ready_ticks", &town.perturbations.ready_ticks, setup.tables.perturbations.len())?;
    check_length("meal_ticks", &town.social.meal_ticks, seats * seats)?;
    check_length("well_ticks", &town.kpis.well_ticks, seats)?;
    check_length("lived_ticks", &town.kpis.lived_ticks, seats)?;
    check_length("hungry_streaks", &town.kpis.hungry_streaks, seats)?;
    check_length("conflict_pairs", &town.kpis.conflict_pairs, seats * seats)?;
    for window in &town.social.churn {
        check_length("by_reason", &window.by_reason, EVICTION_REASONS)?;
        check_length("by_owner", &window.by_owner, seats)?;
    }
    Ok(())
}

fn check_length<T>(name: &str, values: &[T], right: usize) -> Result<(), SnapshotError> {
    let found = values.len();
    need(found == right, || format!("{name} has {found} entries; it must have {right}"))
}
