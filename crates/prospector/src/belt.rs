//! The belt: nodes, the edges between them, and the asteroids at each, drawn when they are first needed.

mod asteroids;
mod edges;
mod fields;
mod hops;
mod nodes;

use kernel::pcg32::Pcg32;

pub(crate) use asteroids::{Beliefs, Makeup};
pub(crate) use fields::Field;
pub(crate) use nodes::{Node, NodeKind};

use crate::constants::{MAX_NODES, NODES_MIN};

/// Every place of an episode.
#[derive(Clone, Debug)]
#[repr(C)] // what a step may touch comes before the places it may not be at
pub(crate) struct Belt {
    pub node_count: usize,
    /// Types of all nodes side by side, since a pilot sees those of the neighbors.
    pub kinds: [NodeKind; MAX_NODES],
    pub nodes: [Node; MAX_NODES],
    pub fields: [Field; MAX_NODES],
    /// What is believed about the asteroids of the nodes visited so far; its capacity outlives the episode.
    pub beliefs: Vec<Beliefs>,
    /// What these asteroids are, as far as `fields` says that it has been drawn; it only ever grows.
    makeups: Vec<Makeup>,
}

impl Belt {
    /// A belt without places, to be filled by `generate`.
    pub fn empty() -> Self {
        Self {
            node_count: 1,
            kinds: [NodeKind::Station; MAX_NODES],
            nodes: [Node::UNCONNECTED; MAX_NODES],
            fields: [Field::NONE; MAX_NODES],
            beliefs: Vec::new(),
            makeups: Vec::new(),
        }
    }

    /// Draws a new belt; the generator ends where drawing every asteroid would have left it.
    pub fn generate(&mut self, rng: &mut Pcg32) {
        self.node_count = rng.randint_exclusive(NODES_MIN as i64, MAX_NODES as i64 + 1) as usize;
        self.place_nodes(rng);
        let adjacency = self.connect_nodes(rng);
        self.count_hops(&adjacency);
        self.scatter_fields(rng);
    }
}
