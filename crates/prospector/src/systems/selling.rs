//! Selling into a market that gives way.

use kernel::numerics::fmax;

use crate::bounds::clamp;
use crate::constants::{SELL_SHARES, SELL_TICKS, SLIPPAGE_LINEAR, SLIPPAGE_MAX, SLIPPAGE_ROOT};
use crate::events::{Deed, Event, Happenings};
use crate::rules::Rules;
use crate::state::State;

/// Sells a portion of one commodity; `place` counts commodity by commodity, three portions each.
pub(crate) fn sell(state: &mut State, rules: &Rules, place: u8, happenings: &mut Happenings) -> u8 {
    let State { ship, market, counters, .. } = state;
    let portions = SELL_SHARES.len() as u8;
    let commodity = place / portions;
    let c = usize::from(commodity);
    let units = ship.cargo[c] * SELL_SHARES[usize::from(place % portions)];
    let ratio = units / fmax(1.0, market.inventory[c] + units);
    let slippage = if rules.config.price_impact {
        clamp(SLIPPAGE_LINEAR * ratio + SLIPPAGE_ROOT * ratio.sqrt(), 0.0, SLIPPAGE_MAX)
    } else {
        0.0
    };
    let price = market.price[c];
    let revenue = units * price * (1.0 - slippage);
    ship.credits += revenue;
    counters.gross_revenue += revenue;
    ship.cargo[c] = fmax(0.0, ship.cargo[c] - units);
    market.inventory[c] += units;
    market.recent_sales[c] += units;
    happenings.note(Event::Sell);
    happenings.deed = Deed::Sell { commodity, units, price, slippage, revenue };
    SELL_TICKS
}
