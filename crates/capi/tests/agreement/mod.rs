//! What a header and the Rust side must agree on: layouts, numbers and functions.

use std::fmt::{Debug, Display, Write};
use std::fs;
use std::process::Command;

use crate::support::{compile, run, scratch, source};

/// Assertions of a C program that compiles only if all of them hold.
pub struct Assertions(String);

impl Assertions {
    /// None yet, about a header.
    pub fn about(header: &str) -> Self {
        Self(format!("#include <{header}>\n#include <stddef.h>\n"))
    }

    /// A C expression has the value that Rust gives it.
    pub fn equal(&mut self, in_c: impl Display, in_rust: impl Display) {
        writeln!(self.0, "_Static_assert({in_c} == {in_rust}, \"{in_c} is {in_rust} in Rust\");").expect("text grows");
    }

    /// Compiles and runs the program; `name` is that of its files.
    pub fn hold(mut self, name: &str) {
        self.0.push_str("int main(void) { return 0; }\n");
        let program = scratch(&format!("{name}.c"));
        fs::write(&program, self.0).expect("the program can be written");
        run(&mut Command::new(compile(&program, name)));
    }
}

/// Asserts size, alignment and the offset of every field of a structure.
macro_rules! same_layout {
    ($assertions:expr, $in_c:literal, $in_rust:ty: $($field:ident)*) => {
        $assertions.equal(concat!("sizeof(", $in_c, ")"), size_of::<$in_rust>());
        $assertions.equal(concat!("_Alignof(", $in_c, ")"), align_of::<$in_rust>());
        $($assertions.equal(
            concat!("offsetof(", $in_c, ", ", stringify!($field), ")"),
            std::mem::offset_of!($in_rust, $field),
        );)*
    };
}
pub(crate) use same_layout;

/// Name in C of a variant: `BadPackage` is `TB_BAD_PACKAGE` under the prefix `TB`.
pub fn constant_name(prefix: &str, variant: impl Debug) -> String {
    let mut name = prefix.to_owned();
    for letter in format!("{variant:?}").chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// Functions that a header declares, sorted.
pub fn declared_functions(header: &str, prefix: &str) -> Vec<String> {
    let text = fs::read_to_string(source("include").join(header)).expect("there is a header");
    let mut names: Vec<String> =
        text.lines().filter_map(|line| declared_function(line, prefix)).map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// Functions that the sources in a folder export, sorted.
pub fn exported_functions(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(source(folder)).expect("there are sources") {
        let path = entry.expect("an entry can be read").path();
        if path.is_file() {
            let text = fs::read_to_string(path).expect("a source can be read");
            let found = text.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next());
            names.extend(found.map(str::to_owned));
        }
    }
    names.sort_unstable();
    names
}

/// Name of the function that a line of a header begins to declare.
fn declared_function<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    let (before, _) = line.split_once('(')?;
    let is_code = line.starts_with(|first: char| first.is_ascii_alphabetic());
    let name = before.rsplit([' ', '*']).next()?;
    (is_code && name.starts_with(prefix)).then_some(name)
}
