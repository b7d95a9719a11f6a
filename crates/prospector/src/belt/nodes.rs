//! Places: their type, how dangerous they are, and the ways out of them.

use kernel::pcg32::Pcg32;

use super::Belt;
use crate::constants::{
    HAZARD_NODE_CHANCE, HAZARD_NODE_EXTRA_HAZARD, HAZARD_NODE_EXTRA_PIRATE, HAZARD_RANGE, MAX_NEIGHBORS, PIRATE_RANGE,
};

/// Type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NodeKind {
    Station = 0,
    Cluster = 1,
    Hazard = 2,
}

/// A place with its ways out; the first `degree` slots of each array are in use, the others are zero.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))] // what a step without travel needs is one cache line
pub(crate) struct Node {
    pub hazard: f64,
    pub pirate: f64,
    pub degree: u8,
    /// Edges to the station.
    pub hops: u8,
    pub neighbors: [u8; MAX_NEIGHBORS],
    pub travel_ticks: [u8; MAX_NEIGHBORS],
    /// Fuel an empty ship burns on each edge.
    pub fuel: [f64; MAX_NEIGHBORS],
    pub threat: [f64; MAX_NEIGHBORS],
    pub threat_estimate: [f64; MAX_NEIGHBORS],
}

impl Node {
    /// A place without danger and without ways out.
    pub const UNCONNECTED: Self = Self {
        hazard: 0.0,
        pirate: 0.0,
        fuel: [0.0; MAX_NEIGHBORS],
        threat: [0.0; MAX_NEIGHBORS],
        threat_estimate: [0.0; MAX_NEIGHBORS],
        neighbors: [0; MAX_NEIGHBORS],
        travel_ticks: [0; MAX_NEIGHBORS],
        degree: 0,
        hops: 0,
    };
}

impl Belt {
    pub(super) fn place_nodes(&mut self, rng: &mut Pcg32) {
        self.nodes[0] = Node::UNCONNECTED;
        self.kinds[0] = NodeKind::Station;
        for (node, kind) in self.nodes[..self.node_count].iter_mut().zip(&mut self.kinds).skip(1) {
            let is_hazard = rng.f64() < HAZARD_NODE_CHANCE;
            let hazard = rng.uniform(HAZARD_RANGE.0, HAZARD_RANGE.1);
            let pirate = rng.uniform(PIRATE_RANGE.0, PIRATE_RANGE.1);
            // Adding zero instead of branching: the draw is not predictable, and both numbers keep below 1.
            let share = f64::from(u8::from(is_hazard));
            *kind = if is_hazard { NodeKind::Hazard } else { NodeKind::Cluster };
            *node = Node {
                hazard: hazard + share * HAZARD_NODE_EXTRA_HAZARD,
                pirate: pirate + share * HAZARD_NODE_EXTRA_PIRATE,
                ..Node::UNCONNECTED
            };
        }
    }
}
