//! The thread's last failure, in words.

use std::cell::RefCell;
use std::ffi::c_char;

use crate::pointers::slice_mut;
use crate::tb::code::Code;
use crate::tb::guard::code_of;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the line about a failure.
pub(crate) fn remember(message: &str) {
    LAST.with_borrow_mut(|last| message.clone_into(last));
}

/// Writes the line about the last call of this thread that failed, cut to the room and ended by a zero.
///
/// # Safety
/// `text_out` is NULL or has room for `capacity` characters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_last_error(text_out: *mut c_char, capacity: usize) -> Code {
    let last = LAST.with_borrow(Clone::clone);
    code_of(|| {
        // SAFETY: the caller vouches for the room.
        let room = unsafe { slice_mut(text_out.cast::<u8>(), capacity) }?;
        let Some(most) = capacity.checked_sub(1) else { return Ok(()) };
        let text = &last.as_bytes()[..most.min(last.len())];
        room[..text.len()].copy_from_slice(text);
        room[text.len()] = 0;
        Ok(())
    })
}
