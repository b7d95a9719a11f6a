//! What the programs that write traces have in common: how they end, and files that are whole or not there.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a program whose arguments were read; what goes wrong is one line.
///
/// Exits 2 where the arguments are wrong, and 1 where something else is.
pub fn conclude<A>(
    program: &str,
    usage: &str,
    arguments: Result<A, String>,
    run: impl FnOnce(&A) -> Result<(), String>,
) -> ExitCode {
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{program}: {problem}; {usage}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{program}: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a file.
///
/// # Errors
/// With its name.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| problem("read", path, &error))
}

/// Makes a file of what `write` writes; where that fails the old one stays.
///
/// # Errors
/// That of `write`, or that the file cannot be written.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<(), String>) -> Result<(), String> {
    let partial = partial_path(path);
    let opened = OpenOptions::new().write(true).create_new(true).open(&partial);
    let mut out = BufWriter::new(opened.map_err(|error| problem("write", path, &error))?);
    let written = write(&mut out).and_then(|()| {
        out.flush().and_then(|()| fs::rename(&partial, path)).map_err(|error| problem("write", path, &error))
    });
    if written.is_err() {
        // What is left of the file is of no use; that it cannot be removed would only hide the first error.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Says what could not be done with a file, and why.
pub fn problem(verb: &str, path: &Path, error: &impl Display) -> String {
    format!("cannot {verb} {}: {error}", path.display())
}

/// A name beside the output, so that renaming stays within one file system, and of this process alone.
fn partial_path(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    out.with_file_name(name)
}
