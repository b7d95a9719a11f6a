//! The dynamic fields as state words: the field section of a snapshot.
//!
//! The first word has the swap parity in bit 0 and, in bit 1, whether an allocation was ever refused: without it a
//! restored battle would raise that event again.

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::bricks::Bricks;
use crate::buffer::Cells;
use crate::constants::{BRICK_CELLS, DORMANT_STEPS, DYNAMIC_RULES, N_BRICKS, N_DYNAMIC};
use crate::statics::Statics;

const HALF_WORD_BITS: u32 = 32;
/// Cells of all dynamic fields in one brick.
type BrickCells = [Cells; N_DYNAMIC];
const ALL_FIELDS: u8 = (1 << N_DYNAMIC) - 1;

/// What a field section says, once it is known to make sense.
pub(crate) struct FieldSection {
    flags: u64,
    bricks: Vec<(usize, u8, BrickCells)>,
}

impl Bricks {
    /// Appends flags, brick count, and each brick's key, dormant count and cells, two to a word.
    pub fn write_words(&self, words: &mut WordWriter) {
        words.unsigned(u64::from(self.swaps) | u64::from(self.is_saturated) << 1);
        words.unsigned(self.count() as u64);
        for key in self.keys.iter() {
            let Some(slot) = self.slot(key) else { continue };
            words.unsigned(key as u64);
            words.unsigned(self.dormant_steps[slot]);
            for field in 0..N_DYNAMIC {
                for pair in self.front.cells(slot, field).chunks_exact(2) {
                    words.unsigned(bits(pair[0]) | bits(pair[1]) << HALF_WORD_BITS);
                }
            }
        }
    }

    /// Makes a field section the state.
    pub fn restore(&mut self, section: &FieldSection) {
        self.clear();
        self.swaps = (section.flags & 1) as u8;
        for (key, dormant_steps, cells) in &section.bricks {
            if let Some(slot) = self.allocate(*key) {
                self.dormant_steps[slot] = *dormant_steps;
                for (field, values) in cells.iter().enumerate() {
                    *self.front.cells_mut(slot, field) = *values;
                }
                self.mark_active(*key, ALL_FIELDS);
                self.changed.insert(*key);
            }
        }
        self.is_saturated = section.flags & 2 != 0;
    }
}

impl FieldSection {
    /// Reads what `write_words` wrote of a space with the same map and settings.
    pub fn read(words: &mut WordReader<'_>, bricks: &Bricks, statics: &Statics) -> Result<Self, SnapshotError> {
        let flags = count(words, "swap parity and saturation", 0, 3)?;
        let brick_count = count(words, "brick count", 0, bricks.max_bricks() as i64)?;
        let mut section = Self { flags, bricks: Vec::with_capacity(brick_count as usize) };
        let mut next_key = 0;
        for _ in 0..brick_count {
            let key = count(words, "brick key", next_key, N_BRICKS as i64 - 1)? as usize;
            let dormant_steps = count(words, "dormant count", 0, i64::from(DORMANT_STEPS) - 1)? as u8;
            let mut cells = [[0.0; BRICK_CELLS]; N_DYNAMIC];
            for pair in cells.as_flattened_mut().chunks_exact_mut(2) {
                let word = words.unsigned()?;
                pair[0] = f32::from_bits(word as u32) + 0.0;
                pair[1] = f32::from_bits((word >> HALF_WORD_BITS) as u32) + 0.0;
            }
            check_cells(key, &cells, bricks, statics)?;
            section.bricks.push((key, dormant_steps, cells));
            next_key = key as i64 + 1;
        }
        Ok(section)
    }
}

fn bits(cell: f32) -> u64 {
    u64::from((cell + 0.0).to_bits())
}

fn count(words: &mut WordReader<'_>, name: &str, least: i64, most: i64) -> Result<u64, SnapshotError> {
    let value = words.signed()?;
    if (least..=most).contains(&value) {
        return Ok(value as u64);
    }
    Err(SnapshotError::Invalid(format!("{name} is {value}; it must be {least} to {most}")))
}

fn check_cells(key: usize, cells: &BrickCells, bricks: &Bricks, statics: &Statics) -> Result<(), SnapshotError> {
    let closed = statics.closed(key).own;
    for ((values, rule), default) in cells.iter().zip(DYNAMIC_RULES).zip(bricks.defaults_of(key)) {
        for (cell, value) in values.iter().enumerate() {
            if !(rule.low..=rule.high).contains(value) {
                let reason = format!("brick {key} has a cell of {value}; it must be {} to {}", rule.low, rule.high);
                return Err(SnapshotError::Invalid(reason));
            }
            if closed >> cell & 1 == 1 && value != default {
                let reason = format!("brick {key} has a closed cell that is not at its default");
                return Err(SnapshotError::Invalid(reason));
            }
        }
    }
    Ok(())
}
