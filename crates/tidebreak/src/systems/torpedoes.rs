//! What is special about torpedoes: how far they hear, when they arm, and where the ground stops them.

use kernel::numerics::clamp;
use morphospace::constants::SEDIMENT;

use crate::codes::layer;
use crate::components::Munition;
use crate::resolve::terrain::allows;
use crate::state::Battle;
use crate::systems::terrain::depth_below;

const ARMING_RUN_M: f64 = 300.0;
/// How near a torpedo must pass to go off.
pub const FUZE_M: f64 = 4.0;
const SEDIMENT_ON_REACH: f64 = 0.5;
const REACH_LIMITS: (f64, f64) = (0.4, 1.2);

/// Distance at which a torpedo hears a source of this level through this much sediment.
#[must_use]
pub fn torpedo_reach_m(seeker_m: f64, source_db: f64, sediment: f64) -> f64 {
    seeker_m * clamp((source_db - 90.0) / 50.0, REACH_LIMITS.0, REACH_LIMITS.1) * (1.0 - SEDIMENT_ON_REACH * sediment)
}

/// Whether it has run far enough from its ship to look for targets and to go off.
#[must_use]
pub fn is_armed(torpedo: &Munition) -> bool {
    torpedo.run >= ARMING_RUN_M
}

/// Sediment around the torpedo, in the layer it was launched in.
#[must_use]
pub fn sediment_at(battle: &Battle, torpedo: &Munition) -> f64 {
    f64::from(battle.fields.value(SEDIMENT, torpedo.launch_layer as usize, torpedo.x, torpedo.y))
}

/// Whether its travel layer does not exist where it is.
///
/// It travels in the layer it was launched in; one that can hit the surface comes up where the water is shallow.
#[must_use]
pub fn is_stopped_by_ground(battle: &Battle, torpedo: &Munition) -> bool {
    let depth = depth_below(battle, torpedo.x, torpedo.y);
    if allows(depth, torpedo.launch_layer) {
        return false;
    }
    let can_come_up = torpedo.target_layers >> layer::SURFACE & 1 == 1;
    !(can_come_up && allows(depth, layer::SURFACE))
}
