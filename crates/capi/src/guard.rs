//! Keeps panics on this side of the boundary.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::Status;

/// Runs a call's body and turns its outcome, or its panic, into a status.
pub(crate) fn status_of(body: impl FnOnce() -> Result<(), Status>) -> Status {
    // A body that panicked may leave a handle half-changed, never unsound; callers are told to reset or destroy it.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(_) => Status::Internal,
    }
}

/// Runs a body that makes something and boxes it, or returns NULL if it could not be made.
pub(crate) fn handle_of<T>(body: impl FnOnce() -> Result<T, Status>) -> *mut T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(made)) => Box::into_raw(Box::new(made)),
        Ok(Err(_)) | Err(_) => std::ptr::null_mut(),
    }
}

#[cfg(test)]
mod tests {
    use super::{handle_of, status_of};
    use crate::status::Status;

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(status_of(|| panic!("the unit test of the guard panics on purpose")), Status::Internal);
    }

    #[test]
    fn a_panic_while_making_a_handle_becomes_null() {
        assert!(handle_of::<u8>(|| panic!("the unit test of the guard panics on purpose")).is_null());
    }
}
