"""Stateless draws (tidebreak.md 4.3): a number depends only on what it is for, so no consumer shifts another's."""

from typing import Final

from diorama.rng.mixing import GOLDEN, MASK64, MIX_FIRST, MIX_SECOND, mix

_WORD_OFFSET: Final = 0xD1B54A32D192ED03
_PER_UNIT: Final = 2.0**-53
_LANE_MEAN: Final = 131070
_LANE_DEVIATION: Final = 37837.227


def draw(seed: int, stream: int, tick: int, a: int, b: int, k: int) -> int:
    """Return the 64 random bits that belong to these keys.

    Args:
        seed: Seed of the battle or campaign.
        stream: Which rule draws.
        tick: Simulated time.
        a: First subject, as a rule an entity id.
        b: Second subject.
        k: Number of the draw inside one decision.
    """
    h = mix(seed + GOLDEN)
    for word in (stream, tick, a, b, k):
        # `mix` written out: a call per word would double the cost.
        z = h ^ (word * GOLDEN + _WORD_OFFSET & MASK64)
        z = (z ^ (z >> 30)) * MIX_FIRST & MASK64
        z = (z ^ (z >> 27)) * MIX_SECOND & MASK64
        h = z ^ (z >> 31)
    return h


def u01(bits: int) -> float:
    """Turn a draw into a fraction in [0, 1), from its upper 53 bits."""
    return (bits >> 11) * _PER_UNIT


def pick(bits: int, n: int) -> int:
    """Turn a draw into an index in 0..n-1."""
    return int((bits >> 11) * _PER_UNIT * n)


def n4(bits: int) -> float:
    """Turn a draw into a bell-shaped number with mean 0, variance 1 and range ±3.464: the sum of its 16-bit lanes."""
    lanes = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (lanes - _LANE_MEAN) / _LANE_DEVIATION
