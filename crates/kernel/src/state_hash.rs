//! State words and their hash `H` (tidebreak.md 4.4): floats as the bits of `x + 0.0`, integers as two's complement.

use crate::seeds::{GOLDEN, mix};
use crate::snapshot::SnapshotError;

const WORD_BYTES: usize = 8;

/// Hashes words as they come.
#[derive(Clone, Debug, Default)]
pub struct StateHasher {
    sum: u64,
    position: u64,
}

impl StateHasher {
    /// Begins with no words.
    #[must_use]
    pub const fn new() -> Self {
        Self { sum: 0, position: 0 }
    }

    /// Takes the next words.
    #[inline]
    pub fn update(&mut self, words: &[u64]) {
        for word in words {
            self.position = self.position.wrapping_add(GOLDEN);
            self.sum = self.sum.wrapping_add(mix(word ^ mix(self.position)));
        }
    }

    /// Hash of the words so far.
    #[inline]
    #[must_use]
    pub const fn finish(&self) -> u64 {
        mix(self.sum ^ self.position.wrapping_add(GOLDEN))
    }
}

/// Hash of a list of words.
#[inline]
#[must_use]
pub fn hash_words(words: &[u64]) -> u64 {
    let mut hasher = StateHasher::new();
    hasher.update(words);
    hasher.finish()
}

/// Words of a byte string, little-endian, the last one filled up with zeros.
#[must_use]
pub fn byte_words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks(WORD_BYTES)
        .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
        .collect()
}

/// Collects state words piece by piece.
#[derive(Clone, Debug, Default)]
pub struct WordWriter {
    words: Vec<u64>,
}

impl WordWriter {
    /// Begins with no words.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Appends an integer of zero or more.
    #[inline]
    pub fn unsigned(&mut self, value: impl Into<u64>) {
        self.words.push(value.into());
    }

    /// Appends integers of zero or more, one word each.
    #[inline]
    pub fn unsigneds<T: Copy + Into<u64>>(&mut self, values: &[T]) {
        self.words.extend(values.iter().map(|&value| value.into()));
    }

    /// Appends an integer as two's complement.
    #[inline]
    pub fn signed(&mut self, value: impl Into<i64>) {
        self.words.push(value.into() as u64);
    }

    /// Appends integers as two's complement, one word each.
    #[inline]
    pub fn signeds<T: Copy + Into<i64>>(&mut self, values: &[T]) {
        self.words.extend(values.iter().map(|&value| value.into() as u64));
    }

    /// Appends a float; negative zero becomes zero.
    #[inline]
    pub fn float(&mut self, value: f64) {
        self.words.push((value + 0.0).to_bits());
    }

    /// Appends floats, one word each.
    #[inline]
    pub fn floats(&mut self, values: &[f64]) {
        self.words.extend(values.iter().map(|value| (value + 0.0).to_bits()));
    }

    /// Appends a byte string, eight bytes to a word; its length is not stored.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.words.extend(byte_words(bytes));
    }

    /// The words so far.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.words
    }

    /// The words, without a copy.
    #[inline]
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }
}

/// Takes state words apart in the order in which they were written.
#[derive(Clone, Debug)]
pub struct WordReader<'a> {
    words: &'a [u64],
    position: usize,
}

impl<'a> WordReader<'a> {
    /// Begins at the first word.
    #[must_use]
    pub const fn new(words: &'a [u64]) -> Self {
        Self { words, position: 0 }
    }

    /// Takes a word as an integer of zero or more.
    #[inline]
    pub fn unsigned(&mut self) -> Result<u64, SnapshotError> {
        Ok(self.take::<1>()?[0])
    }

    /// Takes a word as two's complement.
    #[inline]
    pub fn signed(&mut self) -> Result<i64, SnapshotError> {
        Ok(self.unsigned()? as i64)
    }

    /// Takes a word as a float.
    #[inline]
    pub fn float(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_bits(self.unsigned()?))
    }

    /// Takes words as an array of floats.
    #[inline]
    pub fn floats<const N: usize>(&mut self) -> Result<[f64; N], SnapshotError> {
        Ok(self.take::<N>()?.map(f64::from_bits))
    }

    /// Takes the words that hold a byte string of this length.
    #[inline]
    pub fn bytes(&mut self, length: usize) -> Result<Vec<u8>, SnapshotError> {
        let words = self.take_slice(length.div_ceil(WORD_BYTES))?;
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).take(length).collect())
    }

    /// Refuses words that nobody has read.
    pub const fn finish(&self) -> Result<(), SnapshotError> {
        let left = self.words.len() - self.position;
        if left == 0 { Ok(()) } else { Err(SnapshotError::WordsLeftOver { left, total: self.words.len() }) }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u64; N], SnapshotError> {
        let mut taken = [0; N];
        taken.copy_from_slice(self.take_slice(N)?);
        Ok(taken)
    }

    #[inline]
    fn take_slice(&mut self, count: usize) -> Result<&'a [u64], SnapshotError> {
        let rest = &self.words[self.position..];
        let taken = rest.get(..count).ok_or(SnapshotError::WordsRunOut {
            wanted: count,
            position: self.position,
            left: rest.len(),
        })?;
        self.position += count;
        Ok(taken)
    }
}
