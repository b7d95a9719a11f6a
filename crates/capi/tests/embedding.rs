//! C programs that embed the library.

mod support;

use std::fs;
use std::process::Command;

use diorama_capi::trace::ABP_TRACE_RECORD_SIZE;
use support::{compile, run, scratch, source};

#[test]
fn a_c_program_plays_the_trace_that_the_runner_writes() {
    let actions = scratch("embed_actions.bin");
    let trace = scratch("embed_trace.bin");
    let script: Vec<u8> = (0..4000_u32).map(|place| (place * 37 % 71) as u8).collect();
    fs::write(&actions, &script).expect("the actions can be written");
    let embed = compile(&source("tests/c/embed.c"), "embed");

    let played = run(Command::new(embed).arg("42").arg(&actions)).stdout;
    run(Command::new(env!("CARGO_BIN_EXE_core_test_runner"))
        .args(["--seed", "42", "--time-max", "500", "--actions"])
        .arg(&actions)
        .arg("--out")
        .arg(&trace));

    assert_eq!(played.len(), script.len() * ABP_TRACE_RECORD_SIZE);
    assert!(played == fs::read(&trace).expect("the runner wrote a trace"));
}

#[test]
fn the_program_in_the_readme_compiles_and_prints_known_answers() {
    let readme = fs::read_to_string(source("README.md")).expect("there is a README");
    let (_, rest) = readme.split_once("```c\n").expect("the README has C code");
    let (code, _) = rest.split_once("```").expect("the code ends");
    let program = scratch("readme.c");
    fs::write(&program, code).expect("the program can be written");

    let printed = run(&mut Command::new(compile(&program, "readme"))).stdout;

    assert_eq!(String::from_utf8_lossy(&printed), "-0.001000 after 4048 draws\n");
}
