//! Listening for threats along the ways out.

use crate::bounds::clamp;
use crate::constants::{LISTEN_BLEND, LISTEN_SIGMA, LISTEN_TICKS};
use crate::events::{Event, Happenings};
use crate::state::State;

/// Blends a noisy reading of every edge into the pilot's estimate.
pub(crate) fn listen(state: &mut State, happenings: &mut Happenings) -> u8 {
    happenings.note(Event::ThreatListen);
    let degree = usize::from(state.here().degree);
    let mut heard = state.here().threat;
    // Two at a time, as vector code; the last one may be alone.
    for slots in heard[..degree].chunks_mut(2) {
        let errors = if slots.len() == 2 { state.rng.standard_normals() } else { [state.rng.normal(0.0, 1.0), 0.0] };
        for (threat, error) in slots.iter_mut().zip(errors) {
            *threat = clamp(*threat + LISTEN_SIGMA * error, 0.0, 1.0);
        }
    }
    for (estimate, heard) in state.here_mut().threat_estimate.iter_mut().zip(heard).take(degree) {
        *estimate = (1.0 - LISTEN_BLEND) * *estimate + LISTEN_BLEND * heard;
    }
    LISTEN_TICKS
}
