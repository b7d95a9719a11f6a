//! What a call of `tidebreak` answers, and the line that goes with it.

use crate::status::Status;

/// Answer of a call. Up to 30, and 900, the number is that of the world's error code; the others are of this interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// Done.
    Ok = 0,
    /// The bytes are no resolved package.
    BadPackage = 1,
    /// An action has an option that does not exist.
    BadAction = 2,
    /// There is no such environment or template.
    BadIndex = 3,
    /// A buffer has another type of number.
    BadDtype = 10,
    /// A buffer has another shape.
    BadShape = 11,
    /// The entries of a buffer do not follow one another.
    NotContiguous = 12,
    /// A buffer does not begin at a multiple of 64 bytes.
    Misaligned = 13,
    /// A buffer that is written to is read-only.
    ReadOnly = 14,
    /// A snapshot has another version.
    SnapshotVersion = 20,
    /// A snapshot is of another battle, or damaged.
    SnapshotMismatch = 21,
    /// There is more than can be held.
    Capacity = 30,
    /// A pointer that must not be NULL was.
    NullPointer = 101,
    /// The configuration makes no sense.
    BadConfig = 102,
    /// Something must be called first.
    NotReady = 103,
    /// There is no finished battle.
    NotOver = 104,
    /// A buffer overlaps with another.
    Overlap = 105,
    /// A number is out of range.
    BadValue = 106,
    /// A battle failed in a step and must be reset.
    Poisoned = 900,
}

impl Code {
    /// Every code, in the order of the numbers.
    pub const ALL: [Self; 19] = [
        Self::Ok,
        Self::BadPackage,
        Self::BadAction,
        Self::BadIndex,
        Self::BadDtype,
        Self::BadShape,
        Self::NotContiguous,
        Self::Misaligned,
        Self::ReadOnly,
        Self::SnapshotVersion,
        Self::SnapshotMismatch,
        Self::Capacity,
        Self::NullPointer,
        Self::BadConfig,
        Self::NotReady,
        Self::NotOver,
        Self::Overlap,
        Self::BadValue,
        Self::Poisoned,
    ];
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the call answers.
    pub code: Code,
    /// One line for people, which begins with the code.
    pub message: String,
}

impl Failure {
    /// A failure and what to say about it.
    #[must_use]
    pub fn new(code: Code, reason: impl AsRef<str>) -> Self {
        Self { code, message: format!("C{:03} {}", code as i32, reason.as_ref()) }
    }

    /// A failure of the core, which puts its code before the reason; `otherwise` where it puts none.
    #[must_use]
    pub fn of_core(reason: &str, otherwise: Code) -> Self {
        let (given, rest) = reason.split_once(' ').unwrap_or_default();
        let coded = Code::ALL.into_iter().find(|&code| code != Code::Ok && given == format!("C{:03}", code as i32));
        coded.map_or_else(|| Self::new(otherwise, reason), |code| Self::new(code, rest))
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let code = if status == Status::NullPointer { Code::NullPointer } else { Code::Capacity };
        Self::new(code, status.text().to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Failure};

    #[test]
    fn the_core_names_its_codes_itself() {
        let failure = Failure::of_core("C030 there are 65 units", Code::BadPackage);

        assert_eq!(failure, Failure { code: Code::Capacity, message: "C030 there are 65 units".to_owned() });
        assert_eq!(Failure::of_core("no such side", Code::BadConfig).message, "C102 no such side");
        assert_eq!(Failure::of_core("short", Code::BadValue).message, "C106 short");
    }
}
