//! Cells of the dynamic fields, kept only where they differ from their defaults.

use crate::constants::{BRICK_CELLS, N_DYNAMIC, N_LAYERS};

/// Cells of one field in one brick, row by row from the southwest.
pub(crate) type Cells = [f32; BRICK_CELLS];

/// Where the cells of each field of a brick are.
type Pages = [u16; N_DYNAMIC];

/// How many pages hold defaults: one for each field of each layer.
const RESTING_PAGES: usize = N_LAYERS * N_DYNAMIC;

/// One of the two buffers that a step reads from and writes to.
///
/// Cells come in pages, taken one after another until the next restart. Every field of a brick that is at its default
/// shares the page of its layer; the first slots stand for bricks that do not exist.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    cells: Vec<Cells>,
    used: usize,
    pages: Vec<Pages>,
    /// Bits of fields with cells of their own, by slot.
    active: Vec<u8>,
}

impl Buffer {
    pub fn new(defaults: &[[f32; N_DYNAMIC]; N_LAYERS]) -> Self {
        Self {
            cells: defaults.as_flattened().iter().map(|&value| [value; BRICK_CELLS]).collect(),
            used: RESTING_PAGES,
            pages: (0..N_LAYERS).map(resting_pages).collect(),
            active: vec![0; N_LAYERS],
        }
    }

    /// Gives up all pages; until it is set at rest or written, a brick must not be read.
    pub fn restart(&mut self) {
        self.used = RESTING_PAGES;
    }

    /// Puts a brick of a layer at its defaults; a new slot comes after the last one.
    pub fn rest(&mut self, slot: usize, layer: usize) {
        if slot == self.pages.len() {
            self.pages.push(resting_pages(layer));
            self.active.push(0);
        } else {
            self.pages[slot] = resting_pages(layer);
            self.active[slot] = 0;
        }
    }

    /// Cells of a field of a brick.
    #[inline(always)]
    pub fn cells(&self, slot: usize, field: usize) -> &Cells {
        &self.cells[usize::from(self.pages[slot][field])]
    }

    /// Cells of a field of a brick, to be changed.
    #[inline]
    pub fn cells_mut(&mut self, slot: usize, field: usize) -> &mut Cells {
        if self.active[slot] >> field & 1 == 0 {
            let resting = *self.cells(slot, field);
            *self.next_page() = resting;
            self.keep_page(slot, field);
        }
        &mut self.cells[usize::from(self.pages[slot][field])]
    }

    /// Bits of the fields of a brick that may differ from their defaults.
    #[inline(always)]
    pub fn active(&self, slot: usize) -> u8 {
        self.active[slot]
    }

    /// The page that the next `keep_page` takes; what it holds is left over from before.
    #[inline]
    pub fn next_page(&mut self) -> &mut Cells {
        if self.used == self.cells.len() {
            self.cells.push([0.0; BRICK_CELLS]);
        }
        &mut self.cells[self.used]
    }

    /// Makes the next page that of a field.
    #[inline]
    pub fn keep_page(&mut self, slot: usize, field: usize) {
        self.pages[slot][field] = self.used as u16;
        self.active[slot] |= 1 << field;
        self.used += 1;
    }
}

#[inline]
fn resting_pages(layer: usize) -> Pages {
    std::array::from_fn(|field| (layer * N_DYNAMIC + field) as u16)
}
