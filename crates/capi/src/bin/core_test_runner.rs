//! Plays a file of actions and writes the step trace.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;

use diorama_capi::runner::{conclude, problem, read, write_whole};
use diorama_capi::trace::write_trace;
use prospector::Config;

const USAGE: &str = "usage: core_test_runner --seed S --actions FILE --out FILE [--time-max T]";

struct Arguments {
    seed: u64,
    actions: PathBuf,
    out: PathBuf,
    config: Config,
}

fn main() -> ExitCode {
    conclude("core_test_runner", USAGE, parse(std::env::args_os().skip(1)), run)
}

fn parse(mut words: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let (mut seed, mut actions, mut out) = (None, None, None);
    let mut config = Config::default();
    while let Some(option) = words.next() {
        let option = option.to_string_lossy();
        let mut value = || words.next().ok_or_else(|| format!("{option} needs a value"));
        match option.as_ref() {
            "--seed" => seed = Some(parse_seed(&value()?)?),
            "--actions" => actions = Some(PathBuf::from(value()?)),
            "--out" => out = Some(PathBuf::from(value()?)),
            "--time-max" => config.time_max = parse_time_max(&value()?)?,
            _ => return Err(format!("there is no option '{option}'")),
        }
    }
    config.validate()?;
    Ok(Arguments {
        seed: seed.ok_or("--seed is missing")?,
        actions: actions.ok_or("--actions is missing")?,
        out: out.ok_or("--out is missing")?,
        config,
    })
}

/// A seed counts modulo 2^64, so that -1 is the largest.
fn parse_seed(given: &OsStr) -> Result<u64, String> {
    let text = given.to_string_lossy();
    let seed: i128 = text.parse().map_err(|_| format!("--seed '{text}' is no integer"))?;
    Ok(seed as u64)
}

fn parse_time_max(given: &OsStr) -> Result<f64, String> {
    let text = given.to_string_lossy();
    text.parse().map_err(|_| format!("--time-max '{text}' is no number"))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let actions = read(&arguments.actions)?;
    write_whole(&arguments.out, |out| {
        write_trace(arguments.config, arguments.seed, &actions, out)
            .map_err(|error| problem("write", &arguments.out, &error))
    })
}
