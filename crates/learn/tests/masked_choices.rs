//! Masked choices: weights against the exponential, gradients against finite differences, draws against the mask.

use learn::heads::Heads;
use learn::sample::{DrawKey, sample};
use learn::score::{LOG_IMPOSSIBLE, ScoreGradient, Scores, score, score_backward};
use learn::weights::{exp, weigh};
use proptest::prelude::*;

const SIZES: [usize; 2] = [5, 3];
const OPTIONS: usize = 8;

fn heads(exploration: [f32; 2]) -> Heads {
    Heads::new(SIZES.to_vec(), vec![4, 1], exploration.to_vec()).unwrap()
}

#[derive(Default)]
struct Scored {
    log_probs: Vec<f32>,
    entropies: Vec<f32>,
    choices: Vec<f32>,
    log_sums: Vec<f32>,
    probabilities: Vec<f32>,
}

fn scored(heads: &Heads, logits: &[f32], masks: &[u8], actions: &[i32]) -> Scored {
    let rows = actions.len() / 2;
    let mut found = Scored {
        log_probs: vec![0.0; 2 * rows],
        entropies: vec![0.0; 2 * rows],
        choices: vec![0.0; 2 * rows],
        log_sums: vec![0.0; 2 * rows],
        probabilities: vec![0.0; OPTIONS * rows],
    };
    let out = Scores {
        log_probs: &mut found.log_probs,
        entropies: &mut found.entropies,
        choices: &mut found.choices,
        log_sums: &mut found.log_sums,
        probabilities: &mut found.probabilities,
    };
    score(heads, logits, Some(masks), actions, out).unwrap();
    found
}

#[test]
fn the_exponential_is_right_to_two_units_in_the_last_place() {
    for step in 0..100_000 {
        let x = -(step as f32) * 8.7e-4;
        let right = f64::from(x).exp();
        let unit = right * f64::from(f32::EPSILON);
        assert!((f64::from(exp(x)) - right).abs() <= 2.0 * unit, "exp({x}) = {}, not {right}", exp(x));
    }
    assert!(exp(f32::NEG_INFINITY) > 0.0);
    assert!(exp(f32::NEG_INFINITY) < 1e-37);
}

#[test]
fn invalid_options_weigh_nothing_even_where_their_logits_are_largest() {
    let mut weights = [9.0; 3];
    let total = weigh(&[1e20, 1.0, 0.0], Some(&[0, 1, 1]), &mut weights).unwrap();
    assert_eq!((total.max, total.valid, weights[0], weights[1]), (1.0, 2, 0.0, 1.0));
    assert!(weigh(&[1.0, 2.0], Some(&[0, 0]), &mut weights[..2]).is_none());
    assert_eq!(weights[..2], [0.0, 0.0]);
}

#[test]
fn a_logit_that_is_no_number_is_reported() {
    let (mut actions, mut log_probs) = ([0; 4], [0.0; 4]);
    let mut logits = [0.0; 2 * OPTIONS];
    logits[OPTIONS + 6] = f32::NAN;
    let broken = sample(&heads([0.0; 2]), &logits, None, None, &mut actions, &mut log_probs).unwrap();
    assert_eq!(broken, 1);
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let (mut actions, mut log_probs) = ([0; 4], [0.0; 2]);
    let error = sample(&heads([0.0; 2]), &[0.0; 16], None, None, &mut actions, &mut log_probs).unwrap_err();
    assert_eq!(error, "log_probs has 2 entries; 2 rows of 2 are needed");
    assert!(Heads::new(vec![2], vec![0], vec![1.5]).is_err());
}

proptest! {
    #[test]
    fn draws_are_valid_and_likelihoods_agree_with_scores(
        logits in prop::collection::vec(-8.0_f32..8.0, OPTIONS),
        masks in prop::collection::vec(0_u8..2, OPTIONS),
        shares in prop::array::uniform2(prop_oneof![Just(0.0_f32), 0.05_f32..0.9]),
        seed: u64,
    ) {
        let heads = heads(shares);
        let (mut actions, mut log_probs) = ([0; 2], [0.0; 2]);
        let key = DrawKey { seed, update: 1, step: 2, row: 3, head: 0 };
        sample(&heads, &logits, Some(&masks), Some(key), &mut actions, &mut log_probs).unwrap();
        let found = scored(&heads, &logits, &masks, &actions);
        for (head, first) in [(0, 0), (1, SIZES[0])] {
            let any_valid = masks[first..][..SIZES[head]].contains(&1);
            if any_valid {
                prop_assert_eq!(masks[first + actions[head] as usize], 1);
                prop_assert!((log_probs[head] - found.log_probs[head]).abs() < 1e-4);
                let sum: f32 = found.probabilities[first..][..SIZES[head]].iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-5);
            } else {
                prop_assert_eq!((actions[head], log_probs[head]), ([4, 1][head], 0.0));
            }
        }
    }

    #[test]
    fn the_gradient_is_the_slope(
        logits in prop::collection::vec(-3.0_f32..3.0, OPTIONS),
        masks in prop::collection::vec(0_u8..2, OPTIONS),
        shares in prop::array::uniform2(prop_oneof![Just(0.0_f32), 0.05_f32..0.9]),
        weights in prop::array::uniform4(-2.0_f32..2.0),
    ) {
        let heads = heads(shares);
        let actions = [2, 1];
        let loss = |logits: &[f32]| {
            let found = scored(&heads, logits, &masks, &actions);
            // An impossible action contributes a constant too large to take differences of.
            let log_prob = |head: usize| if found.log_probs[head] == LOG_IMPOSSIBLE { 0.0 } else { found.log_probs[head] };
            f64::from(weights[0]) * f64::from(log_prob(0))
                + f64::from(weights[1]) * f64::from(log_prob(1))
                + f64::from(weights[2]) * f64::from(found.entropies[0])
                + f64::from(weights[3]) * f64::from(found.entropies[1])
        };
        let found = scored(&heads, &logits, &masks, &actions);
        let given = ScoreGradient {
            logits: &logits,
            actions: &actions,
            probabilities: &found.probabilities,
            entropies: &found.entropies,
            choices: &found.choices,
            log_sums: &found.log_sums,
            of_log_probs: &weights[..2],
            of_entropies: &weights[2..],
        };
        let mut gradient = [0.0; OPTIONS];
        score_backward(&heads, &given, &mut gradient).unwrap();
        for place in 0..OPTIONS {
            let shift = 1e-2;
            let (mut up, mut down) = (logits.clone(), logits.clone());
            up[place] += shift;
            down[place] -= shift;
            let slope = (loss(&up) - loss(&down)) / f64::from(up[place] - down[place]);
            prop_assert!((f64::from(gradient[place]) - slope).abs() < 2e-3, "{place}: {} {slope}", gradient[place]);
        }
    }
}
