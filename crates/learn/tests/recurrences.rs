//! Advantages and scans against their definitions.

use learn::advantages::{Correction, Decay, Rollout, advantages};
use learn::scan::{linear_scan, linear_scan_backward};

#[test]
fn advantages_stop_at_every_end_and_bootstrap_only_where_cut_off() {
    // Two rows of three steps: row 0 terminates at step 1, row 1 is cut off there.
    let rollout = Rollout {
        rewards: &[1.0, 1.0, 2.0, 2.0, 4.0, 4.0],
        values: &[10.0, 10.0, 20.0, 20.0, 30.0, 30.0, 40.0, 40.0],
        terminated: &[0, 0, 1, 0, 0, 0],
        truncated: &[0, 0, 0, 1, 0, 0],
        bootstrap: &[f32::NAN, f32::NAN, f32::NAN, 100.0, f32::NAN, f32::NAN],
        discounts: None,
    };
    let mut out = [0.0; 6];
    advantages(&rollout, 2, Decay { gamma: 0.5, lambda: 0.5 }, None, &mut out).unwrap();
    let last = 4.0 + 0.5 * 40.0 - 30.0;
    let terminated = 2.0 - 20.0;
    let cut_off = 2.0 + 0.5 * 100.0 - 20.0;
    let first = 1.0 + 0.5 * 20.0 - 10.0;
    assert_eq!(out, [first + 0.25 * terminated, first + 0.25 * cut_off, terminated, cut_off, last, last]);
}

#[test]
fn each_decision_has_a_discount_of_its_own_where_they_last_differently_long() {
    let rollout = Rollout {
        rewards: &[1.0, 2.0, 4.0],
        values: &[10.0, 20.0, 30.0, 40.0],
        terminated: &[0; 3],
        truncated: &[0; 3],
        bootstrap: &[0.0; 3],
        discounts: Some(&[0.5, 0.25, 0.125]),
    };
    let mut out = [0.0; 3];
    advantages(&rollout, 1, Decay { gamma: f32::NAN, lambda: 0.5 }, None, &mut out).unwrap();
    let last = 4.0 + 0.125 * 40.0 - 30.0;
    let middle = 2.0 + 0.25 * 30.0 - 20.0 + 0.25 * 0.5 * last;
    assert_eq!(out, [1.0 + 0.5 * 20.0 - 10.0 + 0.5 * 0.5 * middle, middle, last]);
}

#[test]
fn a_ratio_of_one_corrects_nothing() {
    let rollout = Rollout {
        rewards: &[1.0, 2.0],
        values: &[0.5, 0.25, 0.125],
        terminated: &[0; 2],
        truncated: &[0; 2],
        bootstrap: &[0.0; 2],
        discounts: None,
    };
    let decay = Decay { gamma: 0.9, lambda: 0.8 };
    let (mut plain, mut corrected) = ([0.0; 2], [0.0; 2]);
    advantages(&rollout, 1, decay, None, &mut plain).unwrap();
    let correction = Correction { ratios: &[1.0, 1.0], rho_clip: 1.0, c_clip: 1.0 };
    advantages(&rollout, 1, decay, Some(correction), &mut corrected).unwrap();
    assert_eq!(plain, corrected);
}

#[test]
fn a_rollout_that_does_not_fit_is_refused() {
    let rollout = Rollout {
        rewards: &[1.0],
        values: &[0.5],
        terminated: &[0],
        truncated: &[0],
        bootstrap: &[0.0],
        discounts: None,
    };
    let error = advantages(&rollout, 1, Decay { gamma: 1.0, lambda: 1.0 }, None, &mut [0.0]).unwrap_err();
    assert_eq!(error, "1 values; 2 are needed");
}

#[test]
fn a_scan_follows_its_recurrence_and_its_gradient_runs_back() {
    let (a, b, first) = ([0.5, 0.0, 2.0, 1.0], [1.0, 3.0, -1.0, 0.5], [4.0, 8.0]);
    let mut h = [0.0; 4];
    linear_scan(&a, &b, &first, &mut h).unwrap();
    assert_eq!(h, [3.0, 3.0, 5.0, 3.5]);

    let (mut g, mut of_first) = ([0.0; 4], [0.0; 2]);
    linear_scan_backward(&a, &[1.0, 1.0, 1.0, 1.0], &mut of_first, &mut g).unwrap();
    assert_eq!(g, [3.0, 2.0, 1.0, 1.0]);
    assert_eq!(of_first, [1.5, 0.0]);
    assert!(linear_scan(&a, &b[..2], &first, &mut h).is_err());
}
