//! `refiner`: brings home little at a time, digs rocks until they shatter, and refines cheap metal in the harbor.

use kernel::bots::Bot;

use super::moves::{dig, first_best, refine, refit, rock_to_dig, sell_largest, travel, trip_score};
use super::view::{Neighbor, View};
use crate::constants::MAX_NEIGHBORS;
use crate::tables::{N_ACTIONS, OBS_DIM, act, obs};

const HOLD_VALUE_LIMIT: f64 = 600.0; // credits
const WORTH_A_DIG: f64 = 10.0; // credits
const LAST_TRIP: f64 = 0.03; // share of time left
const LAST_CALL: f64 = 0.012;

/// What a refiner remembers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Time and fuel of every way out of the station; zeros where there is none.
    ways: [(f64, f64); MAX_NEIGHBORS],
    /// Bit s: the rocks behind slot s of the station are exhausted.
    exhausted_slots: u64,
    /// Bit n: it has scanned node n.
    scanned_nodes: u64,
}

/// Goes to a rock next door to the station until none is worth a dig, then cashes out.
#[derive(Clone, Copy, Debug)]
pub struct Refiner;

impl Bot for Refiner {
    type Memory = Memory;

    const MEMORY_WORDS: usize = 2 * MAX_NEIGHBORS + 2;

    fn heads(&self) -> usize {
        1
    }

    fn can_read(&self, obs_width: usize, options: usize) -> bool {
        (obs_width, options) == (OBS_DIM, N_ACTIONS)
    }

    fn recall_nothing(&self, _episode_seed: u64) -> Memory {
        Memory::default()
    }

    fn act(&self, memory: &mut Memory, obs: &[f32], _mask: &[u8], decision: &mut [i32]) {
        let view = View::of(obs);
        let action = if view.is_at_station() { at_station(view, memory) } else { in_field(view, memory) };
        decision[0] = action as i32;
    }

    fn write_memory(memory: &Memory, words: &mut [u64]) {
        let (ways, rest) = words.split_at_mut(2 * MAX_NEIGHBORS);
        for (pair, (time, fuel)) in ways.chunks_exact_mut(2).zip(memory.ways) {
            pair.copy_from_slice(&[time.to_bits(), fuel.to_bits()]);
        }
        rest.copy_from_slice(&[memory.exhausted_slots, memory.scanned_nodes]);
    }

    fn read_memory(words: &[u64]) -> Memory {
        let (ways, rest) = words.split_at(2 * MAX_NEIGHBORS);
        Memory {
            ways: std::array::from_fn(|slot| (f64::from_bits(ways[2 * slot]), f64::from_bits(ways[2 * slot + 1]))),
            exhausted_slots: rest[0],
            scanned_nodes: rest[1],
        }
    }
}

fn at_station(view: View<'_>, memory: &mut Memory) -> usize {
    refine(view).or_else(|| sell_largest(view)).or_else(|| refit(view)).unwrap_or_else(|| set_out(view, memory))
}

fn set_out(view: View<'_>, memory: &mut Memory) -> usize {
    for neighbor in view.neighbors() {
        memory.ways[neighbor.slot] = way(&neighbor);
    }
    let open = view.neighbors().filter(|neighbor| memory.exhausted_slots >> neighbor.slot & 1 == 0);
    let may_go = view.at(obs::HULL_FRAC) >= 0.70 && view.at(obs::TIME_FRAC) >= LAST_TRIP;
    match first_best(open, trip_score) {
        Some((destination, _)) if may_go => travel(Some(destination)),
        _ => usize::from(act::CASH_OUT_END_EPISODE),
    }
}

fn in_field(view: View<'_>, memory: &mut Memory) -> usize {
    let Some(home) = view.neighbors().find(|neighbor| neighbor.is_station) else {
        return travel(view.neighbors().next());
    };
    let is_worn = view.at(obs::HULL_FRAC) < 0.50
        || view.at(obs::FUEL_FRAC) < 0.24 * home.fuel + 0.03
        || view.at(obs::ALERT_FRAC) > 0.60;
    if is_worn || view.at(obs::TIME_FRAC) < LAST_CALL || view.hold_value() > HOLD_VALUE_LIMIT {
        return travel(Some(home));
    }
    if view.at(obs::HEAT_FRAC) > 0.75 {
        return usize::from(act::ACTIVE_COOLDOWN);
    }
    let node = 1 << view.node();
    if memory.scanned_nodes & node == 0 {
        memory.scanned_nodes |= node;
        return usize::from(act::WIDE_SCAN);
    }
    match rock_to_dig(view, WORTH_A_DIG) {
        Some(target) => dig(view, &target),
        None => {
            if let Some(slot) = memory.ways.iter().position(|known| *known == way(&home)) {
                memory.exhausted_slots |= 1 << slot;
            }
            travel(Some(home))
        }
    }
}

/// Time and fuel of a way, which no other way shares: it looks the same from both ends.
fn way(neighbor: &Neighbor) -> (f64, f64) {
    (neighbor.time, neighbor.fuel)
}
