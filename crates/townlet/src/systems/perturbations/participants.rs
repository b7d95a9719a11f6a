//! Who is asked to meet.

use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::ties::rivalry_of;
use crate::tables::rows::PerturbationRow;

/// Seats of those who are asked; fewer than two if there are not enough who may be asked again.
///
/// The worst rivals come first, of equals those who were asked less often, then lower seats. Without any rivalry, or
/// where anybody will do, the list is shuffled: the only case that draws.
pub fn pick_participants(town: &mut Town, setup: &Setup, row: &PerturbationRow) -> Vec<i64> {
    let mut seats: Vec<i64> =
        town.citizens().filter(|citizen| town.tick >= citizen.meet_ready_tick).map(|citizen| citizen.seat).collect();
    if seats.len() < 2 {
        return Vec::new();
    }
    if row.picks_rivals
        && let Some((first, second)) = worst_rivals(town, setup, &seats)
    {
        return vec![first, second];
    }
    town.streams.events.shuffle(&mut seats);
    seats.truncate(if row.picks_rivals { 2 } else { row.max_participants as usize });
    seats
}

fn worst_rivals(town: &Town, setup: &Setup, seats: &[i64]) -> Option<(i64, i64)> {
    let (mut best, mut best_key) = (None, (0.0, 0));
    for (place, &first) in seats.iter().enumerate() {
        for &second in &seats[place + 1..] {
            let (one, other) = (first as usize, second as usize);
            let rivalry = rivalry_of(town, setup, one, other) + rivalry_of(town, setup, other, one);
            let asked = town.citizen(one).tally.selections + town.citizen(other).tally.selections;
            let key = (rivalry, -asked);
            if rivalry > 0.0 && (best.is_none() || key > best_key) {
                (best, best_key) = (Some((first, second)), key);
            }
        }
    }
    best
}
