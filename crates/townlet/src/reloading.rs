//! Taking over a new configuration in a running town, between two ticks.

mod carrying;
mod renumbering;
mod telling;

use self::carrying::carry_over;
use self::renumbering::Renumbering;
use self::telling::renumber_events;
use crate::codes::{NOBODY, PRICES, fail_reason};
use crate::opening::live_rules;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::affordances::fail_running;
use crate::systems::collapse::relocate;
use crate::systems::movement::nearest_free_tile;
use crate::systems::perturbations::effects::end_event;
use crate::systems::prices::set_baseline;
use crate::systems::queues::{free, leave_queue, tell_lost_place};

/// Lets a town go on under another setup, which whoever made it has found to be one that needs no restart.
pub fn apply_reload(town: &mut Town, before: &Setup, after: &Setup) {
    let numbers = Renumbering::new(&before.tables, &after.tables);
    for object in 0..before.tables.objects.len() {
        if numbers.is_gone(object) {
            dissolve(town, before, object);
        }
    }
    end_lost_events(town, &numbers);
    renumber_events(&mut town.events, &numbers);
    carry_over(town, before, after, &numbers);
    take_rules(town, before, after);
    for seat in town.living() {
        if !after.tables.map.walkable[town.citizen(seat).at()] {
            let tile = nearest_free_tile(town, after, after.tables.map.spawn_tiles[0]);
            relocate(town, after, seat, tile);
        }
    }
}

/// Sends everybody away from an object that is gone.
fn dissolve(town: &mut Town, setup: &Setup, object: usize) {
    let waiting: Vec<_> = town.objects[object].queue.iter().map(|entry| entry.seat as usize).collect();
    for seat in waiting {
        leave_queue(town, seat);
        tell_lost_place(town, seat, object, fail_reason::OBJECT_REMOVED);
    }
    let state = &town.objects[object];
    if state.holder == NOBODY {
        return;
    }
    let holder = state.holder as usize;
    if state.is_running() {
        fail_running(town, setup, holder, fail_reason::OBJECT_REMOVED);
    } else {
        free(town, object, 0);
        tell_lost_place(town, holder, object, fail_reason::OBJECT_REMOVED);
    }
}

fn end_lost_events(town: &mut Town, numbers: &Renumbering<'_>) {
    let mut place = 0;
    while let Some(event) = town.perturbations.active.get(place) {
        if numbers.has_perturbation(event.spec) {
            place += 1;
        } else {
            end_event(town, place);
        }
    }
    town.perturbations.pending.retain(|event| numbers.has_perturbation(event.spec));
}

/// Changes live rules and prices where the configuration did; what an operator set otherwise stays.
fn take_rules(town: &mut Town, before: &Setup, after: &Setup) {
    let (old, new, rules) = (live_rules(&before.config), live_rules(&after.config), &mut town.rules);
    macro_rules! take {
        ($($name:ident),*) => { $(if old.$name != new.$name { rules.$name = new.$name; })* };
    }
    take!(max_exits_per_day, daily_exit_cap, spawn_delay_min, spawn_delay_max, collapse_threshold, collapse_ticks);
    let (old, new) = (before.config.economy.prices(), after.config.economy.prices());
    for price in 0..PRICES {
        if old[price] != new[price] {
            set_baseline(town, after, price, new[price]);
        }
    }
}
