//! The part of the row that tells where the ship is: the node, its neighbors and its asteroids.

use kernel::numerics::normalise6;

use super::View;
use crate::belt::Beliefs;
use crate::constants::{
    HOPS_SCALE, MAX_NEIGHBORS, N_COMMODITIES, NODE_INDEX_SCALE, TRAVEL_FUEL_SCALE, TRAVEL_TICKS_SCALE,
};
use crate::state::State;
use crate::tables::{asteroid_obs, neighbor_obs, obs};

const NEIGHBORS: std::ops::Range<usize> = obs::NEIGHBORS..obs::RESERVED;

/// Entry k: that a slot is in use, and the one-hot type of a node of kind k.
const HEADINGS: [[f32; 4]; 3] = [[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]];

impl View {
    /// Shows the node the ship is at, with everything around it.
    pub fn show_place(&mut self, state: &State) {
        let node = usize::from(state.ship.node);
        self.row[obs::AT_STATION_FLAG] = flag(state.ship.is_docked());
        self.row[obs::CURRENT_NODE_TYPE_ONEHOT..][..3].copy_from_slice(&HEADINGS[state.belt.kinds[node] as usize][1..]);
        self.row[obs::CURRENT_NODE_INDEX_NORM] = (f64::from(state.ship.node) / NODE_INDEX_SCALE) as f32;
        self.row[obs::STEPS_TO_STATION_NORM] = (f64::from(state.here().hops) / HOPS_SCALE) as f32;
        self.show_neighbors(state);
        self.show_asteroids(state);
        self.show_selection(state);
    }

    /// Shows the ways out of the node.
    pub fn show_neighbors(&mut self, state: &State) {
        let node = state.here();
        let (blocks, _) = self.row[NEIGHBORS].as_chunks_mut::<{ neighbor_obs::SIZE }>();
        // Without a branch on whether a slot is in use: the times, fuels and estimates of unused ones are zero.
        for (slot, block) in blocks.iter_mut().enumerate().take(MAX_NEIGHBORS) {
            let is_used = slot < usize::from(node.degree);
            let kind = state.belt.kinds[usize::from(node.neighbors[slot])];
            let heading = if is_used { HEADINGS[kind as usize] } else { [0.0; 4] };
            block[neighbor_obs::VALID..=neighbor_obs::TYPE_ONEHOT + 2].copy_from_slice(&heading);
            block[neighbor_obs::TRAVEL_TIME_NORM] = (f64::from(node.travel_ticks[slot]) / TRAVEL_TICKS_SCALE) as f32;
            block[neighbor_obs::TRAVEL_FUEL_COST_NORM] = (node.fuel[slot] / TRAVEL_FUEL_SCALE) as f32;
            block[neighbor_obs::THREAT_NORM] = node.threat_estimate[slot] as f32;
        }
    }

    /// Shows every asteroid of the node.
    pub fn show_asteroids(&mut self, state: &State) {
        let asteroids = state.belt.beliefs_at(usize::from(state.ship.node));
        self.minable = 0;
        for (slot, beliefs) in asteroids.iter().enumerate() {
            self.show_beliefs(beliefs, slot);
        }
        self.row[obs::ASTEROIDS + asteroid_obs::SIZE * asteroids.len()..obs::PRICE_NORM].fill(0.0);
    }

    /// Shows one asteroid of the node; whether it is selected stays as shown.
    pub fn show_asteroid(&mut self, state: &State, slot: usize) {
        self.show_beliefs(&state.belt.beliefs_at(usize::from(state.ship.node))[slot], slot);
    }

    #[inline]
    fn show_beliefs(&mut self, beliefs: &Beliefs, slot: usize) {
        let block = &mut self.row[obs::ASTEROIDS + asteroid_obs::SIZE * slot..][..asteroid_obs::SIZE];
        block[asteroid_obs::VALID] = 1.0;
        let shares = normalise6(beliefs.comp_est);
        for c in 0..N_COMMODITIES {
            block[asteroid_obs::COMP_EST + c] = shares[c] as f32;
        }
        block[asteroid_obs::STABILITY_EST] = beliefs.stability_est as f32;
        block[asteroid_obs::DEPLETION_FRAC] = beliefs.depletion as f32;
        block[asteroid_obs::SCAN_CONF] = beliefs.scan_conf as f32;
        self.minable = self.minable & !(1 << slot) | u16::from(beliefs.depletion < 1.0) << slot;
    }

    /// Shows which asteroid is selected.
    pub fn show_selection(&mut self, state: &State) {
        if let Some(slot) = self.shown_selection {
            self.row[selected_flag(slot)] = 0.0;
        }
        if let Some(slot) = state.ship.selection {
            self.row[selected_flag(slot)] = 1.0;
        }
        self.row[obs::MINING_ACTIVE_FLAG] = flag(state.ship.selection.is_some());
        self.shown_selection = state.ship.selection;
    }
}

#[inline]
fn selected_flag(slot: u8) -> usize {
    obs::ASTEROIDS + asteroid_obs::SIZE * usize::from(slot) + asteroid_obs::SELECTED_FLAG
}

#[inline]
fn flag(is_set: bool) -> f32 {
    f32::from(u8::from(is_set))
}
