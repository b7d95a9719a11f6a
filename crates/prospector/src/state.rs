//! What a belt consists of at one moment.

use kernel::pcg32::Pcg32;

use crate::belt::{Belt, Node};
use crate::constants::{RNG_STREAM, STATION};
use crate::market::Market;
use crate::ship::Ship;

/// What has happened since the episode began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    pub total_spend: f64,
    pub gross_revenue: f64,
    pub value_lost_to_pirates: f64,
    pub fuel_used: f64,
    pub hull_damage: f64,
    pub tool_wear: f64,
    /// Load share times ticks.
    pub utilization_sum: f64,
    pub utilization_ticks: u32,
    pub overheat_ticks: u32,
    pub pirate_encounters: u32,
    pub scan_count: u32,
    pub mining_ticks: u32,
}

/// A whole belt with its ship, its market and its random stream.
#[derive(Clone, Debug)]
#[repr(C)] // what every step touches comes first
pub(crate) struct State {
    pub rng: Pcg32,
    pub seed: u64,
    pub time_remaining: f64,
    pub ticks: u32,
    pub is_over: bool,
    pub ship: Ship,
    pub market: Market,
    pub counters: Counters,
    /// Units in the hold as the last step left it.
    pub hold_total: f64,
    /// Worth of the hold at the market's prices.
    pub hold_value: f64,
    pub belt: Belt,
}

impl State {
    /// A state before the first reset: nothing can be done in it but reset it.
    pub fn unstarted() -> Self {
        Self {
            rng: Pcg32::from_seed(0, RNG_STREAM),
            seed: 0,
            time_remaining: 0.0,
            ticks: 0,
            is_over: true,
            ship: Ship::default(),
            market: Market::default(),
            counters: Counters::default(),
            hold_total: 0.0,
            hold_value: 0.0,
            belt: Belt::empty(),
        }
    }

    /// Starts the episode of this seed.
    pub fn start(&mut self, seed: u64, time_max: f64) {
        self.rng = Pcg32::from_seed(seed, RNG_STREAM);
        self.seed = seed;
        self.time_remaining = time_max;
        self.ticks = 0;
        self.is_over = false;
        self.ship = Ship::default();
        self.counters = Counters::default();
        self.hold_total = 0.0;
        self.hold_value = 0.0;
        self.belt.generate(&mut self.rng);
        self.market = Market::open(&mut self.rng);
        self.arrive(STATION);
    }

    /// Puts the ship at a node; what waits there is drawn if nobody has been there.
    pub fn arrive(&mut self, node: u8) {
        self.ship.node = node;
        self.belt.visit(usize::from(node), self.rng.inc());
    }

    /// The node the ship is at.
    #[inline]
    pub fn here(&self) -> &Node {
        &self.belt.nodes[usize::from(self.ship.node)]
    }

    /// The node the ship is at, to be changed.
    #[inline]
    pub fn here_mut(&mut self) -> &mut Node {
        &mut self.belt.nodes[usize::from(self.ship.node)]
    }

    /// Values the hold anew, after prices or cargo have changed.
    #[inline]
    pub fn value_hold(&mut self) {
        self.hold_value = self.ship.cargo_value(&self.market.price);
    }
}
