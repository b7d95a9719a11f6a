//! How many edges every node is away from the station.

use super::{Belt, Node};
use crate::constants::MAX_NODES;

impl Belt {
    pub(super) fn count_hops(&mut self) {
        let mut queue = [0_u8; MAX_NODES];
        let mut queued = 1;
        let mut seen = 1_u32;
        for place in 0..self.node_count {
            let Node { neighbors, degree, hops, .. } = self.nodes[usize::from(queue[place])];
            for &neighbor in &neighbors[..usize::from(degree)] {
                if seen >> neighbor & 1 == 0 {
                    seen |= 1 << neighbor;
                    self.nodes[usize::from(neighbor)].hops = hops + 1;
                    queue[queued] = neighbor;
                    queued += 1;
                }
            }
        }
    }
}
