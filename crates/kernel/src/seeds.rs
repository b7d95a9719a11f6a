//! Mixing of 64-bit words, and the seed sequence of a copy's episodes.

/// Golden-ratio constant that keeps words apart before they are mixed.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scrambles a word so that every input bit reaches every output bit.
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let z = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// SplitMix64's finalizer: `mix` of the word plus `GOLDEN`, so that 0 does not stay 0.
#[inline]
#[must_use]
pub const fn mix64(word: u64) -> u64 {
    mix(word.wrapping_add(GOLDEN))
}

/// Seed of a copy's next episode.
///
/// `base` is the copy's last explicit seed, else the batch's; `index` its place in the batch; `count` the resets since
/// that explicit seed, starting at 1.
#[inline]
#[must_use]
pub const fn episode_seed(base: u64, index: u64, count: u64) -> u64 {
    mix64(base ^ mix64((index << 32).wrapping_add(count)))
}
