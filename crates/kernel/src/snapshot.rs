//! The byte frame that every world's snapshot shares.
//!
//! Magic (4 bytes), version (u16), header length (u32), header (JSON), word count (u32), the words, and the state hash
//! of header and words (u64) against corruption; numbers are little-endian.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::state_hash::{StateHasher, byte_words};

const OPENING_BYTES: usize = 4 + 2 + 4;
const COUNT_BYTES: usize = 4;
const WORD_BYTES: usize = 8;

/// Why bytes are not a snapshot that can be restored here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The bytes end before the frame's fixed opening does.
    NoOpening {
        /// Length of the bytes.
        found: usize,
    },
    /// The snapshot is of another world.
    OtherMagic {
        /// What the bytes begin with.
        found: [u8; 4],
        /// What this world's snapshots begin with.
        expected: [u8; 4],
    },
    /// The snapshot has another layout.
    OtherVersion {
        /// Version in the bytes.
        found: u16,
        /// Version that can be restored.
        expected: u16,
    },
    /// The snapshot was made under another configuration.
    OtherConfiguration {
        /// Header in the bytes.
        found: String,
        /// Header of the batch.
        expected: String,
    },
    /// The bytes are fewer or more than the frame says.
    OtherLength {
        /// Length of the bytes.
        found: usize,
        /// Length that the frame asks for, as far as it could be read.
        expected: u64,
    },
    /// Header or words are not those that were packed.
    Corrupted {
        /// Hash of the contents.
        computed: u64,
        /// Hash that was stored with them.
        stored: u64,
    },
    /// A read went past the last state word.
    WordsRunOut {
        /// How many words were to be read.
        wanted: usize,
        /// Where reading stood.
        position: usize,
        /// How many words there were.
        left: usize,
    },
    /// Reading ended before the last state word.
    WordsLeftOver {
        /// How many words nobody read.
        left: usize,
        /// How many there are in all.
        total: usize,
    },
    /// The words were read but make no sense; the text says which and why.
    Invalid(String),
}

impl Display for SnapshotError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOpening { found } => {
                write!(f, "the snapshot has {found} bytes; the opening alone takes {OPENING_BYTES}")
            }
            Self::OtherMagic { found, expected } => write!(
                f,
                "the snapshot begins with '{}'; this world's begin with '{}'",
                found.escape_ascii(),
                expected.escape_ascii()
            ),
            Self::OtherVersion { found, expected } => {
                write!(f, "the snapshot has version {found}; version {expected} can be restored here")
            }
            Self::OtherConfiguration { found, expected } => {
                write!(f, "the snapshot is of configuration {found:.400}; this batch runs {expected:.400}")
            }
            Self::OtherLength { found, expected } if (*found as u64) < *expected => {
                write!(f, "the snapshot is cut short: {found} bytes of {expected}")
            }
            Self::OtherLength { found, expected } => {
                write!(f, "the snapshot has {} bytes too many: {found} instead of {expected}", *found as u64 - expected)
            }
            Self::Corrupted { computed, stored } => {
                write!(f, "the snapshot is corrupted: its contents hash to {computed:016x}, it says {stored:016x}")
            }
            Self::WordsRunOut { wanted, position, left } => {
                write!(f, "cannot read {wanted} state words at word {position}; {left} are left")
            }
            Self::WordsLeftOver { left, total } => {
                write!(f, "{left} of {total} state words are left over; all should have been read")
            }
            Self::Invalid(reason) => f.write_str(reason),
        }
    }
}

impl Error for SnapshotError {}

/// Frames a snapshot; `header` is canonical JSON (sorted keys, no spaces).
#[must_use]
pub fn pack(magic: [u8; 4], version: u16, header: &[u8], words: &[u64]) -> Vec<u8> {
    let length = OPENING_BYTES + header.len() + COUNT_BYTES + (words.len() + 1) * WORD_BYTES;
    let mut data = Vec::with_capacity(length);
    data.extend(magic);
    data.extend(version.to_le_bytes());
    data.extend((header.len() as u32).to_le_bytes());
    data.extend(header);
    data.extend((words.len() as u32).to_le_bytes());
    data.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    data.extend(integrity_hash(header, words).to_le_bytes());
    data
}

/// Takes a framed snapshot apart into the header's bytes and the words.
pub fn unpack(data: &[u8], magic: [u8; 4], version: u16) -> Result<(Vec<u8>, Vec<u64>), SnapshotError> {
    let (found_magic, found_version, header_length) =
        split_opening(data).ok_or(SnapshotError::NoOpening { found: data.len() })?;
    if found_magic != magic {
        return Err(SnapshotError::OtherMagic { found: found_magic, expected: magic });
    }
    if found_version != version {
        return Err(SnapshotError::OtherVersion { found: found_version, expected: version });
    }
    let cut_short = |expected: u64| SnapshotError::OtherLength { found: data.len(), expected };
    let least = (OPENING_BYTES + COUNT_BYTES + WORD_BYTES) as u64 + u64::from(header_length);
    let (header, rest) =
        data[OPENING_BYTES..].split_at_checked(header_length as usize).ok_or_else(|| cut_short(least))?;
    let (count, rest) = rest.split_first_chunk::<COUNT_BYTES>().ok_or_else(|| cut_short(least))?;
    let expected = least + u64::from(u32::from_le_bytes(*count)) * WORD_BYTES as u64;
    if data.len() as u64 != expected {
        return Err(SnapshotError::OtherLength { found: data.len(), expected });
    }
    let mut words = byte_words(rest);
    let stored = words.pop().unwrap_or_default();
    let computed = integrity_hash(header, &words);
    if computed != stored {
        return Err(SnapshotError::Corrupted { computed, stored });
    }
    Ok((header.to_vec(), words))
}

fn split_opening(data: &[u8]) -> Option<([u8; 4], u16, u32)> {
    let (magic, rest) = data.split_first_chunk()?;
    let (version, rest) = rest.split_first_chunk()?;
    let header_length = rest.first_chunk()?;
    Some((*magic, u16::from_le_bytes(*version), u32::from_le_bytes(*header_length)))
}

fn integrity_hash(header: &[u8], words: &[u64]) -> u64 {
    let mut hasher = StateHasher::new();
    hasher.update(&byte_words(header));
    hasher.update(words);
    hasher.finish()
}
