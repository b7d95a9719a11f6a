//! What holds in every state, however it was reached.

mod anatomy;

use anatomy::{Anatomy, words_of};
use kernel::simulation::Simulation;
use kernel::state_hash::WordReader;
use proptest::prelude::*;
use prospector::tables::{N_ACTIONS, act, obs};
use prospector::{Config, EpisodeOver, Prospector, RewardProfile};

const DECISIONS: usize = 150;

fn any_config() -> impl Strategy<Value = Config> {
    (any::<[bool; 7]>(), 1.0..500.0).prop_map(|(switches, time_max)| {
        let [is_v2, pirates, hazards, fractures, price_impact, market_noise, scan_noise] = switches;
        let reward_profile = if is_v2 { RewardProfile::V2 } else { RewardProfile::V1 };
        let invalid_action_pen = 0.25;
        Config {
            time_max,
            reward_profile,
            invalid_action_pen,
            pirates,
            hazards,
            fractures,
            price_impact,
            market_noise,
            scan_noise,
        }
    })
}

/// Numbers that choose an action each: mostly a valid one, sometimes anything.
fn any_choices() -> impl Strategy<Value = Vec<(u16, bool)>> {
    prop::collection::vec((any::<u16>(), prop::bool::weighted(0.1)), 1..DECISIONS)
}

fn opened(config: Config, seed: u64) -> Prospector {
    let mut world = Prospector::new(config);
    world.reset(seed);
    world
}

fn mask_of(world: &Prospector) -> [u8; N_ACTIONS] {
    let mut mask = [2; N_ACTIONS];
    world.mask(&mut mask);
    mask
}

/// The action that a number chooses; ending the episode is left to chance and to wild numbers.
fn chosen(world: &Prospector, (number, is_wild): (u16, bool)) -> i32 {
    if is_wild {
        return i32::from(number % 80) - 5;
    }
    let mask = mask_of(world);
    let valid: Vec<i32> = (0..68).filter(|&action| mask[action as usize] == 1).collect();
    valid[usize::from(number) % valid.len()]
}

fn check_observation(world: &Prospector) -> Result<(), TestCaseError> {
    let row = world.observation();
    for (entry, value) in row.iter().enumerate() {
        let low = if (obs::PRICE_DELTA_NORM..obs::STATION_INVENTORY_NORM).contains(&entry) { -1.0 } else { 0.0 };
        prop_assert!((low..=1.0).contains(value), "entry {} is {}", entry, value);
    }
    prop_assert_eq!(row[19..22].iter().sum::<f32>(), 1.0);
    prop_assert_eq!(&row[66..68], &[0.0, 0.0]);
    for slot in row[24..66].chunks_exact(7) {
        prop_assert_eq!(slot[1..4].iter().sum::<f32>(), slot[0]);
    }
    let mut selected = 0.0;
    for slot in row[68..244].chunks_exact(11) {
        let shares = slot[1..7].iter().sum::<f32>();
        prop_assert!((shares - slot[0]).abs() < 1e-4, "shares sum to {} where {} is expected", shares, slot[0]);
        selected += slot[10];
    }
    prop_assert_eq!(selected, row[18]);
    Ok(())
}

