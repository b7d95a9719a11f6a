//! Refining low-grade metal into a smaller amount of the dear commodity.

use crate::constants::{
    REFINE_ALERT, REFINE_FUEL, REFINE_HEAT, REFINE_INPUT_SHARE, REFINE_INPUTS, REFINE_KEPT_SHARE, REFINE_OUTPUT,
    REFINE_TICKS, REFINE_YIELD,
};
use crate::events::{Deed, Event, Happenings};
use crate::state::State;

/// Refines a share of the iron and nickel on board.
pub(crate) fn refine(state: &mut State, happenings: &mut Happenings) -> u8 {
    let ship = &mut state.ship;
    ship.fuel -= REFINE_FUEL;
    ship.heat += REFINE_HEAT;
    ship.alert += REFINE_ALERT;
    let [iron, nickel] = REFINE_INPUTS;
    let input = REFINE_INPUT_SHARE * (ship.cargo[iron] + ship.cargo[nickel]);
    let output = REFINE_YIELD * input;
    ship.cargo[iron] *= REFINE_KEPT_SHARE;
    ship.cargo[nickel] *= REFINE_KEPT_SHARE;
    ship.cargo[REFINE_OUTPUT] += output;
    state.value_hold();
    happenings.note(Event::Refine);
    happenings.deed = Deed::Refine { input, output };
    REFINE_TICKS
}
