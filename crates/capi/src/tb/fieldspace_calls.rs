//! Calls on a field space of its own, without a battle.

use kernel::state_hash::{WordWriter, hash_words};
use morphospace::constants::N_FIELDS;
use morphospace::{FieldSpace, Mod, Op, Settings, Shape, Stamp};

use crate::pointers::{exclusive, place, shared, slice, slice_mut};
use crate::tb::code::{Code, Failure};
use crate::tb::guard::code_of;
use crate::tb::memory::hand_out;

/// `tb_mod` of the header: what a stamp does to a field.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TbMod {
    /// Number of a dynamic field.
    pub field: u32,
    /// Number of an operation.
    pub op: u32,
    /// The operation's value.
    pub value: f64,
    /// Share of the value in a blend, 0 to 1.
    pub factor: f64,
}

/// Makes a field space over `bounds` (west, south, east, north, in meters) with usual settings.
///
/// # Safety
/// `bounds` is NULL or points to four numbers; `space_out` is NULL or has room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_new(bounds: *const [f64; 4], space_out: *mut *mut FieldSpace) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let bounds = *unsafe { shared(bounds) }?;
        let space_out = place(space_out)?;
        let space =
            FieldSpace::new(bounds, &Settings::default()).map_err(|reason| Failure::new(Code::BadConfig, reason))?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { space_out.write(Box::into_raw(Box::new(space))) };
        Ok(())
    })
}

/// Frees a field space; NULL is allowed.
///
/// # Safety
/// `space` is NULL or came from `tb_fieldspace_new` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_destroy(space: *mut FieldSpace) {
    if !space.is_null() {
        // SAFETY: the handle came from `Box::into_raw` and is given up by the caller.
        drop(unsafe { Box::from_raw(space) });
    }
}

/// Makes every dynamic field what it is where nothing has happened.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_reset(space: *mut FieldSpace) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        unsafe { exclusive(space) }?.reset();
        Ok(())
    })
}

/// Stamps a circle onto the layers of a mask.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now; `mods` is NULL or points to `count` mods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_stamp_circle(
    space: *mut FieldSpace,
    layers: u32,
    x: f64,
    y: f64,
    radius_m: f64,
    mods: *const TbMod,
    count: usize,
    has_falloff: i32,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (space, mods) = unsafe { (exclusive(space)?, slice(mods, count)?) };
        stamp(space, layers, Shape::Circle { center: [x, y], radius_m }, mods, has_falloff != 0)
    })
}

/// Stamps a box onto the layers of a mask.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now; `mods` is NULL or points to `count` mods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_stamp_box(
    space: *mut FieldSpace,
    layers: u32,
    min_x: f64,
    min_y: f64,
    max_x: f64,
    max_y: f64,
    mods: *const TbMod,
    count: usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (space, mods) = unsafe { (exclusive(space)?, slice(mods, count)?) };
        stamp(space, layers, Shape::Box { min: [min_x, min_y], max: [max_x, max_y] }, mods, false)
    })
}

/// Lets everything spread, drift and fade for one period.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_propagate(space: *mut FieldSpace, wind_x: f64, wind_y: f64) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        unsafe { exclusive(space) }?.propagate([wind_x, wind_y]).map(drop).map_err(out_of_range)
    })
}

/// Writes the values of all fields at a point, at a level of detail.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now; `values_out` is NULL or has room for one number per field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_point(
    space: *mut FieldSpace,
    layer: u32,
    x: f64,
    y: f64,
    level: u32,
    values_out: *mut f32,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (space, values_out) = unsafe { (exclusive(space)?, slice_mut(values_out, N_FIELDS)?) };
        space.refresh();
        values_out.copy_from_slice(&space.point(layer as usize, x, y, level as usize).map_err(out_of_range)?);
        Ok(())
    })
}

/// Hands out a field of a layer as a square grid, row by row from the south; free it with `tb_free`.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now; the outputs are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_grid(
    space: *mut FieldSpace,
    field: u32,
    layer: u32,
    level: u32,
    values_out: *mut *mut f32,
    count_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let space = unsafe { exclusive(space) }?;
        space.refresh();
        let values = space.grid(field as usize, layer as usize, level as usize).map_err(out_of_range)?;
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(&values, values_out, count_out) }
    })
}

/// Hands out the state as words; free them with `tb_free`.
///
/// # Safety
/// `space` is NULL or a live handle nobody changes now; the outputs are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_snapshot(
    space: *const FieldSpace,
    words_out: *mut *mut u64,
    count_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let words = words_of(unsafe { shared(space) }?);
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(&words, words_out, count_out) }
    })
}

/// Continues from the words of a space with the same bounds; on an error nothing changes.
///
/// # Safety
/// `space` is NULL or a live handle nobody else uses now; `words` is NULL or points to `count` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_restore(space: *mut FieldSpace, words: *const u64, count: usize) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for both pointers.
        let (space, words) = unsafe { (exclusive(space)?, slice(words, count)?) };
        space.restore(words).map_err(|error| Failure::new(Code::SnapshotMismatch, error.to_string()))
    })
}

/// Writes the hash of the state.
///
/// # Safety
/// `space` is NULL or a live handle nobody changes now; `hash_out` is NULL or has room for a hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_fieldspace_hash(space: *const FieldSpace, hash_out: *mut u64) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the pointer.
        let (space, hash_out) = (unsafe { shared(space) }?, place(hash_out)?);
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { hash_out.write(hash_words(&words_of(space))) };
        Ok(())
    })
}

fn stamp(space: &mut FieldSpace, layers: u32, shape: Shape, mods: &[TbMod], has_falloff: bool) -> Result<(), Failure> {
    let read = |given: &TbMod| {
        let op = Op::from_code(given.op as usize, given.factor)?;
        Mod::new(given.field as usize, op, given.value)
    };
    let mods: Vec<Mod> = mods.iter().map(read).collect::<Result<_, String>>().map_err(out_of_range)?;
    space.stamp(&Stamp::new(layers as usize, shape, &mods, has_falloff).map_err(out_of_range)?);
    Ok(())
}

fn words_of(space: &FieldSpace) -> Vec<u64> {
    let mut words = WordWriter::new();
    space.write_words(&mut words);
    words.into_words()
}

fn out_of_range(reason: String) -> Failure {
    Failure::new(Code::BadValue, reason)
}
