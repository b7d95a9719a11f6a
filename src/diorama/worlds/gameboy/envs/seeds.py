"""Where randomness enters: which start state an episode takes, and how many NOOP steps come before it.

A console draws no random numbers. An episode's start follows from a lane seed and the number of the episode; a batch
of the platform gives every episode a seed of its own, which stands for the lane seed with episode number 0.
"""

import struct
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from diorama.contracts.values import U64
from diorama.rng.mixing import GOLDEN, MASK64, MIX_FIRST, MIX_SECOND, mix64

_LANE: Final = struct.Struct("<qI")


def lane_seed(base_seed: int, lane: int, rom_sha256: str) -> int:
    """Derive the seed of a lane; `base_seed` is below 2^63, `rom_sha256` in hexadecimal digits."""
    digest = blake2b(_LANE.pack(base_seed, lane) + rom_sha256.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def noop_steps(seed: int, episode: int, noop_start_max: int) -> int:
    """How many NOOP steps come before an episode of a lane."""
    return mix64(seed + episode) % (noop_start_max + 1)


def start_slot(seed: int, episode: int, slots: int) -> int:
    """Which of the start states an episode of a lane takes."""
    return mix64(seed ^ (episode * GOLDEN & MASK64)) % slots


def noop_steps_each(seeds: U64, episodes: U64, noop_start_max: int) -> U64:
    """`noop_steps` of many lanes."""
    return _mix64(seeds + episodes) % np.uint64(noop_start_max + 1)


def start_slot_each(seeds: U64, episodes: U64, slots: int) -> U64:
    """`start_slot` of many lanes."""
    return _mix64(seeds ^ (episodes * np.uint64(GOLDEN))) % np.uint64(slots)


def episode_seed_each(bases: U64, indexes: U64, counts: U64) -> U64:
    """The platform's `episode_seed` of many copies."""
    return _mix64(bases ^ _mix64((indexes << np.uint64(32)) + counts))


def as_words(values: Sequence[int]) -> U64:
    """Integers modulo 2^64 as an array."""
    return np.array([value & MASK64 for value in values], np.uint64)


def _mix64(words: U64) -> U64:
    z = words + np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_SECOND)
    return z ^ (z >> np.uint64(31))
