//! Calls on a whole batch.

use std::ffi::c_void;

use crate::pointers::{exclusive, place, shared, slice};
use crate::tb::TB_ABI_VERSION;
use crate::tb::batch::TbBatch;
use crate::tb::buffers::Described;
use crate::tb::code::{Code, Failure};
use crate::tb::config::TbConfig;
use crate::tb::guard::code_of;

/// Most extents an array may be described with.
const MOST_EXTENTS: usize = 8;

/// `tb_array` of the header: an array as the caller describes it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TbArray {
    /// First entry.
    pub data: *mut c_void,
    /// Extents, `ndim` of them.
    pub shape: *const i64,
    /// Bytes from an entry to the next, by extent; NULL where the entries follow one another.
    pub strides: *const i64,
    /// Type of the numbers.
    pub dtype: i32,
    /// How many extents there are.
    pub ndim: i32,
    /// 1 if it may be written to.
    pub writable: i32,
    /// Always 0.
    pub reserved: i32,
}

/// Returns the version of the library; a caller compares it with the header's.
#[unsafe(no_mangle)]
pub extern "C" fn tb_abi_version() -> u32 {
    TB_ABI_VERSION
}

/// Makes a batch without templates.
///
/// # Safety
/// `config` is NULL or points to a `tb_config` whose names end with zeros; `batch_out` is NULL or has room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_new(config: *const TbConfig, batch_out: *mut *mut TbBatch) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the configuration and its names.
        let plan = unsafe { shared(config)?.plan() }?;
        let batch_out = place(batch_out)?;
        let batch = Box::new(TbBatch::new(plan)?);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { batch_out.write(Box::into_raw(batch)) };
        Ok(())
    })
}

/// Frees a batch and ends its threads; NULL is allowed.
///
/// # Safety
/// `batch` is NULL or came from `tb_batch_new` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_destroy(batch: *mut TbBatch) {
    if !batch.is_null() {
        // SAFETY: the handle came from `Box::into_raw` and is given up by the caller.
        let batch = unsafe { Box::from_raw(batch) };
        code_of(|| {
            drop(batch);
            Ok(())
        });
    }
}

/// Adds a resolved package and writes its id.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; `data` is NULL or points to `size` bytes; `id_out` is NULL or
/// has room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_add_template(
    batch: *mut TbBatch,
    data: *const u8,
    size: usize,
    id_out: *mut i32,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (batch, data) = unsafe { (exclusive(batch)?, slice(data, size)?) };
        let id_out = place(id_out)?;
        let id = batch.add_template(data)?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { id_out.write(id) };
        Ok(())
    })
}

/// Lets an environment fight a template from its next reset on.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_assign(batch: *mut TbBatch, env: usize, template: i32) -> Code {
    // SAFETY: the caller vouches for the pointer.
    code_of(|| unsafe { exclusive(batch) }?.assign(env, template))
}

/// Checks an array once and uses it until another is registered or the batch is destroyed.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; `array` is NULL or describes live memory truthfully, which
/// stays where it is as long as the batch may use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_register(batch: *mut TbBatch, kind: i32, array: *const TbArray) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (batch, array) = unsafe { (exclusive(batch)?, shared(array)?) };
        let data = place(array.data)?;
        let extents = usize::try_from(array.ndim).ok().filter(|extents| *extents <= MOST_EXTENTS);
        let extents = extents.ok_or_else(|| Failure::new(Code::BadShape, "the number of extents is out of range"))?;
        // SAFETY: the caller vouches for as many extents.
        let shape = unsafe { slice(array.shape, extents) }?;
        // SAFETY: the caller vouches for as many strides.
        let strides = if array.strides.is_null() { None } else { Some(unsafe { slice(array.strides, extents) }?) };
        let described =
            Described { address: data.addr(), dtype: array.dtype, is_writable: array.writable != 0, shape, strides };
        batch.register(kind, data.cast(), &described)
    })
}

/// Resets the environments whose mask is not 0, all with a NULL mask; with NULL seeds with the next of their sequences.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; `mask` and `seeds` are NULL or have one entry per environment;
/// all registered memory is there and nobody else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_reset(batch: *mut TbBatch, mask: *const u8, seeds: *const u64) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let batch = unsafe { exclusive(batch) }?;
        // SAFETY: the caller vouches for one entry per environment.
        let mask = if mask.is_null() { None } else { Some(unsafe { slice(mask, batch.envs()) }?) };
        // SAFETY: the caller vouches for one entry per environment.
        let seeds = if seeds.is_null() { None } else { Some(unsafe { slice(seeds, batch.envs()) }?) };
        // SAFETY: the caller vouches for the registered memory.
        unsafe { batch.reset(mask, seeds) }
    })
}

/// Advances every environment by `ticks` ticks with the same actions; one whose battle ends stops there.
///
/// # Safety
/// `batch` is NULL or a live handle nobody else uses now; all registered memory is there and nobody else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_batch_step(batch: *mut TbBatch, ticks: i32) -> Code {
    // SAFETY: the caller vouches for the pointer and for the registered memory.
    code_of(|| unsafe { exclusive(batch)?.step(ticks) })
}
