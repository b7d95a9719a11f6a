//! Ghost steps: a holder who makes no headway while others wait goes to the end of the line.

use crate::codes::{MAX_OBJECTS, NOBODY, conflict_reason, fail_reason};
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::conflicts::record_conflict;
use crate::systems::queues::{assign_next, free, requeue, tell_lost_place};

/// By object, who held it before anybody moved, and how far away that was.
#[derive(Clone, Copy, Debug)]
pub struct Holders {
    seats: [i64; MAX_OBJECTS],
    distances: [i64; MAX_OBJECTS],
}

impl Holders {
    /// Looks at every object that is held.
    #[must_use]
    pub fn of(town: &Town, setup: &Setup) -> Self {
        let mut holders = Self { seats: [NOBODY; MAX_OBJECTS], distances: [0; MAX_OBJECTS] };
        for (object, state) in town.objects.iter().enumerate() {
            if state.holder != NOBODY {
                holders.seats[object] = state.holder;
                holders.distances[object] = holder_distance(town, setup, object);
            }
        }
        holders
    }
}

/// Counts blocked attempts, and rotates holders who have made too many; the end of the interact phase.
///
/// `before` is who held what before anybody moved.
pub fn take_ghost_steps(town: &mut Town, setup: &Setup, before: &Holders) {
    let patience = setup.config.queue_fairness.ghost_step_after;
    for object in 0..town.objects.len() {
        let state = &town.objects[object];
        if state.holder == NOBODY {
            continue;
        }
        let must_wait = !state.queue.is_empty() && !state.is_running();
        let came_closer = must_wait
            && state.holder == before.seats[object]
            && holder_distance(town, setup, object) < before.distances[object];
        let state = &mut town.objects[object];
        if !must_wait || came_closer {
            state.stall = 0;
            continue;
        }
        state.stall += 1;
        if 0 < patience && patience <= state.stall {
            rotate(town, setup, object);
        }
    }
}

/// Steps from the holder of an object to its use tile.
fn holder_distance(town: &Town, setup: &Setup, object: usize) -> i64 {
    let holder = town.citizen(town.objects[object].holder as usize);
    setup.tables.paths.distance(setup.tables.objects[object].use_tile, holder.tile)
}

fn rotate(town: &mut Town, setup: &Setup, object: usize) {
    let actor = town.objects[object].holder as usize;
    let waiting = town.objects[object].queue.len();
    tell_lost_place(town, actor, object, fail_reason::GHOST_STEP);
    free(town, object, 0);
    requeue(town, actor, object);
    assign_next(town, setup, object);
    town.queues.rotation_events += 1;
    town.queues.ghost_step_events += 1;
    let rival = town.objects[object].holder as usize;
    record_conflict(town, setup, object, (actor, rival), conflict_reason::GHOST_STEP, waiting);
}

#[cfg(test)]
mod tests {
    use super::{Holders, take_ghost_steps};
    use crate::events::EventKind;
    use crate::setup::Setup;
    use crate::state::town::Town;
    use crate::systems::movement::place;
    use crate::systems::queues::request;
    use crate::systems::small_town::{small_setup, town_with};

    /// Seat 0 holds the first shower from two tiles away, seat 1 waits for it.
    fn blocked() -> (Setup, Town) {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8, 9]);
        assert!(request(&mut town, &setup, 0, 0) && !request(&mut town, &setup, 1, 0));
        (setup, town)
    }

    fn stand_still(town: &mut Town, setup: &Setup) {
        let before = Holders::of(town, setup);
        take_ghost_steps(town, setup, &before);
    }

    #[test]
    fn a_holder_who_stands_still_three_times_changes_places_with_the_next_one() {
        let (setup, mut town) = blocked();

        stand_still(&mut town, &setup);
        stand_still(&mut town, &setup);
        assert_eq!((town.objects[0].holder, town.objects[0].stall), (0, 2));
        stand_still(&mut town, &setup);

        assert_eq!((town.objects[0].holder, town.objects[0].stall), (1, 0));
        assert_eq!(town.objects[0].queue[0].seat, 0);
        assert_eq!(town.events.entries().last().map(|event| event.kind), Some(EventKind::QueueConflict));
        assert!(town.citizen(0).ties[0].rivalry > 0.0 && town.citizen(1).ties[0].rivalry > 0.0);
    }

    #[test]
    fn a_step_towards_the_object_ends_the_count() {
        let (setup, mut town) = blocked();
        stand_still(&mut town, &setup);
        stand_still(&mut town, &setup);

        let before = Holders::of(&town, &setup);
        place(&mut town, 0, 9);
        take_ghost_steps(&mut town, &setup, &before);

        assert_eq!((town.objects[0].holder, town.objects[0].stall), (0, 0));
    }

    #[test]
    fn nobody_is_moved_on_while_nobody_waits() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8]);
        request(&mut town, &setup, 0, 0);

        for _ in 0..5 {
            stand_still(&mut town, &setup);
        }

        assert_eq!((town.objects[0].holder, town.objects[0].stall), (0, 0));
    }
}
