//! Reservations and queues: one holder per object, the others in line.
//!
//! A citizen holds or waits for one object at most, and nobody does both; while somebody waits, somebody holds.

use crate::codes::{NOBODY, NOTHING, fail_reason, queue_variant, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::objects::QueueEntry;
use crate::state::town::Town;
use crate::systems::ties::apply_event;

/// Whether an object is open to a citizen at all: public, or of its own home.
#[inline]
#[must_use]
pub fn may_use(town: &Town, setup: &Setup, seat: usize, object: usize) -> bool {
    let row = &setup.tables.objects[object];
    !row.is_residents || row.zone == town.citizen(seat).home
}

/// Whether a citizen may ask for an object from where it stands.
#[must_use]
pub fn is_near_enough(town: &Town, setup: &Setup, seat: usize, object: usize) -> bool {
    let row = &setup.tables.objects[object];
    let tile = town.citizen(seat).tile;
    setup.tables.paths.distance(row.use_tile, tile) <= setup.config.queue_fairness.request_radius
        || row.queue_tiles.contains(&tile)
}

/// Asks for an object: a citizen becomes its holder (true), joins the queue or is refused (false).
pub fn request(town: &mut Town, setup: &Setup, seat: usize, object: usize) -> bool {
    if !may_use(town, setup, seat, object) || !is_near_enough(town, setup, seat, object) {
        return false;
    }
    town.queues.requests += 1;
    if town.objects[object].cooldowns[seat] > town.tick {
        town.queues.cooldown_events += 1;
        return false;
    }
    if town.objects[object].holder == seat as i64 {
        return true;
    }
    if town.citizen(seat).queued == object as i64 {
        return false;
    }
    give_up(town, setup, seat);
    if town.objects[object].queue.len() as i64 >= setup.config.queue_fairness.queue_capacity {
        return false;
    }
    requeue(town, seat, object);
    assign_next(town, setup, object);
    town.objects[object].holder == seat as i64
}

/// Lets the one whose turn it is become the holder; the longer one has waited, the more places that makes up for.
pub fn assign_next(town: &mut Town, setup: &Setup, object: usize) {
    let state = &town.objects[object];
    if state.holder != NOBODY || state.queue.is_empty() {
        return;
    }
    let weight = setup.config.queue_fairness.age_priority_weight;
    let (mut next, mut least) = (0, f64::INFINITY);
    for (place, entry) in state.queue.iter().enumerate() {
        let rank = place as f64 - weight * (town.tick - entry.joined_tick) as f64;
        if rank < least {
            (next, least) = (place, rank);
        }
    }
    grant(town, object, next);
}

/// Makes the citizen at a place of the queue the holder of a free object.
pub fn grant(town: &mut Town, object: usize, place: usize) {
    let tick = town.tick;
    let state = &mut town.objects[object];
    let entry = state.queue.remove(place);
    let waited = tick - entry.joined_tick;
    state.holder = entry.seat;
    state.granted_tick = tick;
    state.stall = 0;
    let citizen = town.citizen_mut(entry.seat as usize);
    citizen.queued = NOTHING;
    citizen.holding = object as i64;
    let number = citizen.number;
    town.queues.grants += 1;
    town.queues.wait_ticks += waited;
    town.queues.max_wait_ticks = town.queues.max_wait_ticks.max(waited);
    town.record(EventKind::ReservationGranted, &[number as f64, object as f64, waited as f64]);
}

/// Takes an object, on which nothing runs, from its holder and gives it to the next one.
///
/// For `cooldown` ticks the holder may not ask for it again.
pub fn release(town: &mut Town, setup: &Setup, object: usize, cooldown: i64) {
    free(town, object, cooldown);
    assign_next(town, setup, object);
}

/// Takes an object from its holder without giving it to anybody.
pub fn free(town: &mut Town, object: usize, cooldown: i64) {
    let tick = town.tick;
    let state = &mut town.objects[object];
    if state.holder == NOBODY {
        return;
    }
    let holder = state.holder as usize;
    if cooldown > 0 {
        state.cooldowns[holder] = tick + cooldown;
    }
    state.holder = NOBODY;
    state.stall = 0;
    town.citizen_mut(holder).holding = NOTHING;
}

/// Takes a citizen out of the queue it is in.
pub fn leave_queue(town: &mut Town, seat: usize) {
    let queued = std::mem::replace(&mut town.citizen_mut(seat).queued, NOTHING);
    if queued != NOTHING {
        town.objects[queued as usize].queue.retain(|entry| entry.seat != seat as i64);
    }
}

/// Lets a citizen who is doing nothing give up what it holds or waits for.
pub fn give_up(town: &mut Town, setup: &Setup, seat: usize) {
    leave_queue(town, seat);
    let holding = town.citizen(seat).holding;
    if holding != NOTHING {
        release(town, setup, holding as usize, 0);
    }
}

/// Puts a citizen, who may have been the holder, at the end of the line.
pub fn requeue(town: &mut Town, seat: usize, object: usize) {
    let joined_tick = town.tick;
    town.objects[object].queue.push(QueueEntry { seat: seat as i64, joined_tick });
    town.citizen_mut(seat).queued = object as i64;
}

/// Lets a holder who is doing nothing change places with the first in line, whose seat is returned.
pub fn yield_place(town: &mut Town, setup: &Setup, seat: usize) -> Option<usize> {
    let citizen = town.citizen(seat);
    if citizen.holding == NOTHING || citizen.is_running {
        return None;
    }
    let (object, number) = (citizen.holding as usize, citizen.number);
    let other = town.objects[object].queue.first()?.seat as usize;
    free(town, object, 0);
    grant(town, object, 0);
    requeue(town, seat, object);
    let other_number = town.citizen(other).number;
    town.record(
        EventKind::QueueInteraction,
        &[object as f64, number as f64, other_number as f64, queue_variant::YIELD as f64],
    );
    apply_event(town, setup, seat, other, relation_event::QUEUE_POLITE);
    Some(other)
}

/// Tells that a holder lost its place before it began anything.
pub fn tell_lost_place(town: &mut Town, seat: usize, object: usize, reason: i64) {
    let number = town.citizen(seat).number;
    town.record(EventKind::AffordanceFail, &[number as f64, object as f64, NOTHING as f64, reason as f64]);
}

/// Ends reservations and waits that have lasted too long; the start of stage 4.
pub fn keep_queues(town: &mut Town, setup: &Setup) {
    let rule = &setup.config.queue_fairness;
    for object in 0..town.objects.len() {
        let state = &town.objects[object];
        let is_reserved = state.holder != NOBODY && !state.is_running();
        if is_reserved && town.tick - state.granted_tick > rule.reservation_timeout {
            end_reservation(town, setup, object);
        }
        let mut place = 0;
        while let Some(entry) = town.objects[object].queue.get(place) {
            let (seat, waited) = (entry.seat as usize, town.tick - entry.joined_tick);
            if waited > rule.queue_timeout {
                town.queues.timeouts += 1;
                let number = town.citizen(seat).number;
                town.record(EventKind::QueueTimeout, &[number as f64, object as f64, waited as f64]);
                leave_queue(town, seat);
            } else {
                place += 1;
            }
        }
    }
}

fn end_reservation(town: &mut Town, setup: &Setup, object: usize) {
    let state = &town.objects[object];
    let (seat, held) = (state.holder as usize, town.tick - state.granted_tick);
    let number = town.citizen(seat).number;
    town.queues.timeouts += 1;
    town.record(EventKind::ReservationTimeout, &[number as f64, object as f64, held as f64]);
    tell_lost_place(town, seat, object, fail_reason::TIMEOUT);
    release(town, setup, object, 0);
}

#[cfg(test)]
mod tests {
    use kernel::pcg32::Pcg32;

    use super::{assign_next, give_up, keep_queues, request, requeue, yield_place};
    use crate::codes::{NOBODY, NOTHING, fail_reason};
    use crate::state::town::Town;
    use crate::systems::affordances::{advance_affordances, fail_running, start};
    use crate::systems::ghost_steps::{Holders, take_ghost_steps};
    use crate::systems::movement::place;
    use crate::systems::small_town::{WIDTH, small_setup, town_with};

    const SEATS: usize = 5;
    const STREET: i64 = 2 * WIDTH;

    #[test]
    fn whatever_citizens_do_each_holds_or_waits_for_one_object_and_nobody_waits_for_a_free_one() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8, 9, 10, 11, 12]);
        let mut stream = Pcg32::from_seed(3, 5);
        for _ in 0..20_000 {
            let seat = stream.next_u32() as usize % SEATS;
            let object = stream.next_u32() as usize % 2;
            let before = Holders::of(&town, &setup);
            match stream.next_u32() % 8 {
                0 | 1 if !town.citizen(seat).is_running => _ = request(&mut town, &setup, seat, object),
                2 if town.citizen(seat).is_running => fail_running(&mut town, &setup, seat, fail_reason::RELEASED),
                2 => give_up(&mut town, &setup, seat),
                3 => _ = yield_place(&mut town, &setup, seat),
                4 if !town.citizen(seat).is_running => {
                    let tile = WIDTH + i64::from(stream.next_u32()) % STREET;
                    place(&mut town, seat, tile);
                }
                5 if town.citizen(seat).holding != NOTHING && !town.citizen(seat).is_running => {
                    _ = start(&mut town, &setup, seat, 0);
                }
                6 => take_ghost_steps(&mut town, &setup, &before),
                _ => {
                    advance_affordances(&mut town, &setup);
                    town.tick += i64::from(stream.next_u32()) % 20;
                    keep_queues(&mut town, &setup);
                }
            }
            check(&town);
        }
        assert!(town.queues.grants > 500 && town.queues.timeouts > 50 && town.queues.ghost_step_events > 5);
    }

    fn check(town: &Town) {
        for citizen in town.citizens() {
            assert!(citizen.holding == NOTHING || citizen.queued == NOTHING, "{citizen:?}");
            let waits = town.objects.iter().flat_map(|state| &state.queue).filter(|entry| entry.seat == citizen.seat);
            assert_eq!(waits.count(), usize::from(citizen.queued != NOTHING));
            let holds = town.objects.iter().filter(|state| state.holder == citizen.seat);
            assert_eq!(holds.count(), usize::from(citizen.holding != NOTHING));
        }
        for (object, state) in town.objects.iter().enumerate() {
            assert!(state.queue.is_empty() || state.holder != NOBODY, "{state:?}");
            if state.holder != NOBODY {
                let holder = town.citizen(state.holder as usize);
                assert_eq!(holder.holding, object as i64);
                assert_eq!(holder.is_running, state.running != NOTHING);
            }
        }
    }

    #[test]
    fn ten_ticks_of_waiting_make_up_for_a_place() {
        let setup = small_setup();
        for (head_start, next) in [(9, 1), (11, 2)] {
            let mut town = town_with(&setup, &[8, 9, 10]);
            town.tick = 50;
            requeue(&mut town, 1, 0);
            requeue(&mut town, 2, 0);
            town.objects[0].queue[1].joined_tick -= head_start;

            town.tick = 60;
            assign_next(&mut town, &setup, 0);

            assert_eq!(town.objects[0].holder, next);
        }
    }
}
