//! The runners as programs: arguments, files and exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use diorama_capi::trace::ABP_TRACE_RECORD_SIZE;

/// An empty folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last run's folder can be removed");
    }
    fs::create_dir(&folder).expect("a folder can be made");
    folder
}

fn runner(arguments: &[&str], folder: &Path) -> Output {
    let runner = env!("CARGO_BIN_EXE_core_test_runner");
    Command::new(runner).args(arguments).current_dir(folder).output().expect("the runner starts")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let names = entries.map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn wrong_arguments_are_told_in_one_line_and_exit_with_2() {
    let folder = folder("runner_arguments");
    fs::write(folder.join("a"), [6]).expect("the actions can be written");
    let cases: [(&[&str], &str); 9] = [
        (&[], "--seed is missing"),
        (&["--seed", "1", "--actions", "a"], "--out is missing"),
        (&["--seed", "1", "--out", "o"], "--actions is missing"),
        (&["--seed"], "--seed needs a value"),
        (&["--seed", "one"], "--seed 'one' is no integer"),
        (&["--seed", "1.5"], "--seed '1.5' is no integer"),
        (&["--time-max", "long"], "--time-max 'long' is no number"),
        (&["--seed", "1", "--actions", "a", "--out", "o", "--time-max", "0"], "time_max is 0"),
        (&["--sede", "1"], "there is no option '--sede'"),
    ];
    for (arguments, problem) in cases {
        let output = runner(arguments, &folder);

        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(told.contains(problem) && told.lines().count() == 1, "{arguments:?}: {told}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(names_in(&folder), ["a"]);
}

#[test]
fn a_trace_replaces_the_old_file_and_leaves_nothing_else() {
    let folder = folder("runner_replaces");
    fs::write(folder.join("a"), [6, 200, 68, 6]).expect("the actions can be written");
    fs::write(folder.join("o"), "old").expect("the old file can be written");

    let output = runner(&["--seed", "-1", "--actions", "a", "--out", "o"], &folder);

    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(names_in(&folder), ["a", "o"]);
    assert_eq!(fs::read(folder.join("o")).expect("there is a trace").len(), 4 * ABP_TRACE_RECORD_SIZE);
}

#[test]
fn seeds_count_modulo_two_to_the_64() {
    let folder = folder("runner_seeds");
    fs::write(folder.join("a"), [0, 68, 6, 6]).expect("the actions can be written");

    for (seed, out) in [("-1", "wrapped"), ("18446744073709551615", "largest")] {
        assert!(runner(&["--seed", seed, "--actions", "a", "--out", out], &folder).status.success());
    }

    let traces = ["wrapped", "largest"].map(|name| fs::read(folder.join(name)).expect("there is a trace"));
    assert!(traces[0] == traces[1]);
}

#[test]
fn files_that_cannot_be_used_fail_in_one_line_and_leave_the_output_alone() {
    let folder = folder("runner_files");
    fs::write(folder.join("a"), [6]).expect("the actions can be written");
    fs::write(folder.join("o"), "old").expect("the old file can be written");
    fs::create_dir(folder.join("taken")).expect("a folder can be made");
    let cases =
        [("missing", "o", "cannot read missing"), ("a", "taken", "cannot write taken"), ("a", "no/o", "cannot write")];

    for (actions, out, problem) in cases {
        let output = runner(&["--seed", "1", "--actions", actions, "--out", out], &folder);

        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(told.contains(problem) && told.lines().count() == 1, "{told}");
    }

    assert_eq!(fs::read_to_string(folder.join("o")).expect("the old file is there"), "old");
    assert_eq!(names_in(&folder), ["a", "o", "taken"]);
}

#[test]
fn a_package_that_cannot_be_fought_leaves_the_output_alone() {
    let folder = folder("runner_packages");
    for (name, content) in [("p", "{}"), ("a", ""), ("o", "old")] {
        fs::write(folder.join(name), content).expect("a file can be written");
    }
    let arguments = ["--package", "p", "--seed", "1", "--agents", "2", "--actions", "a", "--out", "o"];

    let runner = env!("CARGO_BIN_EXE_tidebreak_trace_runner");
    let output = Command::new(runner).args(arguments).current_dir(&folder).output().expect("the runner starts");

    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("C001 not a resolved package") && told.lines().count() == 1, "{told}");
    assert_eq!(fs::read_to_string(folder.join("o")).expect("the old file is there"), "old");
    assert_eq!(names_in(&folder), ["a", "o", "p"]);
}
