//! Products of rows with a matrix that is laid out for them.

use crate::processor::Simd;
use crate::scratch::{LINE, ScratchBuffer, row_stride};

/// Rows that are computed together, so that their activations stay in the cache.
pub const BLOCK: usize = 96;
/// Rows are computed in multiples of this.
pub const TILE_ROWS: usize = 12;
/// Vectors of a wide panel.
const WIDE: usize = 2;
/// Numbers of the widest vectors there are.
const WIDEST: usize = 16;

/// Outputs that are computed at most, padding included.
#[must_use]
pub const fn covered(outputs: usize) -> usize {
    outputs.next_multiple_of(LINE)
}

/// Rows that are computed, padding included.
#[must_use]
pub const fn tiled(rows: usize) -> usize {
    rows.next_multiple_of(TILE_ROWS)
}

/// A matrix of inputs × outputs, cut into panels of neighboring outputs: two vectors wide, the last perhaps one.
#[derive(Debug)]
pub struct Panels {
    inputs: usize,
    outputs: usize,
    lanes: usize,
    values: ScratchBuffer,
}

impl Panels {
    /// Allocates a matrix for vectors of `lanes` numbers.
    #[must_use]
    pub fn new(inputs: usize, outputs: usize, lanes: usize) -> Self {
        Self { inputs, outputs, lanes, values: ScratchBuffer::new(inputs * outputs.next_multiple_of(lanes)) }
    }

    /// Copies a matrix: `values[output · per_output + input · per_input]`.
    pub fn load(&mut self, values: &[f32], per_output: usize, per_input: usize) {
        let inputs = self.inputs;
        for (first, width) in self.panels() {
            let panel = &mut self.values[first * inputs..][..width * inputs];
            for (input, entries) in panel.chunks_exact_mut(width).enumerate() {
                for (entry, output) in entries.iter_mut().zip(first..self.outputs) {
                    *entry = values[output * per_output + input * per_input];
                }
            }
        }
    }

    /// Adds rows × matrix to `out`, whose rows lie `row_stride(outputs)` apart; computes `tiled(rows)` of them.
    #[inline(always)]
    pub fn add_product<S: Simd>(&self, simd: S, rows: usize, x: &[f32], out: &mut [f32]) {
        let (inputs, x_stride, out_stride) = (self.inputs, row_stride(self.inputs), row_stride(self.outputs));
        for (first, width) in self.panels() {
            let (panel, _) = S::as_simd_f32s(&self.values[first * inputs..][..width * inputs]);
            let (x, out) = (Rows { values: x, stride: x_stride }, &mut out[first..]);
            if width == S::F32_LANES {
                add_panel::<S, 1>(simd, panel, rows, x, out, out_stride);
            } else {
                add_panel::<S, WIDE>(simd, panel, rows, x, out, out_stride);
            }
        }
    }

    /// First output and width of every panel.
    fn panels(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (end, wide) = (self.outputs.next_multiple_of(self.lanes), WIDE * self.lanes);
        (0..end).step_by(wide).map(move |first| (first, wide.min(end - first)))
    }
}

#[derive(Clone, Copy)]
struct Rows<'a> {
    values: &'a [f32],
    stride: usize,
}

/// A processor with the widest vectors has twice the registers, too: tiles are as large as they allow.
#[inline(always)]
fn add_panel<S: Simd, const VECTORS: usize>(
    simd: S,
    panel: &[S::f32s],
    rows: usize,
    x: Rows<'_>,
    out: &mut [f32],
    stride: usize,
) {
    const HALF: usize = TILE_ROWS / 2;
    let (entries, _) = panel.as_chunks::<VECTORS>();
    if S::F32_LANES == WIDEST {
        for row in (0..rows).step_by(TILE_ROWS) {
            let x = Rows { values: &x.values[row * x.stride..], ..x };
            add_tile::<S, TILE_ROWS, VECTORS>(simd, entries, x, &mut out[row * stride..], stride);
        }
    } else {
        for row in (0..tiled(rows)).step_by(HALF) {
            let x = Rows { values: &x.values[row * x.stride..], ..x };
            add_tile::<S, HALF, VECTORS>(simd, entries, x, &mut out[row * stride..], stride);
        }
    }
}

#[inline(always)]
fn add_tile<S: Simd, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    entries: &[[S::f32s; VECTORS]],
    x: Rows<'_>,
    out: &mut [f32],
    stride: usize,
) {
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &x.values[row * x.stride..][..entries.len()]);
    let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
    for (row, sums) in sums.iter_mut().enumerate() {
        let (present, _) = S::as_simd_f32s(&out[row * stride..][..VECTORS * S::F32_LANES]);
        sums.copy_from_slice(present);
    }
    for (input, entries) in entries.iter().enumerate() {
        for (row, sums) in rows.iter().zip(&mut sums) {
            let x = simd.splat_f32s(row[input]);
            for (sum, entry) in sums.iter_mut().zip(entries) {
                *sum = simd.mul_add_f32s(x, *entry, *sum);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let (present, _) = S::as_mut_simd_f32s(&mut out[row * stride..][..VECTORS * S::F32_LANES]);
        present.copy_from_slice(sums);
    }
}
