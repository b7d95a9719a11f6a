//! Calls on one environment of a batch: its result, its events, its state.

use crate::pointers::{exclusive, place, shared, slice};
use crate::tb::batch::TbBatch;
use crate::tb::code::Code;
use crate::tb::event::TbEvent;
use crate::tb::guard::code_of;
use crate::tb::memory::hand_out;

/// Hands out the result of the battle that ended last, as JSON; free it with `tb_free`.
///
/// # Safety
/// `batch` is NULL or a live handle nobody changes now; the outputs are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_result(
    batch: *const TbBatch,
    env: usize,
    data_out: *mut *mut u8,
    size_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let result = unsafe { shared(batch) }?.environment(env)?.result()?;
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(result.as_bytes(), data_out, size_out) }
    })
}

/// Hands out the events since the last call; none unless `collect_events` is set. Free them with `tb_free`.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; the outputs are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_events(
    batch: *mut TbBatch,
    env: usize,
    events_out: *mut *mut TbEvent,
    count_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let environment = unsafe { exclusive(batch) }?.environment_mut(env)?;
        let (events_out, count_out) = (place(events_out)?, place(count_out)?);
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(&environment.events(), events_out, count_out) }
    })
}

/// Hands out the complete state of an environment; free it with `tb_free`.
///
/// # Safety
/// `batch` is NULL or a live handle nobody changes now; the outputs are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_snapshot(
    batch: *const TbBatch,
    env: usize,
    data_out: *mut *mut u8,
    size_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let environment = unsafe { shared(batch) }?.environment(env)?;
        environment.check_usable()?;
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(&environment.snapshot(), data_out, size_out) }
    })
}

/// Continues an environment from a snapshot of the same battle; on an error nothing changes.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; `data` is NULL or points to `size` bytes; all registered
/// memory is there and nobody else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_restore(batch: *mut TbBatch, env: usize, data: *const u8, size: usize) -> Code {
    // SAFETY: the caller vouches for both pointers and for the registered memory.
    code_of(|| unsafe { exclusive(batch)?.restore(env, slice(data, size)?) })
}

/// Writes the hash of an environment's state: equal states have equal hashes on every machine and in every tier.
///
/// # Safety
/// `batch` is NULL or a live handle nobody changes now; `hash_out` is NULL or has room for a hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_hash(batch: *const TbBatch, env: usize, hash_out: *mut u64) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let environment = unsafe { shared(batch) }?.environment(env)?;
        let hash_out = place(hash_out)?;
        environment.check_usable()?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { hash_out.write(environment.state_hash()) };
        Ok(())
    })
}
