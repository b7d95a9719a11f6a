//! The header of `tidebreak` against the Rust side: layouts, numbers and functions.

mod support;

use std::fmt::{Display, Write};
use std::fs;
use std::mem::offset_of;

use diorama_capi::tb::TB_ABI_VERSION;
use diorama_capi::tb::batch::{TB_MAX_TEMPLATES, TB_MAX_TICKS};
use diorama_capi::tb::batch_calls::TbArray;
use diorama_capi::tb::buffers::{Dtype, KINDS, TB_ALIGNMENT, kind};
use diorama_capi::tb::code::Code;
use diorama_capi::tb::config::{TB_MAX_ENVS, TB_MAX_THREADS, TbConfig};
use diorama_capi::tb::event::TbEvent;
use diorama_capi::tb::fieldspace_calls::TbMod;
use diorama_capi::tb::trace::TB_TRACE_RECORD_SIZE;
use support::{compile, run, scratch, source};
use tidebreak::contract::{HEADS, N_METRICS, N_OPTIONS, N_REWARD_COMPONENTS};
use tidebreak::events::EVENT_KINDS;
use tidebreak::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};

/// Collects the assertions of a C program that compiles only if all of them hold.
struct Assertions(String);

impl Assertions {
    fn equal(&mut self, in_c: impl Display, in_rust: impl Display) {
        writeln!(self.0, "_Static_assert({in_c} == {in_rust}, \"{in_c} is {in_rust} in Rust\");").expect("text grows");
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
    let mut assertions = Assertions("#include <diorama_tidebreak.h>\n#include <stddef.h>\n".to_owned());
    same_layout!(assertions, "tb_config", TbConfig: seed envs agents_per_env threads compact_observation plays_all
        credit_dead collect_events weights team_share shaping_discount side teammates opponents);
    same_layout!(assertions, "tb_array", TbArray: data shape strides dtype ndim writable reserved);
    same_layout!(assertions, "tb_event", TbEvent: id tick source target cause trace f0 f1 i0 kind reserved);
    same_layout!(assertions, "tb_mod", TbMod: field op value factor);
    let numbers = [
        ("TB_ABI_VERSION", TB_ABI_VERSION as usize),
        ("TB_HEADS", HEADS),
        ("TB_N_OPTIONS", N_OPTIONS),
        ("TB_OBS_WIDTH", OBS_WIDTH),
        ("TB_COMPACT_OBS_WIDTH", COMPACT_OBS_WIDTH),
        ("TB_N_METRICS", N_METRICS),
        ("TB_N_REWARD_COMPONENTS", N_REWARD_COMPONENTS),
        ("TB_N_EVENT_KINDS", EVENT_KINDS),
        ("TB_N_FIELDS", morphospace::constants::N_FIELDS),
        ("TB_ALIGNMENT", TB_ALIGNMENT),
        ("TB_MAX_ENVS", TB_MAX_ENVS as usize),
        ("TB_MAX_THREADS", TB_MAX_THREADS as usize),
        ("TB_MAX_TEMPLATES", TB_MAX_TEMPLATES),
        ("TB_MAX_TICKS", TB_MAX_TICKS as usize),
        ("TB_TRACE_RECORD_SIZE", TB_TRACE_RECORD_SIZE),
        ("TB_U8", Dtype::U8 as usize),
        ("TB_U16", Dtype::U16 as usize),
        ("TB_I32", Dtype::I32 as usize),
        ("TB_I64", Dtype::I64 as usize),
        ("TB_U64", Dtype::U64 as usize),
        ("TB_F32", Dtype::F32 as usize),
        ("TB_BUFFER_ACTIONS", kind::ACTIONS),
        ("TB_BUFFER_ENV_DONE", kind::ENV_DONE),
        ("TB_BUFFER_STATE_HASH", kind::STATE_HASH),
        ("TB_BUFFER_FINAL_OBS + 1", KINDS),
    ];
    for (name, value) in numbers {
        assertions.equal(name, value);
    }
    for code in Code::ALL {
        assertions.equal(code_name(code), code as i32);
    }
    assertions.0.push_str("int main(void) { return 0; }\n");

    let program = scratch("tb_layout.c");
    fs::write(&program, assertions.0).expect("the program can be written");

    run(&mut std::process::Command::new(compile(&program, "tb_layout")));
}

/// `BadPackage` is `TB_BAD_PACKAGE` in C.
fn code_name(code: Code) -> String {
    let mut name = "TB".to_owned();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[test]
fn every_function_is_declared_and_exported() {
    let header = fs::read_to_string(source("include/diorama_tidebreak.h")).expect("there is a header");
    let mut declared: Vec<&str> = header.lines().filter_map(declared_function).collect();
    let mut rust = String::new();
    for entry in fs::read_dir(source("src/tb")).expect("there are sources") {
        let path = entry.expect("an entry can be read").path();
        rust.push_str(&fs::read_to_string(path).expect("a source can be read"));
    }

    let mut exported: Vec<&str> =
        rust.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    declared.sort_unstable();
    exported.sort_unstable();

    assert_eq!(declared, exported);
}

/// Name of the function that a line of the header begins to declare.
fn declared_function(line: &str) -> Option<&str> {
    let (before, _) = line.split_once('(')?;
    let is_code = line.starts_with(|first: char| first.is_ascii_alphabetic());
    let name = before.rsplit([' ', '*']).next()?;
    (is_code && name.starts_with("tb_")).then_some(name)
}
