//! The header against the Rust side: layouts, numbers, names and functions.

mod support;

use std::fmt::{Display, Write};
use std::fs;
use std::mem::offset_of;

use diorama_capi::config::{ABP_REWARD_V1, ABP_REWARD_V2, AbpConfig};
use diorama_capi::core::{ABP_FLAG_INVALID_ACTION, ABP_FLAG_TERMINATED, ABP_FLAG_TRUNCATED, StepResult};
use diorama_capi::core_calls::ABP_ABI_VERSION;
use diorama_capi::status::Status;
use diorama_capi::trace::ABP_TRACE_RECORD_SIZE;
use diorama_capi::vec_calls::VecBuffers;
use diorama_capi::vector::{ABP_MAX_COPIES, ABP_MAX_THREADS};
use prospector::tables::{ACTION_NAMES, EVENT_NAMES, METRIC_NAMES, N_ACTIONS, N_METRICS, OBS_DIM};
use support::{compile, run, scratch, source};

/// Collects the assertions of a C program that compiles only if all of them hold.
struct Assertions(String);

impl Assertions {
    fn equal(&mut self, in_c: impl Display, in_rust: impl Display) {
        writeln!(self.0, "_Static_assert({in_c} == {in_rust}, \"{in_c} is {in_rust} in Rust\");").expect("text grows");
    }

    fn table(&mut self, prefix: &str, names: &[&str], value: impl Fn(usize) -> usize) {
        for (place, name) in names.iter().enumerate() {
            self.equal(format!("{prefix}_{}", name.to_uppercase()), value(place));
        }
    }
}

macro_rules! same_layout {
    ($assertions:expr, $in_c:literal, $in_rust:ty: $($field:ident)*) => {
        $assertions.equal(concat!("sizeof(", $in_c, ")"), size_of::<$in_rust>());
        $assertions.equal(concat!("_Alignof(", $in_c, ")"), align_of::<$in_rust>());
        $($assertions.equal(
            concat!("offsetof(", $in_c, ", ", stringify!($field), ")"),
            offset_of!($in_rust, $field),
        );)*
    };
}

#[test]
fn structures_and_numbers_are_the_same_on_both_sides() {
    let mut assertions = Assertions("#include <diorama_prospector.h>\n#include <stddef.h>\n".to_owned());
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
        assertions.equal(status_name(status), status as i32);
    }
    assertions.table("ABP_ACTION", &ACTION_NAMES, |place| place);
    assertions.table("ABP_METRIC", &METRIC_NAMES, |place| place);
    assertions.table("ABP_EVENT", &EVENT_NAMES, |place| 1 << place);
    assertions.0.push_str("int main(void) { return 0; }\n");

    let program = scratch("layout.c");
    fs::write(&program, assertions.0).expect("the program can be written");

    run(&mut std::process::Command::new(compile(&program, "layout")));
}

/// `BadTimeMax` is `ABP_BAD_TIME_MAX` in C.
fn status_name(status: Status) -> String {
    let mut name = "ABP".to_owned();
    for letter in format!("{status:?}").chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[test]
fn every_function_is_declared_and_exported_and_called_from_c() {
    let header = fs::read_to_string(source("include/diorama_prospector.h")).expect("there is a header");
    let declared: Vec<&str> = header.lines().filter_map(declared_function).collect();
    let mut rust = String::new();
    for entry in fs::read_dir(source("src")).expect("there are sources") {
        let path = entry.expect("an entry can be read").path();
        if path.is_file() {
            rust.push_str(&fs::read_to_string(path).expect("a source can be read"));
        }
    }
    let embed = fs::read_to_string(source("tests/c/embed.c")).expect("there is a C program");

    let exported = rust.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next());
    let (mut exported, mut in_header): (Vec<&str>, _) = (exported.collect(), declared);
    exported.sort_unstable();
    in_header.sort_unstable();

    assert_eq!(in_header, exported);
    for function in in_header {
        assert!(embed.contains(&format!("{function}(")), "embed.c does not call {function}");
    }
}

/// Name of the function that a line of the header begins to declare.
fn declared_function(line: &str) -> Option<&str> {
    let (before, _) = line.split_once('(')?;
    let is_code = line.starts_with(|first: char| first.is_ascii_alphabetic());
    let name = before.rsplit([' ', '*']).next()?;
    (is_code && name.starts_with("abp_")).then_some(name)
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
