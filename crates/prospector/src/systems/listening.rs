//! Listening for threats along the ways out.

use kernel::numerics::clamp;

use crate::constants::{LISTEN_BLEND, LISTEN_SIGMA, LISTEN_TICKS};
use crate::events::{Event, Happenings};
use crate::state::State;

/// Blends a noisy reading of every edge into the pilot's estimate.
pub(crate) fn listen(state: &mut State, happenings: &mut Happenings) -> u8 {
    happenings.note(Event::ThreatListen);
    let node = &mut state.belt.nodes[usize::from(state.ship.node)];
    let degree = usize::from(node.degree);
    // Two at a time, as vector code; the last one may be alone.
    for slot in (0..degree).step_by(2) {
        let errors =
            if slot + 1 < degree { state.rng.standard_normals() } else { [state.rng.normal(0.0, 1.0), 0.0] };
        for (slot, error) in (slot..degree).zip(errors) {
            let heard = clamp(node.threat[slot] + LISTEN_SIGMA * error, 0.0, 1.0);
            node.threat_estimate[slot] = (1.0 - LISTEN_BLEND) * node.threat_estimate[slot] + LISTEN_BLEND * heard;
        }
    }
    LISTEN_TICKS
}
