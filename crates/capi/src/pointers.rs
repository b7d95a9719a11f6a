//! The caller's pointers, checked for NULL and turned into references and slices.
//!
//! Every function here trusts the caller for what no check can see: that a pointer which is not NULL points to as many
//! live, aligned values as the header asks for, and that nobody else touches them during the call.

use crate::status::Status;

/// Borrows what `pointer` points to.
///
/// # Safety
/// `pointer` is NULL or points to a live value that nobody changes while it is borrowed.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    // SAFETY: the caller vouches for a pointer that is not NULL.
    unsafe { pointer.as_ref() }.ok_or(Status::NullPointer)
}

/// Borrows what `pointer` points to, to change it.
///
/// # Safety
/// `pointer` is NULL or points to a live value that nobody else uses while it is borrowed.
pub(crate) unsafe fn exclusive<'a, T>(pointer: *mut T) -> Result<&'a mut T, Status> {
    // SAFETY: the caller vouches for a pointer that is not NULL.
    unsafe { pointer.as_mut() }.ok_or(Status::NullPointer)
}

/// Borrows `count` values.
///
/// # Safety
/// `first` is NULL or points to `count` live values that nobody changes while they are borrowed.
pub(crate) unsafe fn slice<'a, T>(first: *const T, count: usize) -> Result<&'a [T], Status> {
    check_array(first, count)?;
    // SAFETY: not NULL, not too long for a slice, and the caller vouches for the values.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Borrows `count` values, to change them.
///
/// # Safety
/// `first` is NULL or points to `count` live values that nobody else uses while they are borrowed.
pub(crate) unsafe fn slice_mut<'a, T>(first: *mut T, count: usize) -> Result<&'a mut [T], Status> {
    check_array(first, count)?;
    // SAFETY: not NULL, not too long for a slice, and the caller vouches for the values.
    Ok(unsafe { std::slice::from_raw_parts_mut(first, count) })
}

/// Checks a place for one value, which need not hold one yet.
pub(crate) fn place<T>(pointer: *mut T) -> Result<*mut T, Status> {
    if pointer.is_null() { Err(Status::NullPointer) } else { Ok(pointer) }
}

/// Checks that an array is there and that its bytes can be counted.
pub(crate) fn check_array<T>(first: *const T, count: usize) -> Result<(), Status> {
    if first.is_null() {
        return Err(Status::NullPointer);
    }
    let bytes = count.checked_mul(size_of::<T>()).ok_or(Status::BadCount)?;
    if isize::try_from(bytes).is_err() { Err(Status::BadCount) } else { Ok(()) }
}
