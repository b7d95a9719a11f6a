//! Keeps panics on this side of the boundary and failures for whoever asks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::tb::code::{Code, Failure};
use crate::tb::last_error::remember;

/// Runs a call's body and turns its outcome, or its panic, into a code.
pub(crate) fn code_of(body: impl FnOnce() -> Result<(), Failure>) -> Code {
    let outcome = guarded(body).unwrap_or_else(|| {
        Err(Failure::new(Code::Poisoned, "the library broke one of its own rules; reset or destroy the handle"))
    });
    let Err(failure) = outcome else { return Code::Ok };
    remember(&failure.message);
    failure.code
}

/// Runs something that may panic; `None` if it did.
///
/// What it leaves half-changed must be marked as unusable by the caller; it is never unsound.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(body)).ok()
}

#[cfg(test)]
mod tests {
    use super::code_of;
    use crate::tb::code::Code;

    #[test]
    fn a_panic_becomes_a_code() {
        assert_eq!(code_of(|| panic!("the unit test of the guard panics on purpose")), Code::Poisoned);
    }
}
