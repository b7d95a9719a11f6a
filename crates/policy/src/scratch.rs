//! Scratch memory whose rows are aligned to cache lines.

use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;
/// Numbers of a cache line.
pub const LINE: usize = LINE_BYTES / size_of::<f32>();

/// Entries from one row to the next: an odd number of cache lines.
///
/// Rows an even number of lines apart, above all a power of two, would compete for the same few cache sets.
#[must_use]
pub const fn row_stride(width: usize) -> usize {
    (width.div_ceil(LINE) | 1) * LINE
}

/// Numbers, zeros at first, aligned to a cache line.
#[derive(Debug, Default)]
pub struct ScratchBuffer {
    values: Vec<f32>,
    first: usize,
    size: usize,
}

impl ScratchBuffer {
    /// Allocates this many numbers.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let values = vec![0.0; size + LINE];
        let first = values.as_ptr().align_offset(LINE_BYTES).min(LINE);
        Self { values, first, size }
    }

    /// Allocates rows of a width.
    #[must_use]
    pub fn of_rows(rows: usize, width: usize) -> Self {
        Self::new(rows * row_stride(width))
    }
}

impl Deref for ScratchBuffer {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.values[self.first..][..self.size]
    }
}

impl DerefMut for ScratchBuffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.first..][..self.size]
    }
}
