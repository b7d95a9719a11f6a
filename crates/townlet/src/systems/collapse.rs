//! Collapse and neglect: counting how long a citizen has gone without, and rescuing it where nobody may leave.

use crate::codes::{fail_reason, need};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::{BUCKETS, Citizen};
use crate::state::town::Town;
use crate::systems::affordances::fail_running;
use crate::systems::fitness::closes_bucket;
use crate::systems::movement::{nearest_free_tile, place};
use crate::systems::queues::give_up;

/// Ticks of collapse after which it is told that a citizen is near death.
pub const NEAR_DEATH_TICKS: i64 = 20;
const RESCUE_HUNGER: f64 = 0.4;

/// Counts this tick towards collapse and neglect.
pub fn count_decline(town: &mut Town, setup: &Setup) {
    let rule = &setup.config.lifecycle.chronic_need;
    let (is_closing, threshold) = (closes_bucket(town), town.rules.collapse_threshold);
    let neglected_from = rule.fraction_of_day * town.ticks_per_day as f64;
    for seat in town.in_turn() {
        let citizen = town.citizen_mut(seat);
        let (number, hunger) = (citizen.number, citizen.needs[need::HUNGER]);
        let is_needy = citizen.needs.iter().any(|&value| value < rule.threshold);
        let decline = &mut citizen.decline;
        decline.collapse_streak = if hunger <= threshold { decline.collapse_streak + 1 } else { 0 };
        if is_needy {
            decline.neglect[BUCKETS - 1] += 1;
        }
        if is_closing {
            decline.is_neglected = decline.neglect.iter().sum::<i64>() as f64 >= neglected_from;
            decline.neglect.copy_within(1.., 0);
            decline.neglect[BUCKETS - 1] = 0;
        }
        if decline.collapse_streak == NEAR_DEATH_TICKS {
            town.record(EventKind::AgentNearDeath, &[number as f64, need::HUNGER as f64, hunger]);
        }
    }
}

/// Whether hunger has lasted too long.
#[must_use]
pub fn has_collapsed(town: &Town, citizen: &Citizen) -> bool {
    citizen.decline.collapse_streak >= town.rules.collapse_ticks
}

/// Carries a collapsed citizen home to bed, fed a little.
pub fn rescue(town: &mut Town, setup: &Setup, seat: usize) {
    let citizen = town.citizen(seat);
    let bedside = setup.tables.objects[citizen.bed as usize].use_tile;
    let values = [citizen.number as f64, need::HUNGER as f64, citizen.needs[need::HUNGER]];
    town.record(EventKind::AgentFainted, &values);
    relocate(town, setup, seat, nearest_free_tile(town, setup, bedside));
    let citizen = town.citizen_mut(seat);
    citizen.needs[need::HUNGER] = RESCUE_HUNGER;
    citizen.decline.collapse_streak = 0;
    citizen.facts.is_rescued = true;
}

/// Takes a citizen out of whatever it is doing and puts it on a tile; its memory is cleared.
pub fn relocate(town: &mut Town, setup: &Setup, seat: usize, tile: i64) {
    if town.citizen(seat).is_running {
        fail_running(town, setup, seat, fail_reason::TELEPORTED);
    }
    give_up(town, setup, seat);
    place(town, seat, tile);
    let citizen = town.citizen_mut(seat);
    citizen.blocked_streak = 0;
    citizen.ctx_reset = true;
}

#[cfg(test)]
mod tests {
    use super::{count_decline, rescue};
    use crate::codes::need;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn neglect_is_judged_when_a_tenth_of_a_day_closes() {
        let mut setup = small_setup();
        setup.config.lifecycle.chronic_need.threshold = 0.2;
        setup.config.lifecycle.chronic_need.fraction_of_day = 0.1;
        let mut town = town_with(&setup, &[8]);
        town.citizen_mut(0).needs[need::ENERGY] = 0.1;
        for tick in 0..100 {
            town.tick = tick;
            assert!(!town.citizen(0).decline.is_neglected);
            count_decline(&mut town, &setup);
        }
        assert!(town.citizen(0).decline.is_neglected);
        assert_eq!(town.citizen(0).decline.neglect, [0, 0, 0, 0, 0, 0, 0, 0, 100, 0]);
    }

    #[test]
    fn a_rescued_citizen_comes_to_beside_its_bed() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[15, 10]);
        let citizen = town.citizen_mut(0);
        citizen.bed = 0;
        citizen.needs[need::HUNGER] = 0.0;
        citizen.decline.collapse_streak = 99;

        rescue(&mut town, &setup, 0);

        let citizen = town.citizen(0);
        assert_eq!(citizen.tile, 11, "the use tile is taken, and the way east is looked at before the others");
        assert!(citizen.ctx_reset && citizen.facts.is_rescued);
        assert_eq!((citizen.needs[need::HUNGER], citizen.decline.collapse_streak), (0.4, 0));
    }
}
