//! The embedding allocator: slots stand for citizens in observations, and rest before they stand for somebody else.

use sha2::{Digest, Sha256};

use crate::codes::{NEVER, NOBODY};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;

/// Numbers that stand for a slot.
pub const IDENTITY_SIZE: usize = 8;

/// Whether a newcomer can be given a slot.
#[must_use]
pub fn has_free_slot(town: &Town) -> bool {
    town.embedding.holders.contains(&NOBODY)
}

/// Gives a citizen a slot, or returns the one it has; there must be a free one.
///
/// Never used slots come first, then the one that has rested longest; one that has not rested enough is told of.
///
/// # Panics
/// When no slot is free.
pub fn allocate(town: &mut Town, setup: &Setup, number: i64) -> i64 {
    let pool = &mut town.embedding;
    if let Some(slot) = pool.holders.iter().position(|&holder| holder == number) {
        return slot as i64;
    }
    let is_free = |slot: &usize| pool.holders[*slot] == NOBODY;
    let slots = 0..pool.holders.len();
    let unused = slots.clone().filter(is_free).find(|&slot| pool.released[slot] == NEVER);
    let slot = unused.or_else(|| slots.filter(is_free).min_by_key(|&slot| pool.released[slot]));
    let slot = slot.expect("a slot is free");
    pool.holders[slot] = number;
    pool.allocations_total += 1;
    let age = town.tick - pool.released[slot];
    let rule = &setup.config.embedding_allocator;
    if unused.is_none() && age < rule.cooldown_ticks {
        pool.forced_reuse_count += 1;
        if rule.log_forced_reuse {
            town.record(EventKind::EmbeddingForcedReuse, &[slot as f64, age as f64]);
        }
    }
    slot as i64
}

/// Takes the slot of a citizen who leaves.
///
/// # Panics
/// When the citizen has none.
pub fn release_slot(town: &mut Town, number: i64) {
    let pool = &mut town.embedding;
    let slot = pool.holders.iter().position(|&holder| holder == number).expect("every citizen has a slot");
    pool.holders[slot] = NOBODY;
    pool.released[slot] = town.tick;
}

/// Eight numbers from -1 to 1 that stand for a slot, whoever has it.
#[must_use]
pub fn identity_vector(slot: usize) -> [f64; IDENTITY_SIZE] {
    let digest = Sha256::digest(format!("embed:{slot}"));
    std::array::from_fn(|place| 2.0 * f64::from(digest[place]) / 255.0 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::{allocate, identity_vector, release_slot};
    use crate::codes::{NEVER, NOBODY};
    use crate::events::EventKind;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn unused_slots_come_first_then_the_one_that_has_rested_longest() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[]);
        town.embedding.holders = vec![NOBODY; 3];
        town.embedding.released = vec![5, NEVER, 4];
        town.tick = 5 + setup.config.embedding_allocator.cooldown_ticks - 1;

        let slots: Vec<i64> = (10..13).map(|number| allocate(&mut town, &setup, number)).collect();

        assert_eq!(slots, [1, 2, 0]);
        assert_eq!(town.embedding.forced_reuse_count, 1, "only slot 0 has not rested enough");
        assert_eq!(town.events.entries()[0].kind, EventKind::EmbeddingForcedReuse);
        assert_eq!(allocate(&mut town, &setup, 11), 2, "who has a slot keeps it");
        release_slot(&mut town, 11);
        assert_eq!(town.embedding.released[2], town.tick);
    }

    #[test]
    fn an_identity_vector_is_made_of_the_hash_of_its_slot() {
        let [first, second, ..] = identity_vector(3);
        assert_eq!([first, second], [0.788_235_294_117_647_1, -0.780_392_156_862_745_1]);
    }
}
