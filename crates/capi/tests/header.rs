//! The header against the Rust side: layouts, numbers, names and functions.

mod agreement;
mod support;

use std::fs;

use agreement::{Assertions, constant_name, declared_functions, exported_functions, same_layout};
use diorama_capi::config::{ABP_REWARD_V1, ABP_REWARD_V2, AbpConfig};
use diorama_capi::core::{ABP_FLAG_INVALID_ACTION, ABP_FLAG_TERMINATED, ABP_FLAG_TRUNCATED, StepResult};
use diorama_capi::core_calls::ABP_ABI_VERSION;
use diorama_capi::status::Status;
use diorama_capi::trace::ABP_TRACE_RECORD_SIZE;
use diorama_capi::vec_calls::VecBuffers;
use diorama_capi::vector::{ABP_MAX_COPIES, ABP_MAX_THREADS};
use prospector::tables::{ACTION_NAMES, EVENT_NAMES, METRIC_NAMES, N_ACTIONS, N_METRICS, OBS_DIM};
use support::source;

#[test]
fn structures_and_numbers_are_the_same_on_both_sides() {
    let mut assertions = Assertions::about("diorama_prospector.h");
    same_layout!(assertions, "abp_config", AbpConfig: time_max invalid_action_pen reward_profile pirates hazards
        fractures price_impact market_noise scan_noise);
    same_layout!(assertions, "abp_step_result", StepResult: reward rng_draws metrics obs event_bits action_received dt
        action flags reserved);
    same_layout!(assertions, "abp_vec_buffers", VecBuffers: obs rewards terminals truncations action_masks dt metrics
        event_bits final_obs);
    let numbers = [
        ("ABP_ABI_VERSION", ABP_ABI_VERSION as usize),
        ("ABP_OBS_DIM", OBS_DIM),
        ("ABP_N_ACTIONS", N_ACTIONS),
        ("ABP_N_METRICS", N_METRICS),
        ("ABP_N_EVENTS", EVENT_NAMES.len()),
        ("ABP_REWARD_V1", ABP_REWARD_V1 as usize),
        ("ABP_REWARD_V2", ABP_REWARD_V2 as usize),
        ("ABP_FLAG_TERMINATED", usize::from(ABP_FLAG_TERMINATED)),
        ("ABP_FLAG_TRUNCATED", usize::from(ABP_FLAG_TRUNCATED)),
        ("ABP_FLAG_INVALID_ACTION", usize::from(ABP_FLAG_INVALID_ACTION)),
        ("ABP_MAX_COPIES", ABP_MAX_COPIES),
        ("ABP_MAX_THREADS", ABP_MAX_THREADS),
        ("ABP_TRACE_RECORD_SIZE", ABP_TRACE_RECORD_SIZE),
    ];
    for (name, value) in numbers {
        assertions.equal(name, value);
    }
    for status in Status::ALL {
        assertions.equal(constant_name("ABP", status), status as i32);
    }
    table(&mut assertions, "ABP_ACTION", &ACTION_NAMES, |place| place);
    table(&mut assertions, "ABP_METRIC", &METRIC_NAMES, |place| place);
    table(&mut assertions, "ABP_EVENT", &EVENT_NAMES, |place| 1 << place);

    assertions.hold("layout");
}

fn table(assertions: &mut Assertions, prefix: &str, names: &[&str], value: impl Fn(usize) -> usize) {
    for (place, name) in names.iter().enumerate() {
        assertions.equal(format!("{prefix}_{}", name.to_uppercase()), value(place));
    }
}

#[test]
fn every_function_is_declared_and_exported_and_called_from_c() {
    let declared = declared_functions("diorama_prospector.h", "abp_");
    let embed = fs::read_to_string(source("tests/c/embed.c")).expect("there is a C program");

    assert_eq!(declared, exported_functions("src"));
    for function in declared {
        assert!(embed.contains(&format!("{function}(")), "embed.c does not call {function}");
    }
}

#[test]
fn every_status_has_a_text_and_so_has_any_other_number() {
    let texts: Vec<_> = (-1..=Status::ALL.len() as i32)
        .map(|status| {
            let text = diorama_capi::status::abp_status_text(status);
            // SAFETY: the text is static and ends with a zero.
            unsafe { std::ffi::CStr::from_ptr(text) }.to_str().expect("texts are ASCII")
        })
        .collect();

    assert_eq!((texts[0], texts[texts.len() - 1]), ("no such status", "no such status"));
    for (status, text) in Status::ALL.iter().zip(&texts[1..]) {
        assert_eq!(status.text().to_str(), Ok(*text));
    }
}
