//! Storms wander and, past their time, die down.

use kernel::numerics::fmax;

use crate::outputs::Outputs;
use crate::state::Battle;

const FADE_PER_TICK: f64 = 0.02;

/// Moves every live storm by one second of its velocity.
pub fn resolve_environment(battle: &mut Battle, _outputs: &mut Outputs) {
    let tick = battle.tick;
    for storm in battle.storms.iter_mut().filter(|storm| storm.intensity > 0.0) {
        storm.x += storm.vx;
        storm.y += storm.vy;
        if tick > storm.ends_at_tick {
            storm.intensity = fmax(storm.intensity - FADE_PER_TICK, 0.0);
        }
    }
}
