//! Calls on many worlds at once, which write into the caller's buffers.

use prospector::Config;
use prospector::tables::{N_ACTIONS, N_METRICS, OBS_DIM};

use crate::config::AbpConfig;
use crate::guard::{handle_of, status_of};
use crate::pointers::{exclusive, shared, slice, slice_mut};
use crate::status::Status;
use crate::vector::{Columns, Vector};

/// `abp_vec_buffers` of the header: where a batch writes.
#[allow(missing_docs, reason = "the names are those of the header")]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VecBuffers {
    pub obs: *mut f32,
    pub rewards: *mut f32,
    pub terminals: *mut u8,
    pub truncations: *mut u8,
    pub action_masks: *mut u8,
    pub dt: *mut u16,
    pub metrics: *mut f32,
    pub event_bits: *mut u32,
    pub final_obs: *mut f32,
}

impl VecBuffers {
    /// The buffers as slices over `copies` copies.
    ///
    /// # Safety
    /// Each pointer is NULL or has room for `copies` copies, the arrays do not overlap, and nobody else uses them.
    unsafe fn columns<'a>(&self, copies: usize) -> Result<Columns<'a>, Status> {
        // SAFETY: the caller vouches for every array. A batch has few enough copies for the products.
        unsafe {
            Ok(Columns {
                obs: slice_mut(self.obs, copies * OBS_DIM)?,
                rewards: slice_mut(self.rewards, copies)?,
                terminals: slice_mut(self.terminals, copies)?,
                truncations: slice_mut(self.truncations, copies)?,
                action_masks: slice_mut(self.action_masks, copies * N_ACTIONS)?,
                dt: slice_mut(self.dt, copies)?,
                metrics: slice_mut(self.metrics, copies * N_METRICS)?,
                event_bits: slice_mut(self.event_bits, copies)?,
                final_obs: slice_mut(self.final_obs, copies * OBS_DIM)?,
            })
        }
    }
}

/// Makes a batch that must be reset before it is stepped; NULL where an argument is wrong.
///
/// # Safety
/// `config` is NULL or points to an `abp_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_vec_create(
    config: *const AbpConfig,
    copies: usize,
    seed: u64,
    threads: usize,
) -> *mut Vector {
    handle_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let config = Config::try_from(*unsafe { shared(config) }?)?;
        Vector::new(config, copies, seed, threads)
    })
}

/// Frees a batch and ends its threads; NULL is allowed.
///
/// # Safety
/// `vec` is NULL or came from `abp_vec_create` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_vec_destroy(vec: *mut Vector) {
    if !vec.is_null() {
        // SAFETY: the handle came from `Box::into_raw` and is given up by the caller.
        let vector = unsafe { Box::from_raw(vec) };
        status_of(|| {
            drop(vector);
            Ok(())
        });
    }
}

/// Opens an episode in every copy: of `seeds[i]`, or with NULL of the next seed in the copy's own sequence.
///
/// # Safety
/// `vec` is NULL or a live handle nobody else uses now; `seeds` is NULL or has one entry per copy; `buffers` is NULL or
/// points to buffers as `VecBuffers::columns` asks for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_vec_reset(vec: *mut Vector, seeds: *const u64, buffers: *const VecBuffers) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (vector, buffers) = unsafe { (exclusive(vec)?, shared(buffers)?) };
        // SAFETY: the caller vouches for one seed per copy.
        let seeds = if seeds.is_null() { None } else { Some(unsafe { slice(seeds, vector.copies()) }?) };
        // SAFETY: the caller vouches for the arrays.
        vector.reset(seeds, unsafe { buffers.columns(vector.copies()) }?)
    })
}

/// Advances every copy by one decision and resets those that end.
///
/// # Safety
/// `vec` is NULL or a live handle nobody else uses now; `actions` is NULL or has one entry per copy; `buffers` is NULL
/// or points to buffers as `VecBuffers::columns` asks for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_vec_step(vec: *mut Vector, actions: *const i32, buffers: *const VecBuffers) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (vector, buffers) = unsafe { (exclusive(vec)?, shared(buffers)?) };
        // SAFETY: the caller vouches for one action per copy.
        let actions = unsafe { slice(actions, vector.copies()) }?;
        // SAFETY: the caller vouches for the arrays.
        vector.step(actions, unsafe { buffers.columns(vector.copies()) }?)
    })
}
