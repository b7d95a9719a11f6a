//! The pilot's ship and what it carries.

use crate::constants::{
    DECOYS_AT_START, FUEL_MAX, HULL_MAX, MAX_ASTEROIDS, N_COMMODITIES, REPAIR_KITS_AT_START, STABILIZERS_AT_START,
    STATION, TOOL_MAX,
};
use crate::market::PerCommodity;

/// The ship, as it leaves the dock at the start of an episode by default.
#[derive(Clone, Debug)]
pub(crate) struct Ship {
    pub fuel: f64,
    pub hull: f64,
    pub heat: f64,
    pub tool: f64,
    pub alert: f64,
    pub credits: f64,
    pub cargo: PerCommodity,
    pub node: u8,
    /// Asteroid slot of the current node.
    pub selection: Option<u8>,
    pub repair_kits: u8,
    pub stabilizers: u8,
    pub decoys: u8,
    pub escape_ticks: u8,
    /// Ticks a stabilizer still holds, per asteroid slot of the current node.
    pub stabilize_ticks: [u8; MAX_ASTEROIDS],
}

impl Default for Ship {
    fn default() -> Self {
        Self {
            fuel: FUEL_MAX,
            hull: HULL_MAX,
            heat: 0.0,
            tool: TOOL_MAX,
            alert: 0.0,
            credits: 0.0,
            cargo: [0.0; N_COMMODITIES],
            node: STATION,
            selection: None,
            repair_kits: REPAIR_KITS_AT_START,
            stabilizers: STABILIZERS_AT_START,
            decoys: DECOYS_AT_START,
            escape_ticks: 0,
            stabilize_ticks: [0; MAX_ASTEROIDS],
        }
    }
}

impl Ship {
    /// Whether the ship is at the station.
    #[inline]
    pub fn is_docked(&self) -> bool {
        self.node == STATION
    }

    /// Units in the hold.
    #[inline]
    pub fn cargo_total(&self) -> f64 {
        self.cargo.iter().fold(0.0, |total, units| total + units)
    }

    /// Worth of the hold at these prices.
    #[inline]
    pub fn cargo_value(&self, prices: &PerCommodity) -> f64 {
        self.cargo.iter().zip(prices).fold(0.0, |value, (units, price)| value + units * price)
    }
}
