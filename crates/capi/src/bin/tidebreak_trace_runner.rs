//! Fights a resolved package with a file of actions and writes the step trace.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use diorama_capi::runner::{conclude, read, write_whole};
use diorama_capi::tb::config::TbConfig;
use diorama_capi::tb::trace::write_trace;

const USAGE: &str = "usage: tidebreak_trace_runner --package FILE --seed S --agents N --actions FILE --out FILE";

struct Arguments {
    package: PathBuf,
    seed: u64,
    agents: u32,
    actions: PathBuf,
    out: PathBuf,
}

fn main() -> ExitCode {
    conclude("tidebreak_trace_runner", USAGE, parse(std::env::args_os().skip(1)), run)
}

fn parse(mut words: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let (mut package, mut seed, mut agents, mut actions, mut out) = (None, None, None, None, None);
    while let Some(option) = words.next() {
        let option = option.to_string_lossy();
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_ref() {
            "--package" => package = Some(PathBuf::from(value)),
            "--seed" => seed = Some(number(&option, &value)?),
            "--agents" => agents = Some(number(&option, &value)?),
            "--actions" => actions = Some(PathBuf::from(value)),
            "--out" => out = Some(PathBuf::from(value)),
            _ => return Err(format!("there is no option '{option}'")),
        }
    }
    Ok(Arguments {
        package: package.ok_or("--package is missing")?,
        seed: seed.ok_or("--seed is missing")?,
        agents: agents.ok_or("--agents is missing")?,
        actions: actions.ok_or("--actions is missing")?,
        out: out.ok_or("--out is missing")?,
    })
}

fn number<T: std::str::FromStr>(option: &str, given: &OsString) -> Result<T, String> {
    let text = given.to_string_lossy();
    text.parse().map_err(|_| format!("{option} '{text}' is no number that it can be"))
}

/// Ships of every side take the seats, in the order of the package; actions are int32, tick by tick and seat by seat.
fn run(arguments: &Arguments) -> Result<(), String> {
    let (package, actions) = (read(&arguments.package)?, read(&arguments.actions)?);
    let (numbers, rest) = actions.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("{} does not hold 32-bit integers", arguments.actions.display()));
    }
    let actions: Vec<i32> = numbers.iter().copied().map(i32::from_le_bytes).collect();
    let config = TbConfig { agents_per_env: arguments.agents, plays_all: 1, ..TbConfig::usual() };
    // SAFETY: the names of the usual configuration are NULL.
    let plan = unsafe { config.plan() }.map_err(|failure| failure.message)?;
    write_whole(&arguments.out, |out| {
        write_trace(plan, &package, arguments.seed, &actions, out).map_err(|failure| failure.message)
    })
}
