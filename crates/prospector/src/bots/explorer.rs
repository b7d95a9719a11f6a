//! `explorer`: works the rocks two legs around the station, on a chart that it draws as it goes.

use kernel::bots::Bot;

use super::chart::{CHART_WORDS, Chart, Route};
use super::moves::{refine, rock_to_dig, sell_largest};
use super::view::View;
use crate::constants::{FUEL_COSTS, MAX_NODES, OVERHAUL_COST, STATION};
use crate::tables::{N_ACTIONS, OBS_DIM, act, obs};

const MAX_HOPS: usize = 2;
const WORTH_A_BURN: f64 = 300.0; // credits
const WORTH_A_DIG: f64 = 10.0; // credits
const FIT_TO_LEAVE: f64 = 0.65; // hull
const FUEL_RESERVE: f64 = 0.03; // of the tank, beside what the load adds to the way home
const LOAD_FACTOR: f64 = 1.3;
const LAST_TRIP: f64 = 0.03; // share of time left
const LAST_CALL_PER_HOP: f64 = 0.012;

/// When a ship goes home: with less hull or fuel, or with more alert or credits aboard.
struct Limits {
    hull: f64,
    fuel: f64,
    alert: f64,
    hold_value: f64,
}

const NEXT_DOOR: Limits = Limits { hull: 0.40, fuel: 0.20, alert: 0.60, hold_value: 800.0 };
const FAR_OUT: Limits = Limits { hull: 0.50, fuel: 0.40, alert: 0.60, hold_value: 1400.0 };
const BEFORE_GOING_ON: Limits = Limits { hull: 0.65, fuel: 0.55, alert: 0.40, hold_value: 250.0 };

impl Limits {
    /// Whether the ship is beyond one of them.
    fn are_passed(&self, view: View<'_>) -> bool {
        let is_worn = view.at(obs::HULL_FRAC) < self.hull || view.at(obs::FUEL_FRAC) < self.fuel;
        is_worn || view.at(obs::ALERT_FRAC) > self.alert || view.hold_value() > self.hold_value
    }
}

/// What an explorer remembers.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    chart: Chart,
    /// Bit n: it has scanned node n.
    scanned_nodes: u64,
    /// Bit n: node n has no rock worth a dig.
    exhausted_nodes: u64,
    has_burned: bool,
}

/// Goes to the cheapest place that may have rocks until there is none, then cashes out.
#[derive(Clone, Copy, Debug)]
pub struct Explorer;

impl Bot for Explorer {
    type Memory = Memory;

    const MEMORY_WORDS: usize = CHART_WORDS + 3;

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
        memory.chart.visit(view);
        let action = if view.is_at_station() { at_station(view, memory) } else { in_field(view, memory) };
        decision[0] = action as i32;
    }

    fn write_memory(memory: &Memory, words: &mut [u64]) {
        let (chart, rest) = words.split_at_mut(CHART_WORDS);
        memory.chart.write(chart);
        rest.copy_from_slice(&[memory.scanned_nodes, memory.exhausted_nodes, u64::from(memory.has_burned)]);
    }

    fn read_memory(words: &[u64]) -> Memory {
        let (chart, rest) = words.split_at(CHART_WORDS);
        Memory { chart: Chart::read(chart), scanned_nodes: rest[0], exhausted_nodes: rest[1], has_burned: rest[2] != 0 }
    }
}

fn at_station(view: View<'_>, memory: &mut Memory) -> usize {
    if let Some(business) = refine(view).or_else(|| sell_largest(view)).or_else(|| refit(view)) {
        return business;
    }
    let may_go = view.at(obs::HULL_FRAC) >= FIT_TO_LEAVE && view.at(obs::TIME_FRAC) >= LAST_TRIP;
    match destination(view, memory, &memory.chart.routes(usize::from(STATION))) {
        Some(route) if may_go => travel(&route),
        _ => usize::from(act::CASH_OUT_END_EPISODE),
    }
}

