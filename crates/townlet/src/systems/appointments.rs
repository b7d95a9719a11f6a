//! Appointments: whether those who were asked to meet do meet.

use crate::codes::{MAX_SEATS, perturbation_kind, relation_event};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::{SeatList, Town};
use crate::systems::notes::note_meeting;
use crate::systems::presence::zone_of;
use crate::systems::ties::apply_event;

/// A pair is lower seat * this + higher seat.
pub const PAIR_BASE: usize = MAX_SEATS;

/// Whether a citizen is expected somewhere now.
#[inline]
#[must_use]
pub const fn has_appointment(town: &Town, citizen: &Citizen) -> bool {
    let appointment = &citizen.appointment;
    appointment.event != 0 && appointment.from_tick <= town.tick && town.tick < appointment.until_tick
}

/// Notes every pair of participants who are in their zone together for the first time.
pub fn keep_appointments(town: &mut Town, setup: &Setup) {
    for place in 0..town.perturbations.active.len() {
        if town.perturbations.active[place].kind != perturbation_kind::ARRANGED_MEET {
            continue;
        }
        let there = present(town, setup, place);
        for (rank, first) in there.iter().enumerate() {
            for second in there.iter().skip(rank + 1) {
                meet(town, setup, place, first, second);
            }
        }
    }
}

/// Participants of an event who are where they are expected, by ascending seat.
fn present(town: &Town, setup: &Setup, place: usize) -> SeatList {
    let event = &town.perturbations.active[place];
    let mut seats = SeatList::default();
    for seat in town.living() {
        let is_asked = event.participants.contains(&(seat as i64));
        if is_asked && zone_of(town, setup, seat) == event.zone {
            seats.push(seat);
        }
    }
    seats
}

fn meet(town: &mut Town, setup: &Setup, place: usize, first: usize, second: usize) {
    let event = &mut town.perturbations.active[place];
    let pair = (first * PAIR_BASE + second) as i64;
    if event.met.contains(&pair) {
        return;
    }
    event.met.push(pair);
    let (number, zone) = (event.number, event.zone);
    apply_event(town, setup, first, second, relation_event::APPOINTMENT_KEPT);
    let numbers = [town.citizen(first).number, town.citizen(second).number];
    let values = [number as f64, zone as f64, numbers[0] as f64, numbers[1] as f64];
    town.record(EventKind::ArrangedMeetKept, &values);
    note_meeting(town, EventKind::ArrangedMeetKept, first, second, 0.0);
}
