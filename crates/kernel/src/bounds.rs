//! How large a number of a snapshot can be, whatever it counts or measures.

use std::fmt::{Arguments, Display};

use crate::snapshot::SnapshotError;
use crate::state_hash::WordReader;
use crate::words::Words;

/// No world counts further, and every JSON reader keeps it; `LARGEST_NUMBER` of `diorama.snapshots` is its twin.
pub const LARGEST: i64 = 1 << 53;

/// No world measures further; from twice as much on angles have no sine. `LARGEST_MEASURE` is its twin.
const LARGEST_MEASURE: f64 = (1_i64 << 50) as f64;

/// A name, a value, and the least and the most that it can be.
pub type Bound<T> = (&'static str, T, T, T);

/// Refuses the first value that is out of its bounds, or no number.
///
/// # Errors
/// With the owner, and the name, value and bounds of the first wrong one.
pub fn within<T: Copy + Display + PartialOrd>(owner: Arguments<'_>, bounds: &[Bound<T>]) -> Result<(), SnapshotError> {
    match bounds.iter().find(|(_, value, least, most)| !(least..=most).contains(&value)) {
        None => Ok(()),
        Some((name, value, least, most)) => {
            let right = if least == most { least.to_string() } else { format!("{least} to {most}") };
            Err(SnapshotError::Invalid(format!("{owner}: {name} is {value}; it must be {right}")))
        }
    }
}

/// Refuses what is not sound.
///
/// # Errors
/// With the problem.
pub fn need(is_sound: bool, problem: impl FnOnce() -> String) -> Result<(), SnapshotError> {
    if is_sound { Ok(()) } else { Err(SnapshotError::Invalid(problem())) }
}

/// Anything made of numbers.
pub trait Bounded {
    /// Refuses a number that is too large, or none; `name` is that of the field it stands in.
    ///
    /// # Errors
    /// With the name and the value of the first wrong one.
    fn check(&self, name: &str) -> Result<(), SnapshotError>;
}

impl Bounded for i64 {
    fn check(&self, name: &str) -> Result<(), SnapshotError> {
        if (-LARGEST..=LARGEST).contains(self) { Ok(()) } else { refuse(name, self, LARGEST) }
    }
}

impl Bounded for f64 {
    fn check(&self, name: &str) -> Result<(), SnapshotError> {
        if self.abs() <= LARGEST_MEASURE { Ok(()) } else { refuse(name, self, LARGEST_MEASURE) }
    }
}

impl Bounded for bool {
    fn check(&self, _name: &str) -> Result<(), SnapshotError> {
        Ok(())
    }
}

impl<T: Bounded, const N: usize> Bounded for [T; N] {
    fn check(&self, name: &str) -> Result<(), SnapshotError> {
        self.iter().try_for_each(|value| value.check(name))
    }
}

impl<T: Bounded> Bounded for Vec<T> {
    fn check(&self, name: &str) -> Result<(), SnapshotError> {
        self.iter().try_for_each(|value| value.check(name))
    }
}

/// Takes what is bounded.
///
/// # Errors
/// When the words cannot be such a value, or a number in it is too large, or none.
pub fn read_bounded<T: Words + Bounded>(words: &mut WordReader<'_>) -> Result<T, SnapshotError> {
    let found = T::read(words)?;
    found.check("a number")?;
    Ok(found)
}

/// Makes words of records, as `word_records` does, and has every number in them bounded.
#[macro_export]
macro_rules! bounded_records {
    ($($record:ident { $($field:ident $(: $layout:ident)?),* } $([$($left_out:ident),*])?)*) => {
        $crate::word_records! { $($record { $($field $(: $layout)?),* } $([$($left_out),*])?)* }
        $(impl $crate::bounds::Bounded for $record {
            fn check(&self, _name: &str) -> Result<(), $crate::snapshot::SnapshotError> {
                $($crate::bounds::Bounded::check(&self.$field, stringify!($field).trim_start_matches("r#"))?;)*
                Ok(())
            }
        })*
    };
}

fn refuse(name: &str, value: impl Display, most: impl Display) -> Result<(), SnapshotError> {
    Err(SnapshotError::Invalid(format!("{name} is {value}; it must be -{most} to {most}")))
}
