//! How an episode ends.

use crate::events::{Event, Happenings};
use crate::state::State;

/// What ended the episode, if anything did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    pub is_destroyed: bool,
    pub is_stranded: bool,
    pub is_cashed_out: bool,
    pub is_time_up: bool,
}

impl Ending {
    /// Judges a state after the step's bounds were applied.
    #[inline]
    pub fn of(state: &State, is_cashed_out: bool) -> Self {
        Self {
            is_destroyed: is_destroyed(state),
            is_stranded: is_stranded(state),
            is_cashed_out,
            is_time_up: state.time_remaining <= 0.0,
        }
    }

    /// Whether the episode ended by the rules.
    #[inline]
    pub fn is_terminated(self) -> bool {
        self.is_destroyed | self.is_stranded | self.is_cashed_out
    }

    /// Whether the episode was cut off by the time limit.
    #[inline]
    pub fn is_truncated(self) -> bool {
        self.is_time_up & !self.is_terminated()
    }

    /// Whether the episode ended at all.
    #[inline]
    pub fn is_over(self) -> bool {
        self.is_terminated() | self.is_time_up
    }

    /// The one reason that is reported.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self { is_destroyed: true, .. } => Some("destroyed"),
            Self { is_stranded: true, .. } => Some("stranded"),
            Self { is_cashed_out: true, .. } => Some("cash_out"),
            Self { is_time_up: true, .. } => Some("time_up"),
            _ => None,
        }
    }

    /// Notes the events of an end.
    pub fn note(self, happenings: &mut Happenings) {
        let events = [
            (self.is_cashed_out, Event::CashOut),
            (self.is_destroyed, Event::Destroyed),
            (self.is_stranded, Event::Stranded),
            (self.is_terminated(), Event::Terminated),
            (self.is_truncated(), Event::Truncated),
        ];
        for (_, event) in events.into_iter().filter(|(happened, _)| *happened) {
            happenings.note(event);
        }
    }
}

/// Whether the ship has no hull left.
#[inline]
pub(crate) fn is_destroyed(state: &State) -> bool {
    state.ship.hull <= 0.0
}

/// Whether the ship is out of fuel away from the station.
#[inline]
pub(crate) fn is_stranded(state: &State) -> bool {
    state.ship.fuel <= 0.0 && !state.ship.is_docked()
}
