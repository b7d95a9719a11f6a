//! Decoys afloat: they drift with the water and pretend to be a ship until their time is over.

use crate::events::NO_EVENT;
use crate::state::Battle;
use crate::systems::currents::current_at;
use crate::systems::spending::spend;

/// Lets the current carry the decoy at a place of `munitions`; says whether its time is over.
///
/// `remaining` keeps the life it was launched with: counted in whole ticks, the end does not depend on rounding.
pub fn drift_decoy(battle: &mut Battle, place: usize) -> bool {
    let decoy = battle.munitions[place];
    if battle.tick >= decoy.armed_at + decoy.remaining as i64 {
        spend(battle, &decoy, true, NO_EVENT);
        return true;
    }
    let (current_x, current_y) = current_at(battle, decoy.launch_layer, decoy.x, decoy.y);
    let dt_s = battle.rules().dt_s;
    let decoy = &mut battle.munitions[place];
    decoy.x += current_x * dt_s;
    decoy.y += current_y * dt_s;
    false
}
