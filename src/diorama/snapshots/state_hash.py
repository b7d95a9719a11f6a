"""The hash of state words; `crates/kernel/src/state_hash.rs` is the native twin."""

from functools import lru_cache

import numpy as np

from diorama.rng.mixing import GOLDEN, MASK64, MIX_FIRST, MIX_SECOND, mix
from diorama.snapshots.words import Words


def hash_words(words: Words) -> int:
    """Hash state words to 64 bits: `H` of tidebreak.md 4.4."""
    mixed = _mix_each(words ^ _position_keys(len(words)))
    return mix(int(mixed.sum(dtype=np.uint64)) ^ ((len(words) + 1) * GOLDEN & MASK64))


def hash_hex(state_hash: int) -> str:
    """Write a state hash the way it is shown and stored: 16 hex digits."""
    return f"{state_hash:016x}"


@lru_cache(maxsize=64)
def _position_keys(count: int) -> Words:
    with np.errstate(over="ignore"):
        return _mix_each(np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN))


def _mix_each(words: Words) -> Words:
    z = words ^ (words >> np.uint64(30))
    z *= np.uint64(MIX_FIRST)
    z ^= z >> np.uint64(27)
    z *= np.uint64(MIX_SECOND)
    z ^= z >> np.uint64(31)
    return z
