//! Calls that take a world's state out and put one in.

use crate::core::Core;
use crate::guard::status_of;
use crate::pointers::{exclusive, place, shared, slice, slice_mut};
use crate::status::Status;

/// Writes the complete state into `buffer`, and its size in bytes to `size_out`; with a NULL `buffer` only the size.
///
/// # Safety
/// `core` is NULL or a live handle nobody changes now; `buffer` is NULL or has room for `capacity` bytes; `size_out` is
/// NULL or has room for a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_snapshot(
    core: *const Core,
    buffer: *mut u8,
    capacity: usize,
    size_out: *mut usize,
) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, size_out) = (unsafe { shared(core) }?, place(size_out)?);
        let data = core.snapshot();
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { size_out.write(data.len()) };
        if buffer.is_null() {
            return Ok(());
        }
        if capacity < data.len() {
            return Err(Status::BufferTooSmall);
        }
        // SAFETY: the caller vouches for `capacity` bytes, of which these are the first.
        unsafe { slice_mut(buffer, data.len()) }?.copy_from_slice(&data);
        Ok(())
    })
}

/// Continues from a snapshot of the same configuration; on an error nothing changes.
///
/// # Safety
/// `core` is NULL or a live handle nobody else uses now; `data` is NULL or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_restore(core: *mut Core, data: *const u8, size: usize) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (core, data) = unsafe { (exclusive(core)?, slice(data, size)?) };
        core.restore(data)
    })
}

/// Writes the hash of the canonical state: equal states have equal hashes on every machine and in every tier.
///
/// # Safety
/// `core` is NULL or a live handle nobody changes now; `hash_out` is NULL or has room for a hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_state_hash(core: *const Core, hash_out: *mut u64) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, hash_out) = (unsafe { shared(core) }?, place(hash_out)?);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { hash_out.write(core.state_hash()) };
        Ok(())
    })
}
