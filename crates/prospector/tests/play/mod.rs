//! Random play.

use kernel::pcg32::Pcg32;

/// Chooses uniformly among the valid actions of each row.
pub fn choose(masks: &[u8], actions: &mut [i32], rng: &mut Pcg32) {
    for (mask, action) in masks.chunks_exact(masks.len() / actions.len()).zip(actions) {
        let valid = mask.iter().map(|&bit| i64::from(bit)).sum();
        let mut left = rng.randint_exclusive(0, valid);
        let place = mask.iter().position(|&bit| {
            left -= i64::from(bit);
            left < 0
        });
        *action = place.map_or(-1, |place| place as i32);
    }
}
