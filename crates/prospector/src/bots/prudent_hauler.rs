//! `prudent_hauler`: short trips to rocks that pay for their risk, repairs in time, stops while ahead.

use kernel::bots::Bot;
use kernel::numerics::sigmoid;

use super::moves::{dig, first_best, refit, sell_largest, travel, trip_score};
use super::view::{Asteroid, View};
use crate::constants::N_COMMODITIES;
use crate::tables::{N_ACTIONS, OBS_DIM, act, obs};

/// What a hauler remembers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Bit s: the rocks behind slot s of the station are exhausted.
    exhausted_slots: u64,
    /// Slot by which it last left the station.
    slot_left_by: Option<usize>,
    /// Bit n: it has scanned node n.
    scanned_nodes: u64,
}

/// The strong baseline of prospector.md 15.5.
#[derive(Clone, Copy, Debug)]
pub struct PrudentHauler;

impl Bot for PrudentHauler {
    type Memory = Memory;

    const MEMORY_WORDS: usize = 3;

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
        let slot = memory.slot_left_by.map_or(0, |slot| slot as u64 + 1);
        words.copy_from_slice(&[memory.exhausted_slots, slot, memory.scanned_nodes]);
    }

    fn read_memory(words: &[u64]) -> Memory {
        Memory {
            exhausted_slots: words[0],
            slot_left_by: words[1].checked_sub(1).map(|slot| slot as usize),
            scanned_nodes: words[2],
        }
    }
}

fn at_station(view: View<'_>, memory: &mut Memory) -> usize {
    sell_largest(view).or_else(|| refit(view)).unwrap_or_else(|| set_out(view, memory))
}

fn set_out(view: View<'_>, memory: &mut Memory) -> usize {
    let open = view.neighbors().filter(|neighbor| memory.exhausted_slots >> neighbor.slot & 1 == 0);
    match first_best(open, trip_score) {
        Some((destination, _)) if view.at(obs::HULL_FRAC) >= 0.70 => {
            memory.slot_left_by = Some(destination.slot);
            travel(Some(destination))
        }
        _ => usize::from(act::CASH_OUT_END_EPISODE),
    }
}

fn in_field(view: View<'_>, memory: &mut Memory) -> usize {
    let Some(home) = view.neighbors().find(|neighbor| neighbor.is_station) else {
        return travel(view.neighbors().next());
    };
    let is_due = view.at(obs::HULL_FRAC) < 0.60
        || view.at(obs::FUEL_FRAC) < 0.24 * home.fuel + 0.03
        || view.at(obs::ALERT_FRAC) > 0.60
        || view.at(obs::CARGO_LOAD_FRAC) > 0.25;
    if is_due {
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
    let prospect = Prospect::of(view);
    let rocks = view.asteroids().filter(|asteroid| !asteroid.is_gone());
    match first_best(rocks, |rock| prospect.utility(rock)) {
        Some((target, utility)) if utility >= 0.0 => dig(view, &target),
        _ => {
            if let Some(slot) = memory.slot_left_by {
                memory.exhausted_slots |= 1 << slot;
            }
            travel(Some(home))
        }
    }
}

/// What digging a rock once seems to be worth, in thousands of credits, against the risk of shattering it.
struct Prospect {
    prices: [f64; N_COMMODITIES],
    tool: f64,
}

impl Prospect {
    fn of(view: View<'_>) -> Self {
        Self { prices: view.prices_in_credits(), tool: view.at(obs::TOOL_FRAC) }
    }

    fn utility(&self, rock: &Asteroid) -> f64 {
        let income = 1.1 * (1.0 - rock.depletion) * rock.unit_value(&self.prices);
        let fracture = sigmoid(-3.8 + 2.5 * (1.0 - rock.stability) + 1.5 * (1.0 - self.tool));
        0.85 * income / 1000.0 - 0.06 * (9.0 * fracture + 0.25)
    }
}
