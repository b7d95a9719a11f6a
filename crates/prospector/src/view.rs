//! What the pilot sees: the observation row, kept up to date piece by piece, and the valid actions.

mod place;
mod ship;
mod stock;

use crate::actions::Actions;
use crate::rules::Rules;
use crate::state::State;
use crate::tables::OBS_DIM;

/// Observation and mask of a state.
///
/// Each step shows ship and market anew; places, beliefs and the selection are shown where an action changed them.
#[derive(Clone, Debug)]
#[repr(C, align(64))] // the row is copied out every step, whole cache lines at a time
pub(crate) struct View {
    pub row: [f32; OBS_DIM],
    pub valid: Actions,
    /// Bit a: asteroid a of the current node exists and is not yet gone.
    minable: u16,
    /// Selection that the row shows.
    shown_selection: Option<u8>,
    /// Bits of the credits that the row shows, so that their logarithm is taken only when they change.
    shown_credits: u64,
}

impl View {
    pub fn blank() -> Self {
        Self {
            row: [0.0; OBS_DIM],
            valid: Actions::NONE,
            minable: 0,
            shown_selection: None,
            shown_credits: f64::NAN.to_bits(),
        }
    }

    /// Shows a state of which nothing has been shown.
    pub fn show_all(&mut self, state: &State, rules: &Rules) {
        self.show_place(state);
        self.show_step(state, rules);
    }

    /// Shows what any step changes.
    #[inline(always)]
    pub fn show_step(&mut self, state: &State, rules: &Rules) {
        self.show_ship(state, rules);
        self.show_market(&state.market);
        self.valid = Actions::valid_in(state, self.minable);
    }
}
