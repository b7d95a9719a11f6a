//! From a state to its words.

use kernel::state_hash::WordWriter;

use crate::belt::Node;
use crate::constants::MAX_NEIGHBORS;
use crate::state::State;

impl State {
    /// Writes every word; asteroids nobody has seen are drawn on the side.
    pub fn write_words(&self, words: &mut WordWriter) {
        self.write_progress(words);
        self.write_belt(words);
        self.write_ship(words);
        self.write_market(words);
        self.write_counters(words);
    }

    fn write_progress(&self, words: &mut WordWriter) {
        words.unsigneds(&[self.rng.state(), self.rng.inc(), self.rng.draws(), self.seed]);
        words.unsigned(self.ticks);
        words.float(self.time_remaining);
        words.unsigned(self.is_over);
        words.unsigneds(&[self.belt.node_count as u64, u64::from(self.ship.node)]);
        words.signed(self.ship.selection.map_or(-1, i64::from));
    }

    fn write_belt(&self, words: &mut WordWriter) {
        let nodes = &self.belt.nodes[..self.belt.node_count];
        for (node, &kind) in nodes.iter().zip(&self.belt.kinds) {
            words.unsigned(kind as u8);
            words.floats(&[node.hazard, node.pirate]);
            words.unsigned(node.hops);
        }
        for node in nodes {
            write_edges(node, words);
        }
        let (makeups, beliefs): (Vec<_>, Vec<_>) =
            (0..self.belt.node_count).map(|node| self.belt.survey(node, self.rng.inc())).unzip();
        for asteroids in makeups {
            words.unsigned(asteroids.len() as u64);
            for makeup in asteroids {
                words.floats(&makeup.true_comp);
                words.floats(&[makeup.richness, makeup.stability, makeup.noise]);
            }
        }
        for believed in beliefs.into_iter().flatten() {
            words.floats(&believed.comp_est);
            words.floats(&[believed.stability_est, believed.scan_conf, believed.depletion]);
        }
    }

    fn write_ship(&self, words: &mut WordWriter) {
        let ship = &self.ship;
        words.floats(&[ship.fuel, ship.hull, ship.heat, ship.tool, ship.alert, ship.credits]);
        words.floats(&ship.cargo);
        words.unsigneds(&[ship.repair_kits, ship.stabilizers, ship.decoys, ship.escape_ticks]);
        words.unsigneds(&ship.stabilize_ticks);
    }

    fn write_market(&self, words: &mut WordWriter) {
        let market = &self.market;
        words.floats(&market.price);
        words.floats(&market.prev_price);
        words.floats(&market.inventory);
        words.floats(&market.phase);
        words.floats(&market.period);
        words.floats(&market.amp);
        words.floats(&market.recent_sales);
    }

    fn write_counters(&self, words: &mut WordWriter) {
        let counters = &self.counters;
        words.floats(&[counters.total_spend, counters.gross_revenue]);
        words.unsigneds(&[counters.overheat_ticks, counters.pirate_encounters]);
        words.float(counters.value_lost_to_pirates);
        words.unsigneds(&[counters.scan_count, counters.mining_ticks]);
        words.floats(&[counters.fuel_used, counters.hull_damage, counters.tool_wear, counters.utilization_sum]);
        words.unsigned(counters.utilization_ticks);
    }
}

fn write_edges(node: &Node, words: &mut WordWriter) {
    for slot in 0..MAX_NEIGHBORS {
        let is_used = slot < usize::from(node.degree);
        words.signed(if is_used { i64::from(node.neighbors[slot]) } else { -1 });
        words.unsigned(node.travel_ticks[slot]);
        words.floats(&[node.fuel[slot], node.threat[slot], node.threat_estimate[slot]]);
    }
}
