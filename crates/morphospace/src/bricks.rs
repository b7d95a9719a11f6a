//! The cells of the dynamic fields, and which bricks of them exist.

use std::mem;

use crate::constants::{BRICK_CELLS, DYNAMIC_RULES, LAYER_BRICKS, N_BRICKS, N_DYNAMIC, N_LAYERS};
use crate::settings::Settings;

/// Cells of one field in one brick, row by row from the southwest.
pub(crate) type Cells = [f32; BRICK_CELLS];
/// Cells of all dynamic fields in one brick.
pub(crate) type BrickCells = [Cells; N_DYNAMIC];

const WORD_BITS: usize = 64;

/// A set of brick keys that is walked in ascending order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeySet {
    words: [u64; N_BRICKS / WORD_BITS],
}

impl KeySet {
    #[inline]
    pub fn insert(&mut self, key: usize) {
        self.words[key / WORD_BITS] |= 1 << (key % WORD_BITS);
    }

    #[inline]
    pub fn remove(&mut self, key: usize) {
        self.words[key / WORD_BITS] &= !(1 << (key % WORD_BITS));
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        self.words.into_iter().enumerate().flat_map(|(place, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    place * WORD_BITS + bit
                })
            })
        })
    }
}

/// One of the two buffers that a step reads from and writes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    pub cells: Vec<BrickCells>,
    /// Bits of fields, by slot; where a bit is off, every cell of the field is at its default.
    pub active: Vec<u8>,
}

/// Which bricks exist, and their cells.
///
/// Storage is taken as bricks come and kept when they go, so a space that has seen its worst allocates no more.
#[derive(Clone, Debug)]
pub(crate) struct Bricks {
    max_bricks: usize,
    defaults: [[f32; N_DYNAMIC]; N_LAYERS],
    slots: [i16; N_BRICKS],
    free: Vec<i16>,
    count: usize,
    pub keys: KeySet,
    pub front: Buffer,
    pub back: Buffer,
    /// For how many steps each brick has lain within its thresholds, by slot.
    pub dormant_steps: Vec<u8>,
    /// Bricks that differ from their summaries.
    pub changed: KeySet,
    /// Propagations so far, modulo 2.
    pub swaps: u8,
    /// Whether an allocation was ever refused.
    pub is_saturated: bool,
}

const ABSENT: i16 = -1;

impl Bricks {
    pub fn new(settings: &Settings) -> Self {
        let mut defaults = [[0.0; N_DYNAMIC]; N_LAYERS];
        for (layer, values) in defaults.iter_mut().enumerate() {
            *values = DYNAMIC_RULES.map(|rule| rule.default[layer] as f32);
            values[0] = settings.temperature[layer] as f32 + 0.0;
        }
        Self {
            max_bricks: settings.max_bricks,
            defaults,
            slots: [ABSENT; N_BRICKS],
            free: Vec::new(),
            count: 0,
            keys: KeySet::default(),
            front: Buffer::default(),
            back: Buffer::default(),
            dormant_steps: Vec::new(),
            changed: KeySet::default(),
            swaps: 0,
            is_saturated: false,
        }
    }

    /// Frees every brick.
    pub fn clear(&mut self) {
        for key in self.keys.iter() {
            self.release(key);
        }
        self.swaps = 0;
        self.is_saturated = false;
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn max_bricks(&self) -> usize {
        self.max_bricks
    }

    /// What the dynamic fields of a layer return to.
    #[inline]
    pub fn defaults(&self, layer: usize) -> &[f32; N_DYNAMIC] {
        &self.defaults[layer]
    }

    /// What the dynamic fields of a brick return to.
    #[inline]
    pub fn defaults_of(&self, key: usize) -> &[f32; N_DYNAMIC] {
        &self.defaults[key / LAYER_BRICKS]
    }

    /// Place of a brick in the buffers, if it exists.
    #[inline]
    pub fn slot(&self, key: usize) -> Option<usize> {
        usize::try_from(self.slots[key]).ok()
    }

    /// Place of a brick, which is made and filled with defaults if it is new; none when there is no room for it.
    #[inline]
    pub fn allocate(&mut self, key: usize) -> Option<usize> {
        match self.slot(key) {
            Some(slot) => Some(slot),
            None => self.allocate_new(key),
        }
    }

    fn allocate_new(&mut self, key: usize) -> Option<usize> {
        if self.count >= self.max_bricks {
            self.is_saturated = true;
            return None;
        }
        let cells = self.defaults_of(key).map(|value| [value; BRICK_CELLS]);
        let slot = match self.free.pop() {
            Some(slot) => {
                let slot = slot as usize;
                for buffer in [&mut self.front, &mut self.back] {
                    buffer.cells[slot] = cells;
                    buffer.active[slot] = 0;
                }
                self.dormant_steps[slot] = 0;
                slot
            }
            None => {
                for buffer in [&mut self.front, &mut self.back] {
                    buffer.cells.push(cells);
                    buffer.active.push(0);
                }
                self.dormant_steps.push(0);
                self.dormant_steps.len() - 1
            }
        };
        self.slots[key] = slot as i16;
        self.count += 1;
        self.keys.insert(key);
        Some(slot)
    }

    /// Frees a brick: from here on it reads as defaults.
    pub fn release(&mut self, key: usize) {
        if let Some(slot) = self.slot(key) {
            self.slots[key] = ABSENT;
            self.free.push(slot as i16);
            self.count -= 1;
            self.keys.remove(key);
            self.changed.insert(key);
        }
    }

    /// Makes what a step wrote the state.
    pub fn swap(&mut self) {
        mem::swap(&mut self.front, &mut self.back);
        self.swaps ^= 1;
    }
}
