//! One observation row, read by name and in binary64.

use kernel::numerics::{exp, log1p, round_half_up};

use crate::constants::{
    CARGO_MAX, CREDITS_CAP, MAX_ASTEROIDS, MAX_NEIGHBORS, MAX_NODES, N_COMMODITIES, PRICE_MAX, PRICE_MIN, STATION,
};
use crate::tables::{asteroid_obs, neighbor_obs, obs};

const HAZARD: usize = 2;
const GONE: f64 = 0.999; // pilots take a rock of this depletion for dug out

/// A used neighbor slot; quantities are the normalized entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbor {
    pub slot: usize,
    pub is_station: bool,
    pub is_hazard: bool,
    pub time: f64,
    pub fuel: f64,
    pub threat: f64,
}

/// An existing asteroid slot of the current node; quantities are estimates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asteroid {
    pub slot: usize,
    pub composition: [f64; N_COMMODITIES],
    pub stability: f64,
    pub depletion: f64,
    pub is_selected: bool,
}

impl Asteroid {
    /// Whether nothing worth digging is left.
    pub fn is_gone(&self) -> bool {
        self.depletion >= GONE
    }

    /// What a unit of the rock seems to be worth.
    pub fn unit_value(&self, prices: &[f64; N_COMMODITIES]) -> f64 {
        prices.iter().zip(self.composition).fold(0.0, |value, (price, share)| value + price * share)
    }
}

/// What a pilot sees; shares and fractions run from 0 to 1.
#[derive(Clone, Copy)]
pub(super) struct View<'a>(&'a [f32]);

impl<'a> View<'a> {
    pub fn of(row: &'a [f32]) -> Self {
        Self(row)
    }

    /// An entry; single precision is widened, never rounded again.
    pub fn at(self, place: usize) -> f64 {
        f64::from(self.0[place])
    }

    pub fn is_at_station(self) -> bool {
        self.at(obs::AT_STATION_FLAG) == 1.0
    }

    /// Entries of all commodities.
    pub fn commodities(self, place: usize) -> [f64; N_COMMODITIES] {
        std::array::from_fn(|commodity| self.at(place + commodity))
    }

    /// Prices per unit, in credits.
    pub fn prices_in_credits(self) -> [f64; N_COMMODITIES] {
        let shares = self.commodities(obs::PRICE_NORM);
        std::array::from_fn(|c| PRICE_MIN[c] + shares[c] * (PRICE_MAX[c] - PRICE_MIN[c]))
    }

    /// What the hold would bring at present prices, in credits.
    pub fn hold_value(self) -> f64 {
        let cargo = self.commodities(obs::CARGO_BY_COMMODITY_FRAC);
        let prices = self.prices_in_credits();
        prices.iter().zip(cargo).fold(0.0, |value, (price, share)| value + CARGO_MAX * share * price)
    }

    /// Credits, recovered from their logarithm.
    pub fn credits(self) -> f64 {
        exp(self.at(obs::CREDITS_LOG_NORM) * log1p(CREDITS_CAP)) - 1.0
    }

    /// Index of the current node.
    pub fn node(self) -> usize {
        round_half_up(self.at(obs::CURRENT_NODE_INDEX_NORM) * (MAX_NODES - 1) as f64) as usize
    }

    /// Legs of the shortest way to the station.
    pub fn hops_to_station(self) -> usize {
        round_half_up(self.at(obs::STEPS_TO_STATION_NORM) * (MAX_NODES - 1) as f64) as usize
    }

    /// The used neighbor slots, lowest first.
    pub fn neighbors(self) -> impl Iterator<Item = Neighbor> + 'a {
        (0..MAX_NEIGHBORS).filter_map(move |slot| {
            let first = obs::NEIGHBORS + slot * neighbor_obs::SIZE;
            let kind = |kind: usize| self.at(first + neighbor_obs::TYPE_ONEHOT + kind) == 1.0;
            (self.at(first + neighbor_obs::VALID) == 1.0).then(|| Neighbor {
                slot,
                is_station: kind(usize::from(STATION)),
                is_hazard: kind(HAZARD),
                time: self.at(first + neighbor_obs::TRAVEL_TIME_NORM),
                fuel: self.at(first + neighbor_obs::TRAVEL_FUEL_COST_NORM),
                threat: self.at(first + neighbor_obs::THREAT_NORM),
            })
        })
    }

    /// The existing asteroid slots, lowest first.
    pub fn asteroids(self) -> impl Iterator<Item = Asteroid> + 'a {
        (0..MAX_ASTEROIDS).filter_map(move |slot| {
            let first = obs::ASTEROIDS + slot * asteroid_obs::SIZE;
            (self.at(first + asteroid_obs::VALID) == 1.0).then(|| Asteroid {
                slot,
                composition: self.commodities(first + asteroid_obs::COMP_EST),
                stability: self.at(first + asteroid_obs::STABILITY_EST),
                depletion: self.at(first + asteroid_obs::DEPLETION_FRAC),
                is_selected: self.at(first + asteroid_obs::SELECTED_FLAG) == 1.0,
            })
        })
    }
}
