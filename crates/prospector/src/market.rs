//! The station's market: prices that cycle, jitter, and fall with what is sold.

use kernel::numerics::{TWO_PI, fmax, sin_array};
use kernel::pcg32::Pcg32;

use crate::bounds::clamp;
use crate::constants::{
    AMPLITUDE_SHARE_RANGE, INVENTORY_RANGE, N_COMMODITIES, PERIOD_RANGE_TICKS, PRICE_BASE, PRICE_MAX, PRICE_MIN,
};
use crate::rules::Rules;

/// One number per commodity.
pub(crate) type PerCommodity = [f64; N_COMMODITIES];

/// Prices and what moves them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Market {
    pub price: PerCommodity,
    /// Prices one step ago.
    pub prev_price: PerCommodity,
    pub inventory: PerCommodity,
    /// Units sold lately, fading.
    pub recent_sales: PerCommodity,
    pub phase: PerCommodity,
    pub period: PerCommodity,
    pub amp: PerCommodity,
}

impl Market {
    /// Draws the market of a new episode.
    pub fn open(rng: &mut Pcg32) -> Self {
        let mut market = Self::default();
        for (c, base) in PRICE_BASE.into_iter().enumerate() {
            market.inventory[c] = rng.uniform(INVENTORY_RANGE.0, INVENTORY_RANGE.1);
            market.phase[c] = rng.uniform(0.0, TWO_PI);
            market.period[c] = rng.uniform(PERIOD_RANGE_TICKS.0, PERIOD_RANGE_TICKS.1);
            market.amp[c] = base * rng.uniform(AMPLITUDE_SHARE_RANGE.0, AMPLITUDE_SHARE_RANGE.1);
        }
        let waves = sin_array(market.phase);
        for c in 0..N_COMMODITIES {
            market.price[c] = clamp(PRICE_BASE[c] + market.amp[c] * waves[c], PRICE_MIN[c], PRICE_MAX[c]);
        }
        market.prev_price = market.price;
        market
    }

    /// Moves prices on by `dt` ticks, to the time `ticks_after`.
    #[inline]
    pub fn update(&mut self, ticks_after: f64, dt: u8, rules: &Rules, rng: &mut Pcg32) {
        let pace = rules.pace(dt);
        self.prev_price = self.price;
        let noise = rng.standard_normals::<N_COMMODITIES>();
        let mut angles = self.phase;
        for (angle, period) in angles.iter_mut().zip(self.period) {
            *angle += TWO_PI * (ticks_after / period);
        }
        let waves = sin_array(angles);
        for c in 0..N_COMMODITIES {
            let price = PRICE_BASE[c] + self.amp[c] * waves[c]
                - rules.inventory_pressure * self.inventory[c]
                - rules.sales_pressure * self.recent_sales[c]
                + pace.price_noise[c] * noise[c];
            self.price[c] = clamp(price, PRICE_MIN[c], PRICE_MAX[c]);
            self.recent_sales[c] *= pace.sales_retention;
            self.inventory[c] = fmax(0.0, self.inventory[c] * pace.inventory_retention);
        }
    }
}
