//! Hints about memory. Thousands of copies outgrow the processor's caches and its table of pages: what a step waits for
//! then is memory. Hints change nothing but the time it takes, which is why they may be given by code that is not
//! otherwise allowed to touch memory by its address.
#![allow(unsafe_code)]

const CACHE_LINE: usize = 64;

/// Has the first `bytes` bytes of an item brought near, without waiting for them.
#[inline(always)] // called for every copy of every step
pub fn expect<T>(item: &T, bytes: usize) {
    let start = std::ptr::from_ref(item).cast::<u8>();
    for offset in (0..bytes.min(size_of::<T>())).step_by(CACHE_LINE) {
        prefetch(start.wrapping_add(offset));
    }
}

/// Returns an empty list with room for `count` items, in large pages where the system has them.
#[must_use]
pub fn room_for<T>(count: usize) -> Vec<T> {
    let list: Vec<T> = Vec::with_capacity(count);
    prefer_large_pages(list.as_ptr().cast(), count * size_of::<T>());
    list
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
    // SAFETY: a hint reads nothing and may name any address.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn prefetch(_address: *const u8) {}

/// Pages of which only a part belongs to the list are left as they are.
#[cfg(all(target_os = "linux", not(miri)))]
fn prefer_large_pages(start: *const u8, bytes: usize) {
    const LARGE_PAGE: usize = 2 << 20;
    let to_boundary = start.align_offset(LARGE_PAGE);
    let whole_pages = bytes.saturating_sub(to_boundary) / LARGE_PAGE * LARGE_PAGE;
    if whole_pages > 0 {
        // SAFETY: the pages belong to a list that was just allocated, and the advice leaves what they hold as it is.
        // Where it is refused, pages stay small.
        unsafe { libc::madvise(start.wrapping_add(to_boundary).cast_mut().cast(), whole_pages, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn prefer_large_pages(_start: *const u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_leave_what_they_are_about_as_it_is() {
        let mut list = room_for(3 << 20);
        list.extend((0..3_u32 << 20).map(|number| number ^ 0x55));
        expect(&list, usize::MAX);
        expect(&list[7], usize::MAX);
        assert_eq!(list.capacity(), 3 << 20);
        assert!(list.iter().zip(0..).all(|(&found, number)| found == number ^ 0x55));
    }

    #[test]
    fn there_may_be_nothing_to_hint_at() {
        expect(&(), 64);
        assert_eq!(room_for::<u64>(0), []);
        assert_eq!(room_for::<()>(5), []);
    }
}
