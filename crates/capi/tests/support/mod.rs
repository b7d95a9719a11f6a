//! Compiles C programs against the header and the static library, and runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// System libraries that the static library needs.
#[cfg(target_os = "linux")]
const SYSTEM_LIBRARIES: &[&str] = &["-lpthread", "-ldl", "-lm"];
#[cfg(not(target_os = "linux"))]
const SYSTEM_LIBRARIES: &[&str] = &[];

/// A file of this crate.
pub fn source(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// A place for a file that a test makes.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Compiles a C program without warnings and returns the executable.
pub fn compile(program: &Path, name: &str) -> PathBuf {
    let executable = scratch(name);
    let library = std::env::current_exe().expect("a test has a path").with_file_name("libdiorama_capi.a");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .args([&source("include"), program, &library])
        .args(SYSTEM_LIBRARIES)
        .arg("-o")
        .arg(&executable)
        .output()
        .expect("a C compiler is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    executable
}

/// Runs a program that must succeed.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}
