//! Curiosity: how often situations have been met, and how new the present one is to everybody.

use std::collections::BTreeMap;

use kernel::bounds::LARGEST;
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};
use kernel::words::read_count;

use crate::codes::OPTIONS;
use crate::config::features::CuriositySwitch;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::presence::zone_of;

const NEED_BUCKETS: i64 = 5;
const DAY_PARTS: i64 = 10;

/// By situation, how often a citizen of this copy has been in it.
pub type Visits = BTreeMap<i64, i64>;

/// Counts the situation of every citizen, where that is paid for; before stage 5.
pub fn note_visits(town: &mut Town, setup: &Setup) {
    if setup.config.features.training.curiosity != CuriositySwitch::PhaseA {
        return;
    }
    town.intrinsic.fill(0.0);
    for seat in town.living() {
        let count = town.visits.entry(situation(town, setup, seat)).or_insert(0);
        *count += 1;
        town.intrinsic[seat] = 1.0 / (*count as f64).sqrt();
    }
}

/// Number of the situation a citizen is in: zone, option, fifths of each need, tenth of the day.
fn situation(town: &Town, setup: &Setup, seat: usize) -> i64 {
    let citizen = town.citizen(seat);
    let mut number = (zone_of(town, setup, seat) + 1) * OPTIONS as i64 + citizen.plan.option;
    for need in citizen.needs {
        number = number * NEED_BUCKETS + ((need * NEED_BUCKETS as f64) as i64).min(NEED_BUCKETS - 1);
    }
    number * DAY_PARTS + town.tod() * DAY_PARTS / setup.config.world.ticks_per_day
}

/// Appends a count and the situations with how often they were met, ascending.
pub fn write_visits(visits: &Visits, words: &mut WordWriter) {
    words.signed(visits.len() as i64);
    for (&situation, &count) in visits {
        words.signeds(&[situation, count]);
    }
}

/// Takes what `write_visits` has written.
///
/// # Errors
/// When a situation cannot be, comes twice, or was never met.
pub fn read_visits(words: &mut WordReader<'_>, setup: &Setup) -> Result<Visits, SnapshotError> {
    let zones = setup.tables.map.zones.len() as i64 + 1;
    let situations = zones * OPTIONS as i64 * NEED_BUCKETS.pow(3) * DAY_PARTS;
    let mut visits = Visits::new();
    for _ in 0..read_count(words)? {
        let (situation, count) = (words.signed()?, words.signed()?);
        let is_next = visits.last_key_value().is_none_or(|(&last, _)| situation > last);
        if !is_next || !(0..situations).contains(&situation) || !(1..=LARGEST).contains(&count) {
            return Err(SnapshotError::Invalid(format!(
                "situation {situation} cannot have been met {count} times here"
            )));
        }
        visits.insert(situation, count);
    }
    Ok(visits)
}

#[cfg(test)]
mod tests {
    use kernel::state_hash::{WordReader, WordWriter};

    use super::{Visits, note_visits, read_visits, write_visits};
    use crate::codes::need;
    use crate::config::features::CuriositySwitch;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn a_situation_is_worth_less_every_time_it_is_met() {
        let mut setup = small_setup();
        let mut town = town_with(&setup, &[8, 9]);
        note_visits(&mut town, &setup);
        assert!(town.visits.is_empty(), "nothing is counted where nothing is paid");

        setup.config.features.training.curiosity = CuriositySwitch::PhaseA;
        note_visits(&mut town, &setup);
        assert_eq!(town.intrinsic[..3], [1.0, 1.0 / 2.0_f64.sqrt(), 0.0], "both are in the same situation");
        town.citizen_mut(1).needs[need::HUNGER] = 1.0;
        note_visits(&mut town, &setup);
        assert_eq!(town.intrinsic[..2], [1.0 / 3.0_f64.sqrt(), 1.0]);
        assert_eq!(town.visits.values().sum::<i64>(), 4);
    }

    #[test]
    fn counts_are_read_back_and_those_that_cannot_be_are_refused() {
        let setup = small_setup();
        let read = |visits: &[(i64, i64)]| {
            let mut words = WordWriter::new();
            write_visits(&visits.iter().copied().collect(), &mut words);
            read_visits(&mut WordReader::new(words.as_slice()), &setup)
        };
        assert_eq!(read(&[(3, 1), (19_999, 7)]), Ok(Visits::from([(3, 1), (19_999, 7)])));
        assert!(read(&[(20_000, 1)]).is_err(), "a town of one zone has fewer situations");
        assert!(read(&[(-1, 1)]).is_err() && read(&[(3, 0)]).is_err());
        assert!(read_visits(&mut WordReader::new(&[2, 5, 1, 5, 1]), &setup).is_err(), "met twice");
    }
}
