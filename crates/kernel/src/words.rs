//! How records become words and back: fields in order, one word for a number, a count before a list.

use crate::snapshot::SnapshotError;
use crate::state_hash::{WordReader, WordWriter};

/// Most entries a list in a snapshot can have; more can only be damage.
const MOST_ENTRIES: i64 = 1 << 20;

/// Anything that can be written as words and read back.
pub trait Words: Sized {
    /// Appends the words.
    fn write(&self, words: &mut WordWriter);

    /// Takes what `write` has written.
    ///
    /// # Errors
    /// When the words run out, or cannot be such a value.
    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError>;
}

impl Words for i64 {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.signed(*self);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        words.signed()
    }
}

impl Words for f64 {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.float(*self);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        words.float()
    }
}

impl Words for bool {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.unsigned(u64::from(*self));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        Ok(words.unsigned()? != 0)
    }
}

/// A list whose length is known stands without a count; `counted` fields of a record have one.
impl<T: Words + Copy + Default, const N: usize> Words for [T; N] {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        self.iter().for_each(|value| value.write(words));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::read(words)?;
        }
        Ok(values)
    }
}

impl<T: Words> Words for Vec<T> {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        write_list(self, words);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        let count = read_count(words)?;
        (0..count).map(|_| T::read(words)).collect()
    }
}

/// Appends a count and the values of a list.
#[inline]
pub fn write_list<T: Words>(values: &[T], words: &mut WordWriter) {
    words.signed(values.len() as i64);
    values.iter().for_each(|value| value.write(words));
}

/// Takes the count of a list.
///
/// # Errors
/// When no list can be that long.
pub fn read_count(words: &mut WordReader<'_>) -> Result<usize, SnapshotError> {
    match words.signed()? {
        count @ 0..=MOST_ENTRIES => Ok(count as usize),
        count => Err(SnapshotError::Invalid(format!("a list has {count} entries; it must have 0 to {MOST_ENTRIES}"))),
    }
}

/// Takes a count and the values of a list whose length is known.
///
/// # Errors
/// When the count is another one.
pub fn read_array<T: Words + Copy + Default, const N: usize>(
    words: &mut WordReader<'_>,
) -> Result<[T; N], SnapshotError> {
    let count = read_count(words)?;
    if count != N {
        return Err(SnapshotError::Invalid(format!("a list has {count} entries; it must have {N}")));
    }
    Words::read(words)
}

/// Makes words of records: `Record { field, list: counted } [left_out]`.
///
/// `counted` writes a count before an array; what is left out is read as its default.
#[macro_export]
macro_rules! word_records {
    (@write $words:ident, $value:expr) => { $crate::words::Words::write(&$value, $words) };
    (@write $words:ident, $value:expr, counted) => { $crate::words::write_list(&$value, $words) };
    (@read $words:ident) => { $crate::words::Words::read($words)? };
    (@read $words:ident, counted) => { $crate::words::read_array($words)? };
    ($($record:ident { $($field:ident $(: $layout:ident)?),* } $([$($left_out:ident),*])?)*) => {
        $(impl $crate::words::Words for $record {
            #[inline]
            fn write(&self, words: &mut $crate::state_hash::WordWriter) {
                $($crate::word_records!(@write words, self.$field $(, $layout)?);)*
            }

            fn read(
                words: &mut $crate::state_hash::WordReader<'_>,
            ) -> Result<Self, $crate::snapshot::SnapshotError> {
                Ok(Self {
                    $($field: $crate::word_records!(@read words $(, $layout)?),)*
                    $($($left_out: Default::default()),*)?
                })
            }
        })*
    };
}
