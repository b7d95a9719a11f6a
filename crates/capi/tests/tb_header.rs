//! The header of `tidebreak` against the Rust side: layouts, numbers and functions.

mod agreement;
mod support;

use agreement::{Assertions, constant_name, declared_functions, exported_functions, same_layout};
use diorama_capi::tb::TB_ABI_VERSION;
use diorama_capi::tb::batch::{TB_MAX_TEMPLATES, TB_MAX_TICKS};
use diorama_capi::tb::batch_calls::TbArray;
use diorama_capi::tb::buffers::{Dtype, KINDS, TB_ALIGNMENT, kind};
use diorama_capi::tb::code::Code;
use diorama_capi::tb::config::{TB_MAX_ENVS, TB_MAX_THREADS, TbConfig};
use diorama_capi::tb::event::TbEvent;
use diorama_capi::tb::fieldspace_calls::TbMod;
use diorama_capi::tb::trace::TB_TRACE_RECORD_SIZE;
use tidebreak::contract::{HEADS, N_METRICS, N_OPTIONS, N_REWARD_COMPONENTS};
use tidebreak::events::EVENT_KINDS;
use tidebreak::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};

#[test]
fn structures_and_numbers_are_the_same_on_both_sides() {
    let mut assertions = Assertions::about("diorama_tidebreak.h");
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
        assertions.equal(constant_name("TB", code), code as i32);
    }

    assertions.hold("tb_layout");
}

#[test]
fn every_function_is_declared_and_exported() {
    assert_eq!(declared_functions("diorama_tidebreak.h", "tb_"), exported_functions("src/tb"));
}
