//! A batch is nothing but its copies, stepped one by one.

mod anatomy;
mod buffers;
mod play;

use anatomy::words_of;
use buffers::Buffers;
use kernel::batch::{AnyBatch, Batch};
use kernel::pcg32::Pcg32;
use kernel::record::{StepRecord, Value};
use kernel::seeds::episode_seed;
use kernel::simulation::Simulation;
use play::choose;
use prospector::{Config, Prospector};

const COPIES: usize = 40;
const BASE_SEED: u64 = 11;
const STEPS: usize = 200;

fn batch(config: Config, threads: usize) -> (Batch<Prospector>, Buffers) {
    let mut batch = Batch::new(Prospector::new(config), COPIES, BASE_SEED, threads, b"{}").unwrap();
    let mut buffers = Buffers::new(batch.shape(), COPIES);
    let all: Vec<usize> = (0..COPIES).collect();
    batch.reset(&all, None, buffers.rows()).unwrap();
    (batch, buffers)
}

#[test]
fn batch_stepping_equals_single_stepping_whatever_the_threads() {
    let (mut alone, mut buffers) = batch(Config::default(), 1);
    let (mut threaded, mut other_buffers) = batch(Config::default(), 2);
    let mut singles: Vec<(Prospector, u64)> = (0..COPIES as u64)
        .map(|copy| {
            let mut single = Prospector::new(Config::default());
            single.reset(episode_seed(BASE_SEED, copy, 1));
            (single, 1)
        })
        .collect();
    let mut actions = vec![0; COPIES];
    let mut rng = Pcg32::from_seed(5, 0);
    for _ in 0..STEPS {
        choose(&buffers.masks, &mut actions, &mut rng);
        alone.step(&actions, buffers.rows()).unwrap();
        threaded.step(&actions, other_buffers.rows()).unwrap();

        assert_eq!(buffers.obs, other_buffers.obs);
        assert_eq!(buffers.rewards, other_buffers.rewards);
        for (copy, (single, episodes)) in singles.iter_mut().enumerate() {
            let outcome = single.step_one(actions[copy]).unwrap();
            let record = alone.step_record(copy);
            assert_eq!((record.rewards[0], record.draws), (outcome.reward, outcome.draws));
            assert_eq!(record.metrics[0], outcome.metrics);
            assert_eq!(buffers.rewards[copy], outcome.reward as f32);
            assert_eq!(buffers.events[copy], u64::from(outcome.events));
            assert_eq!(buffers.dt[copy], outcome.dt);
            if outcome.terminated || outcome.truncated {
                assert_eq!(buffers.final_obs[copy * 260..][..260], *single.observation());
                *episodes += 1;
                single.reset(episode_seed(BASE_SEED, copy as u64, *episodes));
            }
            assert_eq!(buffers.obs[copy * 260..][..260], *single.observation());
        }
    }
    for (copy, (single, _)) in singles.iter().enumerate() {
        assert_eq!(alone.state_words(copy), words_of(single));
    }
}

#[test]
fn the_record_of_an_ended_step_tells_the_ended_episode() {
    let (mut batch, mut buffers) = batch(Config::default(), 1);
    let first_seed = batch.episode_seed(0);

    batch.step(&[68; COPIES], buffers.rows()).unwrap();

    let record = batch.step_record(0);
    assert_eq!(buffers.episode_start[0], 1);
    assert_ne!(batch.episode_seed(0), first_seed);
    assert_eq!(record.events, ["cash_out", "terminated"]);
    assert_eq!(record.event_data, [("cash_out", vec![("credits", Value::Float(0.0))])]);
    assert_eq!(
        record.info,
        [
            ("invalid_action", Value::Flag(false)),
            ("destroyed", Value::Flag(false)),
            ("stranded", Value::Flag(false)),
            ("end_reason", Value::Text("cash_out")),
            ("time_remaining", Value::Float(19_999.0)),
            ("ticks", Value::Int(1)),
            ("total_spend", Value::Float(0.0)),
            ("gross_revenue", Value::Float(0.0)),
            ("node_context", Value::Text("station")),
            ("seed", Value::Unsigned(first_seed)),
        ]
    );
}

#[test]
fn an_opening_record_has_no_decision() {
    let (batch, _) = batch(Config::default(), 1);

    let StepRecord { received, effective, reward_terms, events, dt, metrics, .. } = batch.step_record(3);

    assert_eq!((received, effective, dt), (vec![None], vec![None], 0));
    assert!(reward_terms[0].is_empty() && events.is_empty());
    assert_eq!(metrics[0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn an_episode_that_begins_in_a_stored_state_leaves_the_seeds_of_the_copy_and_its_last_step_alone() {
    const FRESH_SEED: u64 = 77;
    let (mut batch, mut buffers) = batch(Config::default(), 1);
    let mut actions = vec![0; COPIES];
    let mut rng = Pcg32::from_seed(5, 0);
    for _ in 0..20 {
        choose(&buffers.masks, &mut actions, &mut rng);
        actions[0] = 68; // cashing out ends the episode
        batch.step(&actions, buffers.rows()).unwrap();
    }
    let (data, stored_seed) = (batch.snapshot(1), batch.episode_seed(1));
    batch.step(&actions, buffers.rows()).unwrap();
    let (record, reward, opening_seed) = (batch.step_record(0), buffers.rewards[0], batch.episode_seed(0));

    batch.start_from(0, &data, Some(FRESH_SEED), buffers.rows()).unwrap();

    assert_eq!((batch.step_record(0), buffers.rewards[0]), (record, reward));
    assert_eq!((buffers.terminated[0], buffers.episode_start[0]), (1, 1));
    assert_eq!(batch.episode_seed(0), stored_seed);
    let words = batch.state_words(0);
    batch.start_from(0, &data, Some(FRESH_SEED + 1), buffers.rows()).unwrap();
    assert_ne!(batch.state_words(0), words, "another seed is another stream");
    assert!(batch.start_from(0, b"nothing", None, buffers.rows()).is_err());

    batch.reset(&[0], None, buffers.rows()).unwrap();
    let count = (1..1000).find(|&count| episode_seed(BASE_SEED, 0, count) == opening_seed).unwrap();
    assert_eq!(batch.episode_seed(0), episode_seed(BASE_SEED, 0, count + 1));
}
