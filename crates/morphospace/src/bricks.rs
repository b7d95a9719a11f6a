//! Which bricks of the dynamic fields exist.

use std::mem;

use crate::brick_map::BrickMap;
use crate::buffer::Buffer;
use crate::constants::{DYNAMIC_RULES, LAYER_BRICKS, N_BRICKS, N_DYNAMIC, N_LAYERS};
use crate::settings::Settings;

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
    pub fn contains(&self, key: usize) -> bool {
        self.words[key / WORD_BITS] >> (key % WORD_BITS) & 1 == 1
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

/// Which bricks exist, and their cells.
///
/// Storage is taken as bricks come and kept when they go, so a space that has seen its worst allocates no more. The
/// first slots stand for all bricks of a layer that do not exist.
#[derive(Clone, Debug)]
pub(crate) struct Bricks {
    max_bricks: usize,
    defaults: [[f32; N_DYNAMIC]; N_LAYERS],
    slots: [u16; N_BRICKS],
    free: Vec<u16>,
    count: usize,
    pub keys: KeySet,
    pub front: Buffer,
    pub back: Buffer,
    /// For how many steps each brick has lain within its thresholds, by slot.
    pub dormant_steps: Vec<u8>,
    /// Bits of fields whose edges may ask for a neighbor after the last step, by slot.
    pub loud: Vec<u8>,
    /// Where each field of a layer may differ from its default.
    pub active: [[BrickMap; N_DYNAMIC]; N_LAYERS],
    /// Bricks that differ from their summaries.
    pub changed: KeySet,
    /// Propagations so far, modulo 2.
    pub swaps: u8,
    /// Whether an allocation was ever refused.
    pub is_saturated: bool,
}

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
            slots: std::array::from_fn(resting_slot),
            free: Vec::new(),
            count: 0,
            keys: KeySet::default(),
            front: Buffer::new(&defaults),
            back: Buffer::new(&defaults),
            dormant_steps: vec![0; N_LAYERS],
            loud: vec![0; N_LAYERS],
            active: Default::default(),
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
        self.front.restart();
        self.active = Default::default();
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
        let slot = self.source(key);
        (slot >= N_LAYERS).then_some(slot)
    }

    /// Place in the buffers of what a brick reads as, whether it exists or not.
    #[inline]
    pub fn source(&self, key: usize) -> usize {
        usize::from(self.slots[key])
    }

    /// Place in the buffers of what a brick of a layer reads as that does not exist.
    #[inline]
    pub const fn resting(&self, layer: usize) -> usize {
        layer
    }

    /// How many more bricks there is room for.
    #[inline]
    pub fn room(&self) -> usize {
        self.max_bricks - self.count
    }

    /// Notes that fields of a brick may differ from their defaults from here on.
    #[inline]
    pub fn mark_active(&mut self, key: usize, fields: u8) {
        let (layer, brick) = (key / LAYER_BRICKS, key % LAYER_BRICKS);
        for field in (0..N_DYNAMIC).filter(|field| fields >> field & 1 == 1) {
            self.active[layer][field].insert(brick);
        }
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
        let slot = match self.free.pop() {
            Some(slot) => usize::from(slot),
            None => {
                self.dormant_steps.push(0);
                self.loud.push(0);
                self.dormant_steps.len() - 1
            }
        };
        for buffer in [&mut self.front, &mut self.back] {
            buffer.rest(slot, key / LAYER_BRICKS);
        }
        (self.dormant_steps[slot], self.loud[slot]) = (0, 0);
        self.slots[key] = slot as u16;
        self.count += 1;
        self.keys.insert(key);
        Some(slot)
    }

    /// Frees a brick: from here on it reads as defaults.
    pub fn release(&mut self, key: usize) {
        if let Some(slot) = self.slot(key) {
            self.slots[key] = resting_slot(key);
            self.free.push(slot as u16);
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

/// Slot of the brick that stands for all that do not exist in the layer of this one.
fn resting_slot(key: usize) -> u16 {
    (key / LAYER_BRICKS) as u16
}
