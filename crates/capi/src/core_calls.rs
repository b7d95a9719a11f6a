//! Calls on one world, and on arrays of them.

use prospector::Config;
use prospector::tables::{N_ACTIONS, OBS_DIM};

use crate::config::AbpConfig;
use crate::core::{Core, StepResult};
use crate::guard::{handle_of, status_of};
use crate::pointers::{check_array, exclusive, place, shared, slice};
use crate::status::Status;

/// Version of this interface; it changes whenever the header's structures, numbers or meanings do.
pub const ABP_ABI_VERSION: u32 = 1;

/// Returns the version of the library; a caller compares it with the header's.
#[unsafe(no_mangle)]
pub extern "C" fn abp_core_abi_version() -> u32 {
    ABP_ABI_VERSION
}

/// Makes a world and opens the episode of a seed; NULL where `abp_config_check` finds fault.
///
/// # Safety
/// `config` is NULL or points to an `abp_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_create(config: *const AbpConfig, seed: u64) -> *mut Core {
    handle_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let config = Config::try_from(*unsafe { shared(config) }?)?;
        Ok(Core::new(config, seed))
    })
}

/// Frees a world; NULL is allowed.
///
/// # Safety
/// `core` is NULL or came from `abp_core_create` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_destroy(core: *mut Core) {
    if !core.is_null() {
        // SAFETY: the handle came from `Box::into_raw` and is given up by the caller.
        let core = unsafe { Box::from_raw(core) };
        status_of(|| {
            drop(core);
            Ok(())
        });
    }
}

/// Makes an existing handle what `abp_core_create` would have returned; on an error nothing changes.
///
/// # Safety
/// `core` is NULL or a live handle nobody else uses now; `config` is NULL or points to an `abp_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_init(core: *mut Core, config: *const AbpConfig, seed: u64) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (core, config) = unsafe { (exclusive(core)?, shared(config)?) };
        *core = Core::new(Config::try_from(*config)?, seed);
        Ok(())
    })
}

/// Opens the episode of a seed and writes its first observation.
///
/// # Safety
/// `core` is NULL or a live handle nobody else uses now; `obs_out` is NULL or has room for an observation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_reset(core: *mut Core, seed: u64, obs_out: *mut [f32; OBS_DIM]) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, obs_out) = (unsafe { exclusive(core) }?, place(obs_out)?);
        core.reset(seed);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { obs_out.write(*core.observation()) };
        Ok(())
    })
}

/// Advances by one decision; after the end it answers `ABP_EPISODE_OVER` and changes nothing.
///
/// # Safety
/// `core` is NULL or a live handle nobody else uses now; `result_out` is NULL or has room for a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_step(core: *mut Core, action: i32, result_out: *mut StepResult) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, result_out) = (unsafe { exclusive(core) }?, place(result_out)?);
        let result = core.step(action)?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { result_out.write(result) };
        Ok(())
    })
}

/// Resets `count` worlds, each with its own seed, and writes their first observations one after another.
///
/// # Safety
/// Each array is NULL or has `count` entries, each handle is NULL or live, and nobody else uses them now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_reset_many(
    cores: *const *mut Core,
    seeds: *const u64,
    count: usize,
    obs_out: *mut [f32; OBS_DIM],
) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the arrays.
        let (cores, seeds) = unsafe { (slice(cores, count)?, slice(seeds, count)?) };
        check_array(obs_out, count)?;
        check_handles(cores)?;
        for (place, (&core, &seed)) in cores.iter().zip(seeds).enumerate() {
            // SAFETY: the caller vouches for every handle. Each is borrowed alone, so naming one twice is harmless.
            let core = unsafe { exclusive(core) }?;
            core.reset(seed);
            // SAFETY: `place` is below `count`, for which the caller vouches.
            unsafe { obs_out.add(place).write(*core.observation()) };
        }
        Ok(())
    })
}

/// Steps `count` worlds; where one of the episodes is over it answers `ABP_EPISODE_OVER` and changes none.
///
/// # Safety
/// Each array is NULL or has `count` entries, each handle is NULL or live, and nobody else uses them now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_step_many(
    cores: *const *mut Core,
    actions: *const i32,
    count: usize,
    results_out: *mut StepResult,
) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the arrays.
        let (cores, actions) = unsafe { (slice(cores, count)?, slice(actions, count)?) };
        check_array(results_out, count)?;
        check_handles(cores)?;
        for &core in cores {
            // SAFETY: the caller vouches for every handle.
            if unsafe { shared(core) }?.is_over() {
                return Err(Status::EpisodeOver);
            }
        }
        for (place, (&core, &action)) in cores.iter().zip(actions).enumerate() {
            // SAFETY: the caller vouches for every handle. Each is borrowed alone, so naming one twice is harmless.
            let result = unsafe { exclusive(core) }?.step(action)?;
            // SAFETY: `place` is below `count`, for which the caller vouches.
            unsafe { results_out.add(place).write(result) };
        }
        Ok(())
    })
}

/// Writes the observation for the next decision.
///
/// # Safety
/// `core` is NULL or a live handle nobody changes now; `obs_out` is NULL or has room for an observation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_observe(core: *const Core, obs_out: *mut [f32; OBS_DIM]) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, obs_out) = (unsafe { shared(core) }?, place(obs_out)?);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { obs_out.write(*core.observation()) };
        Ok(())
    })
}

/// Writes 1 for every action that is valid now, 0 for the others.
///
/// # Safety
/// `core` is NULL or a live handle nobody changes now; `mask_out` is NULL or has room for a mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_core_mask(core: *const Core, mask_out: *mut [u8; N_ACTIONS]) -> Status {
    status_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (core, mask_out) = (unsafe { shared(core) }?, place(mask_out)?);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { mask_out.write(core.mask()) };
        Ok(())
    })
}

fn check_handles(cores: &[*mut Core]) -> Result<(), Status> {
    if cores.iter().any(|core| core.is_null()) { Err(Status::NullPointer) } else { Ok(()) }
}