fn in_field(view: View<'_>, memory: &mut Memory) -> usize {
    let routes = memory.chart.routes(view.node());
    let onward = destination(view, memory, &routes);
    let Some(home) = routes[usize::from(STATION)] else {
        // Only a ship that was put here does not know the way.
        return onward.map_or(usize::from(act::TRAVEL_NEIGHBOR), |route| travel(&route));
    };
    if must_go_home(view, &home) {
        return depart(view, memory, &home);
    }
    if view.at(obs::HEAT_FRAC) > 0.75 {
        return usize::from(act::ACTIVE_COOLDOWN);
    }
    let node = 1 << view.node();
    if memory.exhausted_nodes & node == 0 {
        if memory.scanned_nodes & node == 0 {
            memory.scanned_nodes |= node;
            return usize::from(act::WIDE_SCAN);
        }
        match rock_to_dig(view, WORTH_A_DIG) {
            Some(rock) if rock.is_selected => return usize::from(act::MINE_CONSERVATIVE_SELECTED),
            Some(rock) => return usize::from(act::SELECT_ASTEROID) + rock.slot,
            None => memory.exhausted_nodes |= node,
        }
    }
    let next = onward.filter(|route| may_go_on(view, &home, route)).unwrap_or(home);
    depart(view, memory, &next)
}

/// Burns before a leg with a hold worth taking; legs into the station are safe.
fn depart(view: View<'_>, memory: &mut Memory, route: &Route) -> usize {
    let is_safe = memory.chart.exits(view.node()).any(|(slot, way)| Some(slot) == route.slot && way.is_station);
    let is_worth_it = view.hold_value() > WORTH_A_BURN && view.at(obs::FUEL_FRAC) > 0.25;
    memory.has_burned = is_worth_it && !is_safe && !memory.has_burned;
    if memory.has_burned { usize::from(act::EMERGENCY_BURN) } else { travel(route) }
}

/// The cheapest route to a node with rocks or through an exit into the unknown.
fn destination(view: View<'_>, memory: &Memory, routes: &[Option<Route>; MAX_NODES]) -> Option<Route> {
    let mut best: Option<Route> = None;
    let mut offer = |candidate: Route| {
        if best.is_none_or(|best| candidate.cost < best.cost) {
            best = Some(candidate);
        }
    };
    for (node, route) in routes.iter().enumerate() {
        let Some(route) = *route else { continue };
        let is_elsewhere = node != usize::from(STATION) && node != view.node() && memory.chart.is_visited(node);
        let hops = memory.chart.hops[node];
        if is_elsewhere && memory.exhausted_nodes >> node & 1 == 0 && hops <= MAX_HOPS {
            offer(route);
        }
        if hops < MAX_HOPS {
            let unknown = memory.chart.exits(node).filter(|(_, way)| way.leads_to.is_none());
            unknown.for_each(|(slot, way)| offer(route.then(way, slot)));
        }
    }
    best
}

fn must_go_home(view: View<'_>, home: &Route) -> bool {
    let hops = view.hops_to_station();
    let is_low = view.at(obs::FUEL_FRAC) < LOAD_FACTOR * home.tank + FUEL_RESERVE
        || view.at(obs::TIME_FRAC) < LAST_CALL_PER_HOP * hops as f64;
    is_low || if hops <= 1 { NEXT_DOOR } else { FAR_OUT }.are_passed(view)
}

/// Whether ship and tank bear the way there and back from here.
fn may_go_on(view: View<'_>, home: &Route, destination: &Route) -> bool {
    let there_and_back = LOAD_FACTOR * (home.tank + 2.0 * destination.tank);
    view.at(obs::FUEL_FRAC) >= there_and_back + FUEL_RESERVE && !BEFORE_GOING_ON.are_passed(view)
}

/// The next action that readies the ship for a trip; none if it is ready.
fn refit(view: View<'_>) -> Option<usize> {
    let [_, _, fuel_large_cost] = FUEL_COSTS;
    let is_worn = view.at(obs::HULL_FRAC) < 0.70 || view.at(obs::TOOL_FRAC) < 0.85;
    let action = if is_worn && view.credits() >= OVERHAUL_COST {
        act::FULL_REPAIR_OVERHAUL
    } else if view.at(obs::FUEL_FRAC) < 0.65 && view.credits() >= fuel_large_cost {
        act::BUY_FUEL_LARGE
    } else if view.at(obs::ALERT_FRAC) > 1e-6 {
        act::DOCK
    } else if view.at(obs::HEAT_FRAC) > 0.20 {
        act::HOLD_DRIFT
    } else {
        return None;
    };
    Some(usize::from(action))
}

fn travel(route: &Route) -> usize {
    usize::from(act::TRAVEL_NEIGHBOR) + route.slot.unwrap_or(0)
}