fn check_state(world: &Prospector) -> Result<(), TestCaseError> {
    let parts = Anatomy::of(world);
    for (amount, most) in parts.ship.into_iter().zip([1000.0, 100.0, 100.0, 100.0, 100.0, f64::MAX]) {
        prop_assert!((0.0..=most).contains(&amount), "{} is outside 0..{}", amount, most);
    }
    prop_assert!(parts.cargo.iter().sum::<f64>() <= 200.0 + 1e-9);
    prop_assert!(parts.cargo.iter().chain(&parts.inventory).all(|&units| units >= 0.0));
    let bands = [(12.0, 180.0), (15.0, 200.0), (20.0, 240.0), (50.0, 320.0), (80.0, 420.0), (30.0, 300.0)];
    for (price, (least, most)) in parts.price.into_iter().zip(bands) {
        prop_assert!((least..=most).contains(&price));
    }
    prop_assert!(world.metrics().iter().all(|metric| metric.is_finite()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bounds_hold_and_the_mask_is_sound_and_complete(config in any_config(), seed: u64, choices in any_choices()) {
        let mut world = opened(config, seed);
        check_observation(&world)?;
        for choice in choices {
            let action = chosen(&world, choice);
            let is_valid = usize::try_from(action).is_ok_and(|place| mask_of(&world).get(place) == Some(&1));

            let Ok(outcome) = world.step_one(action) else { break };

            prop_assert_eq!(outcome.invalid_action, !is_valid);
            prop_assert_eq!(i32::from(outcome.action), if is_valid { action } else { i32::from(act::HOLD_DRIFT) });
            prop_assert!(outcome.reward.is_finite());
            prop_assert!(mask_of(&world).iter().all(|&bit| bit <= 1));
            check_observation(&world)?;
            check_state(&world)?;
        }
    }

    #[test]
    fn an_invalid_step_is_a_hold_that_costs_the_penalty(seed: u64, choices in any_choices()) {
        let mut world = opened(Config { invalid_action_pen: 0.25, ..Config::default() }, seed);
        for choice in choices {
            let mut next = world.clone();
            next.step_one(chosen(&world, choice)).unwrap();
            if next.is_over() {
                break;
            }
            world = next;
        }
        let mask = mask_of(&world);
        let mut held = world.clone();
        let hold = held.step_one(i32::from(act::HOLD_DRIFT)).unwrap();
        for action in (0..69).filter(|&action| mask[action as usize] == 0).chain([-1, 69, 999]) {
            let mut refused = world.clone();

            let outcome = refused.step_one(action).unwrap();

            prop_assert!(outcome.invalid_action);
            prop_assert_eq!((outcome.metrics, outcome.draws), (hold.metrics, hold.draws));
            prop_assert!((outcome.reward - (hold.reward - 0.25)).abs() < 1e-12);
            prop_assert_eq!(words_of(&refused), words_of(&held));
            prop_assert_eq!(refused.observation(), held.observation());
        }
    }

    #[test]
    fn a_restored_world_goes_on_as_if_nothing_had_happened(
        config in any_config(),
        seed: u64,
        choices in any_choices(),
        cut in 0..DECISIONS,
    ) {
        let mut world = opened(config, seed);
        let cut = cut.min(choices.len());
        for &choice in &choices[..cut] {
            let action = chosen(&world, choice);
            if world.step_one(action).is_err() {
                break;
            }
        }

        let words = words_of(&world);
        let mut restored = Prospector::new(config);
        let mut reader = WordReader::new(&words);
        restored.read_words(&mut reader).unwrap();
        reader.finish().unwrap();

        prop_assert_eq!(words_of(&restored), words);
        prop_assert_eq!(restored.observation(), world.observation());
        for &choice in &choices[cut..] {
            let action = chosen(&world, choice);
            prop_assert_eq!(restored.step_one(action), world.step_one(action));
            prop_assert_eq!(restored.observation(), world.observation());
            prop_assert_eq!(mask_of(&restored), mask_of(&world));
        }
        prop_assert_eq!(words_of(&restored), words_of(&world));
    }

    #[test]
    fn a_damaged_state_is_refused_or_harmless(seed: u64, place: prop::sample::Index, word: u64) {
        let mut words = words_of(&opened(Config::default(), seed));
        let place = place.index(words.len());
        words[place] = word;
        let mut world = Prospector::new(Config::default());

        let verdict = world.read_words(&mut WordReader::new(&words));

        if verdict.is_ok() {
            for action in [0, 8, 12, 29, 11, 33, 1, 68] {
                if world.step_one(action) == Err(EpisodeOver) {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_finished_episode_refuses_to_be_stepped_and_stays_as_it_is() {
    let mut world = opened(Config::default(), 3);
    world.step_one(i32::from(act::CASH_OUT_END_EPISODE)).unwrap();
    let words = words_of(&world);

    assert_eq!(world.step_one(i32::from(act::HOLD_DRIFT)), Err(EpisodeOver));
    assert_eq!(words_of(&world), words);
}

#[test]
fn a_world_that_was_never_reset_has_a_shape_but_no_episode() {
    let mut world = Prospector::new(Config::default());

    let shape = world.shape();
    assert_eq!((shape.agents, shape.heads, shape.options, shape.obs, shape.metrics), (1, 1, 69, 260, 13));
    assert_eq!(world.step_one(0), Err(EpisodeOver));
}
