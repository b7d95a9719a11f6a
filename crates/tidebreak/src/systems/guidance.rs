//! Where a torpedo or missile turns: toward its lock, else toward its aim point, else in circles.

use kernel::numerics::{atan2, fmin, hyp};

use crate::components::Munition;
use crate::outputs::{Emitter, Steer};
use crate::state::Battle;
use crate::systems::seekers::{PreyList, find_lock};
use crate::systems::steering::{circle_left, steer};

const LEAD_MAX_S: f64 = 8.0;
const SEARCH_FROM_SEEKER_SHARE: f64 = 0.3; // this near to the aim point there should have been something to see

/// Decides lock and heading from the state at the start of the substep.
pub fn guide(battle: &Battle, munition: &Munition, prey: &PreyList, emit: &mut Emitter<'_>) {
    let weapon = &battle.spec.weapons[munition.weapon_code as usize];
    let turn_max = weapon.turn_rate * battle.rules().dt_s;
    let (source, heading) = (munition.id, munition.heading);
    if let Some(lock) = find_lock(battle, munition, prey) {
        let lead_s = fmin(lock.distance_m / munition.speed, LEAD_MAX_S);
        let toward = atan2(lock.y + lock.vy * lead_s - munition.y, lock.x + lock.vx * lead_s - munition.x);
        let heading = steer(heading, toward, turn_max);
        emit.emit(Steer { source, lock_id: lock.id, heading, is_searching: munition.search });
        return;
    }
    let (to_aim_x, to_aim_y) = (munition.aim_x - munition.x, munition.aim_y - munition.y);
    if !munition.search && hyp(to_aim_x, to_aim_y) > SEARCH_FROM_SEEKER_SHARE * weapon.seeker_m {
        let heading = steer(heading, atan2(to_aim_y, to_aim_x), turn_max);
        emit.emit(Steer { source, lock_id: 0, heading, is_searching: false });
    } else {
        emit.emit(Steer { source, lock_id: 0, heading: circle_left(heading, turn_max), is_searching: true });
    }
}
