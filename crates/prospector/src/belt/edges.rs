//! Edges: a spanning tree, so that every node can be reached, and some more.

use kernel::numerics::{TWO_PI, cos_each, ln_each};
use kernel::pcg32::Pcg32;

use super::Belt;
use crate::bounds::clamp;
use crate::constants::{
    MAX_NEIGHBORS, MAX_NODES, SMALLEST_UNIT, THREAT_ESTIMATE_AT_START, THREAT_SIGMA, TRAVEL_FUEL_RANGE,
    TRAVEL_TICKS_MAX, TRAVEL_TICKS_MIN,
};

/// A tree over all nodes, and at most one more edge per node.
const MAX_EDGES: usize = 2 * MAX_NODES;

/// Where an edge is kept on each of its two sides.
#[derive(Clone, Copy, Default)]
struct Ends {
    nodes: [u8; 2],
    slots: [u8; 2],
}

/// Edges made so far; their threats are computed together at the end, as vector code.
struct Draft {
    ends: [Ends; MAX_EDGES],
    radii: [f64; MAX_EDGES],
    turns: [f64; MAX_EDGES],
    edge_count: usize,
    /// Bit j of entry i: nodes i and j are neighbors.
    adjacency: [u32; MAX_NODES],
    /// Nodes of the tree so far that have a free slot, ascending.
    open: [u8; MAX_NODES],
    open_count: usize,
}

impl Draft {
    fn open(&mut self, node: usize) {
        self.open[self.open_count] = node as u8;
        self.open_count += 1;
    }

    fn close(&mut self, node: usize) {
        if let Some(place) = self.open[..self.open_count].iter().position(|&open| usize::from(open) == node) {
            self.open.copy_within(place + 1..self.open_count, place);
            self.open_count -= 1;
        }
    }
}

impl Belt {
    /// Draws all edges; bit j of entry i of the result says that nodes i and j are neighbors.
    pub(super) fn connect_nodes(&mut self, rng: &mut Pcg32) -> [u32; MAX_NODES] {
        let mut draft = Draft {
            ends: [Ends::default(); MAX_EDGES],
            radii: [0.0; MAX_EDGES],
            turns: [0.0; MAX_EDGES],
            edge_count: 0,
            adjacency: [0; MAX_NODES],
            open: [0; MAX_NODES],
            open_count: 0,
        };
        draft.open(0);
        for node in 1..self.node_count {
            let parent = draft.open[rng.randint_exclusive(0, draft.open_count as i64) as usize];
            self.add_edge(node, usize::from(parent), &mut draft, rng);
            draft.open(node);
        }
        for _ in 0..self.node_count {
            let u = rng.randint_exclusive(0, self.node_count as i64) as usize;
            let v = rng.randint_exclusive(0, self.node_count as i64) as usize;
            let is_full = |node: usize| usize::from(self.nodes[node].degree) == MAX_NEIGHBORS;
            let is_skipped = (u == v) | (draft.adjacency[u] >> v & 1 == 1) | is_full(u) | is_full(v);
            if !is_skipped {
                self.add_edge(u, v, &mut draft, rng);
            }
        }
        self.set_threats(&mut draft);
        draft.adjacency
    }

    fn add_edge(&mut self, u: usize, v: usize, draft: &mut Draft, rng: &mut Pcg32) {
        let ticks = rng.randint_exclusive(i64::from(TRAVEL_TICKS_MIN), i64::from(TRAVEL_TICKS_MAX) + 1) as u8;
        let fuel = rng.uniform(TRAVEL_FUEL_RANGE.0, TRAVEL_FUEL_RANGE.1);
        let radius = rng.f64();
        draft.radii[draft.edge_count] = if radius < SMALLEST_UNIT { SMALLEST_UNIT } else { radius };
        draft.turns[draft.edge_count] = TWO_PI * rng.f64();
        let mut slots = [0; 2];
        for (side, (from, to)) in [(u, v), (v, u)].into_iter().enumerate() {
            let node = &mut self.nodes[from];
            let slot = usize::from(node.degree);
            node.neighbors[slot] = to as u8;
            node.travel_ticks[slot] = ticks;
            node.fuel[slot] = fuel;
            node.threat_estimate[slot] = THREAT_ESTIMATE_AT_START;
            node.degree += 1;
            slots[side] = slot as u8;
            draft.adjacency[from] |= 1 << to;
            if usize::from(node.degree) == MAX_NEIGHBORS {
                draft.close(from);
            }
        }
        draft.ends[draft.edge_count] = Ends { nodes: [u as u8, v as u8], slots };
        draft.edge_count += 1;
    }

    fn set_threats(&mut self, draft: &mut Draft) {
        let radii = &mut draft.radii[..draft.edge_count];
        let turns = &mut draft.turns[..draft.edge_count];
        ln_each(radii);
        cos_each(turns);
        for (ends, (radius, turn)) in draft.ends.iter().zip(radii.iter().zip(turns)) {
            let [u, v] = ends.nodes.map(usize::from);
            let noise = THREAT_SIGMA * ((-2.0 * radius).sqrt() * *turn);
            let hazard = 0.5 * (self.nodes[u].hazard + self.nodes[v].hazard);
            let pirate = 0.5 * (self.nodes[u].pirate + self.nodes[v].pirate);
            let threat = clamp(hazard + pirate + noise, 0.0, 1.0);
            self.nodes[u].threat[usize::from(ends.slots[0])] = threat;
            self.nodes[v].threat[usize::from(ends.slots[1])] = threat;
        }
    }
}
