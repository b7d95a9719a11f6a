//! Memory that is handed to the caller and comes back through `tb_free`.

use std::alloc::{Layout, alloc, dealloc};

use crate::pointers::place;
use crate::tb::code::{Code, Failure};

/// Room before the data, which holds their size; also what they are aligned to.
const HEAD_BYTES: usize = 16;

/// Copies values out, and writes where they are and how many.
///
/// # Safety
/// `data_out` and `count_out` are NULL or have room for a pointer and a count.
pub(crate) unsafe fn hand_out<T: Copy>(
    values: &[T],
    data_out: *mut *mut T,
    count_out: *mut usize,
) -> Result<(), Failure> {
    const { assert!(align_of::<T>() <= HEAD_BYTES) };
    let (data_out, count_out) = (place(data_out)?, place(count_out)?);
    let size = size_of_val(values);
    let layout = layout_of(size).ok_or_else(|| Failure::new(Code::Capacity, "the answer is too long"))?;
    // SAFETY: the layout is never empty, since the head is not.
    let memory = unsafe { alloc(layout) };
    if memory.is_null() {
        return Err(Failure::new(Code::Capacity, "there is no memory for the answer"));
    }
    // SAFETY: the memory has room for the head and the values and is aligned for both; it overlaps with nothing.
    let data = unsafe {
        memory.cast::<usize>().write(size);
        let data = memory.add(HEAD_BYTES).cast::<T>();
        data.copy_from_nonoverlapping(values.as_ptr(), values.len());
        data
    };
    // SAFETY: not NULL, and the caller vouches for the room.
    unsafe {
        data_out.write(data);
        count_out.write(values.len());
    }
    Ok(())
}

fn layout_of(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEAD_BYTES)?, HEAD_BYTES).ok()
}

/// Frees what a call of this interface handed out; NULL is allowed.
///
/// # Safety
/// `data` is NULL or came from a call that says so, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_free(data: *mut std::ffi::c_void) {
    if data.is_null() {
        return;
    }
    // SAFETY: `hand_out` wrote a head before the data.
    let (memory, size) = unsafe {
        let memory = data.cast::<u8>().sub(HEAD_BYTES);
        (memory, memory.cast::<usize>().read())
    };
    if let Some(layout) = layout_of(size) {
        // SAFETY: this is the layout that the memory was made with.
        unsafe { dealloc(memory, layout) };
    }
}
