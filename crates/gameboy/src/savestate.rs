//! The bytes of one console (section 22): scalars, memory, cartridge RAM and captured serial bytes, little-endian.

use kernel::state_hash::{WordWriter, hash_words};

use crate::canonical::{Canonical, FIELDS};
use crate::console::Console;
use crate::memory::RAM_STRIDE;

impl Console {
    /// The console as bytes: scalars in table order, `ram`, `cram`, then as many serial bytes as were captured.
    pub fn save(&mut self) -> Vec<u8> {
        let values = self.canonical().values();
        let mut blob = Vec::with_capacity(scalar_bytes() + RAM_STRIDE + self.machine.cram.len());
        for (field, value) in FIELDS.iter().zip(values) {
            blob.extend_from_slice(&value.to_le_bytes()[..field.bytes]);
        }
        blob.extend_from_slice(&self.machine.ram[..]);
        blob.extend_from_slice(&self.machine.cram);
        blob.extend_from_slice(&self.machine.serial.captured);
        blob
    }

    /// Continues from saved bytes; on an error nothing changes. The picture stays until the next one is drawn.
    ///
    /// # Errors
    /// When the bytes are too few or too many or hold a value that no console has.
    pub fn restore(&mut self, blob: &[u8]) -> Result<(), String> {
        let cram_bytes = self.machine.cram.len();
        let fixed = scalar_bytes() + RAM_STRIDE + cram_bytes;
        if blob.len() < fixed {
            return Err(format!("{} bytes are no console; there must be at least {fixed}", blob.len()));
        }
        let (scalars, rest) = blob.split_at(scalar_bytes());
        let (ram, rest) = rest.split_at(RAM_STRIDE);
        let (cram, captured) = rest.split_at(cram_bytes);
        let state = Canonical::from_values(&parse_scalars(scalars))?;
        if captured.len() != state.serial_len as usize {
            let (found, expected) = (captured.len(), state.serial_len);
            return Err(format!("there are {found} serial bytes; serial_len says {expected}"));
        }
        self.machine.ram.copy_from_slice(ram);
        self.machine.cram.copy_from_slice(cram);
        self.machine.serial.captured = captured.to_vec();
        self.load(&state);
        Ok(())
    }

    /// The canonical state as words: scalars in table order, then memory, cartridge RAM and captured serial bytes.
    pub fn state_words(&mut self) -> Vec<u64> {
        let mut words = WordWriter::new();
        words.signeds(&self.canonical().values());
        words.bytes(&self.machine.ram[..]);
        words.bytes(&self.machine.cram);
        words.bytes(&self.machine.serial.captured);
        words.into_words()
    }

    /// Hash of the canonical state.
    pub fn state_hash(&mut self) -> u64 {
        hash_words(&self.state_words())
    }
}

/// Bytes that the scalars take in a savestate.
#[must_use]
pub fn scalar_bytes() -> usize {
    FIELDS.iter().map(|field| field.bytes).sum()
}

fn parse_scalars(mut bytes: &[u8]) -> Vec<i64> {
    FIELDS
        .iter()
        .map(|field| {
            let (value, rest) = bytes.split_at(field.bytes);
            bytes = rest;
            sign_extended(value)
        })
        .collect()
}

fn sign_extended(bytes: &[u8]) -> i64 {
    let is_negative = bytes.last().is_some_and(|&byte| byte >= 0x80);
    let mut wide = if is_negative { [0xFF; 8] } else { [0; 8] };
    wide[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(wide)
}
