//! The social block: the two best friends and the two worst rivals of a citizen.

use std::cmp::Ordering;

use kernel::numerics::fmin;

use crate::codes::MAX_SEATS;
use crate::observe::layout::{SOCIAL_SIZE, SOCIAL_SLOTS, SOCIAL_WIDTH};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::embedding::{IDENTITY_SIZE, identity_vector};
use crate::systems::ties::rivalry_now;

const FRIENDS: usize = 2;
const MANY_TIES: f64 = 6.0;

/// Identity vectors of all slots.
#[derive(Debug)]
pub struct SocialView {
    identities: Vec<[f32; IDENTITY_SIZE]>,
}

/// A tie as it is sorted: its place, the slot of the other citizen, and how it is felt now.
#[derive(Clone, Copy, Debug, Default)]
struct Feeling {
    place: usize,
    slot: i64,
    liking: f64,
    rivalry: f64,
}

impl SocialView {
    /// Works out the vectors.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let slots = 0..setup.config.embedding_allocator.max_slots;
        Self { identities: slots.map(|slot| identity_vector(slot).map(|part| part as f32)).collect() }
    }

    /// Writes the largest rivalry with the share of avoided ties, and the social block; zeros while ties are not observed.
    pub fn look(
        &self,
        town: &Town,
        setup: &Setup,
        citizen: &Citizen,
        rivalries: &mut [f32; 2],
        block: &mut [f32; SOCIAL_SIZE],
    ) {
        rivalries.fill(0.0);
        block.fill(0.0);
        if citizen.ties.is_empty() || !setup.config.features.observes_relationships() {
            return;
        }
        let mut feelings = [Feeling::default(); MAX_SEATS];
        let feelings = &mut feelings[..citizen.ties.len()];
        for (place, (feeling, tie)) in feelings.iter_mut().zip(&citizen.ties).enumerate() {
            *feeling = Feeling {
                place,
                slot: town.citizen(tie.other as usize).slot,
                liking: tie.trust + tie.familiarity,
                rivalry: rivalry_now(town, setup, tie),
            };
        }
        *rivalries = sum_up(setup, feelings);
        sort_by(feelings, |feeling| feeling.liking);
        let friends = feelings.len().min(FRIENDS);
        sort_by(&mut feelings[friends..], |feeling| feeling.rivalry);
        let shown = feelings.len().min(SOCIAL_SLOTS);
        self.write(citizen, &feelings[..shown], block);
    }

    fn write(&self, citizen: &Citizen, shown: &[Feeling], block: &mut [f32; SOCIAL_SIZE]) {
        let (mut trust_sum, mut rivalry_sum) = (0.0, 0.0);
        let (mut most_trust, mut most_rivalry) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (places, means) = block.split_at_mut(SOCIAL_SLOTS * SOCIAL_WIDTH);
        for (feeling, out) in shown.iter().zip(places.chunks_exact_mut(SOCIAL_WIDTH)) {
            let tie = &citizen.ties[feeling.place];
            out[..IDENTITY_SIZE].copy_from_slice(&self.identities[feeling.slot as usize]);
            let feels = [tie.trust, tie.familiarity, feeling.rivalry].map(|value| value as f32);
            out[IDENTITY_SIZE..].copy_from_slice(&feels);
            trust_sum += tie.trust;
            rivalry_sum += feeling.rivalry;
            most_trust = larger(most_trust, tie.trust);
            most_rivalry = larger(most_rivalry, feeling.rivalry);
        }
        let count = shown.len() as f64;
        let summary = [trust_sum / count, most_trust, rivalry_sum / count, most_rivalry];
        means.copy_from_slice(&summary.map(|value| value as f32));
    }
}

fn sum_up(setup: &Setup, feelings: &[Feeling]) -> [f32; 2] {
    let threshold = setup.config.conflict.rivalry.avoid_threshold;
    let (mut most, mut avoided) = (f64::NEG_INFINITY, 0);
    for feeling in feelings {
        most = larger(most, feeling.rivalry);
        avoided += i32::from(feeling.rivalry >= threshold);
    }
    [most as f32, fmin(f64::from(avoided) / MANY_TIES, 1.0) as f32]
}

/// Largest first, equal ones by slot.
fn sort_by(feelings: &mut [Feeling], key: impl Fn(&Feeling) -> f64) {
    feelings.sort_unstable_by(|one, other| {
        let by_key = key(other).partial_cmp(&key(one)).unwrap_or(Ordering::Equal);
        by_key.then(one.slot.cmp(&other.slot))
    });
}

/// The first of two numbers unless the second is larger.
fn larger(first: f64, second: f64) -> f64 {
    if second > first { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::SocialView;
    use crate::observe::layout::{SOCIAL_SIZE, SOCIAL_WIDTH};
    use crate::state::ties::Tie;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn friends_come_first_and_the_lower_slot_of_equal_ones() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8, 9, 10, 11, 12]);
        town.citizen_mut(2).slot = 7;
        let ties = [(1, 0.1, 0.9), (2, 0.5, 0.0), (3, 0.5, 0.0), (4, 0.0, 0.2)];
        town.citizen_mut(0).ties =
            ties.iter().map(|&(other, trust, rivalry)| Tie { other, trust, rivalry, ..Tie::default() }).collect();
        let (mut rivalries, mut block) = ([9.0; 2], [9.0; SOCIAL_SIZE]);

        SocialView::new(&setup).look(&town, &setup, town.citizen(0), &mut rivalries, &mut block);

        let trusts: Vec<f32> = block.chunks_exact(SOCIAL_WIDTH).take(4).map(|place| place[8]).collect();
        assert_eq!(trusts, [0.5, 0.5, 0.1, 0.0]);
        assert_eq!(
            block[0],
            super::identity_vector(3)[0] as f32,
            "seats 3 and 2 are liked alike; 3 has the lower slot"
        );
        assert_eq!(block[SOCIAL_SIZE - 4..], [0.275, 0.5, 0.275, 0.9]);
        assert_eq!(rivalries, [0.9, (1.0_f64 / 6.0) as f32]);
    }
}
