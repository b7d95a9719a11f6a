//! Plays a file of actions and writes the step trace.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    let arguments = match parse(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("core_test_runner: {problem}; {USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("core_test_runner: {problem}");
            ExitCode::FAILURE
        }
    }
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
    let actions = fs::read(&arguments.actions).map_err(|error| problem("read", &arguments.actions, &error))?;
    let partial = partial_path(&arguments.out);
    let written = write_partial(arguments, &actions, &partial).and_then(|()| fs::rename(&partial, &arguments.out));
    written.map_err(|error| {
        // What is left of the file is of no use; that it cannot be removed would only hide the first error.
        let _ = fs::remove_file(&partial);
        problem("write", &arguments.out, &error)
    })
}

/// A name beside the output, so that renaming stays within one file system, and of this process alone.
fn partial_path(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    out.with_file_name(name)
}

fn write_partial(arguments: &Arguments, actions: &[u8], partial: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(partial)?;
    let mut out = BufWriter::new(file);
    write_trace(arguments.config, arguments.seed, actions, &mut out)?;
    out.flush()
}

fn problem(verb: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {verb} {}: {error}", path.display())
}
