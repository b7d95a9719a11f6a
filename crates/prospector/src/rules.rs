//! The configuration with what follows from it, computed once and shared by all copies of a batch.

use kernel::numerics::{exp, log1p, powi};

use crate::config::Config;
use crate::constants::{
    CREDITS_CAP, INVENTORY_PRESSURE, INVENTORY_RETENTION_PER_TICK, N_COMMODITIES, PRICE_BASE, PRICE_NOISE_SHARE,
    SALES_MEMORY_TICKS, SALES_PRESSURE, TRAVEL_TICKS_MAX,
};
use crate::systems::pirates::Bounds;

/// What a step's length in ticks decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Share of recent sales that is left.
    pub sales_retention: f64,
    /// Share of the station's inventory that is left.
    pub inventory_retention: f64,
    /// Standard deviation of the price noise.
    pub price_noise: [f64; N_COMMODITIES],
}

/// The configuration with what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub config: Config,
    /// Price lost per unit of inventory; 0 without price impact.
    pub inventory_pressure: f64,
    /// Price lost per unit of recent sales; 0 without price impact.
    pub sales_pressure: f64,
    /// Logarithm of the credits at which the observation saturates.
    pub credits_log_cap: f64,
    pub pirate_bounds: Bounds,
    paces: [Pace; TRAVEL_TICKS_MAX as usize + 1],
}

impl Rules {
    pub fn new(config: Config) -> Self {
        let impact = |pressure| if config.price_impact { pressure } else { 0.0 };
        Self {
            config,
            inventory_pressure: impact(INVENTORY_PRESSURE),
            sales_pressure: impact(SALES_PRESSURE),
            credits_log_cap: log1p(CREDITS_CAP),
            pirate_bounds: Bounds::new(),
            paces: std::array::from_fn(|dt| pace(dt as u32, config.market_noise)),
        }
    }

    /// What a step of `dt` ticks decides; `dt` is at most the longest edge's.
    #[inline]
    pub fn pace(&self, dt: u8) -> &Pace {
        &self.paces[usize::from(dt)]
    }
}

fn pace(dt: u32, market_noise: bool) -> Pace {
    let ticks = f64::from(dt);
    // Adding zero times a finite draw leaves a price as it is, so no noise needs no branch.
    let noise_share = if market_noise { PRICE_NOISE_SHARE } else { 0.0 };
    Pace {
        sales_retention: exp(-ticks / SALES_MEMORY_TICKS),
        inventory_retention: powi(INVENTORY_RETENTION_PER_TICK, dt),
        price_noise: PRICE_BASE.map(|base| noise_share * base * ticks.sqrt()),
    }
}
