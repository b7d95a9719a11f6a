//! The market's part of the row.

use kernel::numerics::fmin;

use super::View;
use crate::bounds::clamp;
use crate::constants::{INVENTORY_SCALE, N_COMMODITIES, PRICE_DELTA_SCALE, PRICE_MAX, PRICE_MIN};
use crate::market::Market;
use crate::tables::{STOCK_SHOWN, obs};

impl View {
    /// Prices keep to their bands and inventories are never negative, so only what may run out of its range is clamped.
    #[inline(always)]
    pub(super) fn show_market(&mut self, market: &Market) {
        for c in 0..N_COMMODITIES {
            let share = (market.price[c] - PRICE_MIN[c]) / (PRICE_MAX[c] - PRICE_MIN[c]);
            self.row[obs::PRICE_NORM + c] = share as f32;
        }
        for c in 0..N_COMMODITIES {
            let change = (market.price[c] - market.prev_price[c]) / PRICE_DELTA_SCALE;
            self.row[obs::PRICE_DELTA_NORM + c] = clamp(change, -1.0, 1.0) as f32;
        }
        for (place, c) in STOCK_SHOWN.into_iter().enumerate() {
            let share = market.inventory[c] / INVENTORY_SCALE;
            self.row[obs::STATION_INVENTORY_NORM + place] = fmin(1.0, share) as f32;
        }
    }
}
