"""Mixing of 64-bit words, and the seed sequence of a copy's episodes."""

from typing import Final

GOLDEN: Final = 0x9E3779B97F4A7C15
MIX_FIRST: Final = 0xBF58476D1CE4E5B9
MIX_SECOND: Final = 0x94D049BB133111EB
MASK64: Final = 0xFFFFFFFFFFFFFFFF


def mix(word: int) -> int:
    """Scramble a word so that every input bit reaches every output bit; any integer is taken modulo 2^64."""
    z = word & MASK64
    z = (z ^ (z >> 30)) * MIX_FIRST & MASK64
    z = (z ^ (z >> 27)) * MIX_SECOND & MASK64
    return z ^ (z >> 31)


def mix64(word: int) -> int:
    """SplitMix64's finalizer: `mix` of the word plus the golden-ratio constant, so that 0 does not stay 0."""
    return mix(word + GOLDEN)


def episode_seed(base: int, index: int, count: int) -> int:
    """Seed of a copy's next episode.

    Args:
        base: The copy's last explicit seed, else the batch's; negative numbers wrap modulo 2^64.
        index: The copy's index in its batch.
        count: Resets since that explicit seed, starting at 1.
    """
    return mix64((base & MASK64) ^ mix64((index << 32) + count))
