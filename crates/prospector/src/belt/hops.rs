//! How many edges every node is away from the station.

use super::Belt;
use crate::constants::MAX_NODES;

impl Belt {
    /// Breadth-first from the station; bit j of `adjacency[i]` says that nodes i and j are neighbors.
    pub(super) fn count_hops(&mut self, adjacency: &[u32; MAX_NODES]) {
        let mut frontier = 1_u32;
        let mut seen = 1_u32;
        let mut hops = 0;
        while frontier != 0 {
            let mut reached = 0;
            while frontier != 0 {
                let node = frontier.trailing_zeros() as usize;
                self.nodes[node].hops = hops;
                reached |= adjacency[node];
                frontier &= frontier - 1;
            }
            frontier = reached & !seen;
            seen |= reached;
            hops += 1;
        }
    }
}
