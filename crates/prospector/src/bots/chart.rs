//! The map of the belt that a pilot draws while it flies, and the cheapest ways through it.

use super::view::View;
use crate::constants::{FUEL_MAX, MAX_NEIGHBORS, MAX_NODES, STATION, TRAVEL_FUEL_SCALE};

/// Words a chart is stored in.
pub(super) const CHART_WORDS: usize = MAX_NODES * (1 + MAX_NEIGHBORS * EXIT_WORDS);
const EXIT_WORDS: usize = 3;
const COST_PER_TIME: f64 = 8.0;
const COST_PER_FUEL: f64 = 1.6;
const COST_OF_HAZARD: f64 = 6.0;
const TANK_PER_FUEL: f64 = TRAVEL_FUEL_SCALE / FUEL_MAX;
const IS_EXIT: u64 = 1;
const IS_STATION: u64 = 2;
const IS_HAZARD: u64 = 4;
const DESTINATION_SHIFT: u32 = 8;

/// A way out of a visited node; quantities are the normalized entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    time: f64,
    fuel: f64,
    pub is_station: bool,
    is_hazard: bool,
    /// The node it leads to; none if no visited node shares the way.
    pub leads_to: Option<usize>,
}

impl Exit {
    fn cost(&self) -> f64 {
        COST_PER_TIME * self.time + COST_PER_FUEL * self.fuel + if self.is_hazard { COST_OF_HAZARD } else { 0.0 }
    }
}

/// The cheapest known way to a node: its cost, the slot it begins with, and its share of a full tank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub cost: f64,
    pub slot: Option<usize>,
    pub tank: f64,
}

impl Route {
    /// The route that goes on through an exit; `slot` is its first one if this route is empty.
    pub fn then(self, way: &Exit, slot: usize) -> Self {
        Self {
            cost: self.cost + way.cost(),
            slot: self.slot.or(Some(slot)),
            tank: self.tank + TANK_PER_FUEL * way.fuel,
        }
    }
}

type Exits = [Option<Exit>; MAX_NEIGHBORS];

/// What is known of the nodes, by their index: exits by slot, none where the pilot has not been, and hops to go.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    exits: [Exits; MAX_NODES],
    pub hops: [usize; MAX_NODES],
}

impl Chart {
    /// The exits of a node with their slots.
    pub fn exits(&self, node: usize) -> impl Iterator<Item = (usize, &Exit)> {
        self.exits[node].iter().enumerate().filter_map(|(slot, way)| way.as_ref().map(|way| (slot, way)))
    }

    /// Whether the pilot has been at a node.
    pub fn is_visited(&self, node: usize) -> bool {
        self.exits[node].iter().any(Option::is_some)
    }

    /// Draws the node the ship is at, if it is new.
    pub fn visit(&mut self, view: View<'_>) {
        let node = view.node();
        if self.is_visited(node) {
            return;
        }
        self.hops[node] = view.hops_to_station();
        for neighbor in view.neighbors() {
            let mut way = Exit {
                time: neighbor.time,
                fuel: neighbor.fuel,
                is_station: neighbor.is_station,
                is_hazard: neighbor.is_hazard,
                leads_to: neighbor.is_station.then_some(usize::from(STATION)),
            };
            for other in (0..MAX_NODES).filter(|&other| other != node) {
                for back in self.exits[other].iter_mut().flatten() {
                    if (back.time, back.fuel) == (way.time, way.fuel) {
                        (way.leads_to, back.leads_to) = (Some(other), Some(node));
                    }
                }
            }
            self.exits[node][neighbor.slot] = Some(way);
        }
    }

    /// The cheapest known route from a node to each node.
    pub fn routes(&self, start: usize) -> [Option<Route>; MAX_NODES] {
        let mut routes = [None; MAX_NODES];
        routes[start] = Some(Route { cost: 0.0, slot: None, tank: 0.0 });
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for node in 0..MAX_NODES {
                let Some(here) = routes[node] else { continue };
                for (slot, way) in self.exits(node) {
                    let Some(next) = way.leads_to else { continue };
                    if routes[next].is_none_or(|known: Route| here.cost + way.cost() < known.cost) {
                        routes[next] = Some(here.then(way, slot));
                        is_settled = false;
                    }
                }
            }
        }
        routes
    }

    /// Writes the chart as `CHART_WORDS` words.
    pub fn write(&self, words: &mut [u64]) {
        for (node, words) in words.chunks_exact_mut(CHART_WORDS / MAX_NODES).enumerate() {
            words[0] = self.hops[node] as u64;
            for (way, words) in self.exits[node].iter().zip(words[1..].chunks_exact_mut(EXIT_WORDS)) {
                words.copy_from_slice(&way.as_ref().map_or([0; EXIT_WORDS], exit_words));
            }
        }
    }

    /// The chart that such words stand for.
    pub fn read(words: &[u64]) -> Self {
        let mut chart = Self::default();
        for (node, words) in words.chunks_exact(CHART_WORDS / MAX_NODES).enumerate() {
            chart.hops[node] = words[0] as usize;
            for (way, words) in chart.exits[node].iter_mut().zip(words[1..].chunks_exact(EXIT_WORDS)) {
                *way = (words[0] & IS_EXIT != 0).then(|| read_exit(words));
            }
        }
        chart
    }
}

fn exit_words(way: &Exit) -> [u64; EXIT_WORDS] {
    let flags = IS_EXIT + IS_STATION * u64::from(way.is_station) + IS_HAZARD * u64::from(way.is_hazard);
    let destination = way.leads_to.map_or(0, |node| node as u64 + 1);
    [flags | destination << DESTINATION_SHIFT, way.time.to_bits(), way.fuel.to_bits()]
}

fn read_exit(words: &[u64]) -> Exit {
    let destination = (words[0] >> DESTINATION_SHIFT) as usize;
    Exit {
        time: f64::from_bits(words[1]),
        fuel: f64::from_bits(words[2]),
        is_station: words[0] & IS_STATION != 0,
        is_hazard: words[0] & IS_HAZARD != 0,
        // Memories come from files as well: no word may lead out of the tables.
        leads_to: destination.checked_sub(1).map(|node| node.min(MAX_NODES - 1)),
    }
}
