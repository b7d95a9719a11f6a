"""Percentile bootstrap intervals whose resamples come from PCG32, so that a report can be recomputed anywhere."""

from collections.abc import Callable
from typing import Final

import numpy as np

from diorama.contracts.values import F64, U64
from diorama.rng import Pcg32

RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
_SEED: Final = 0
_STREAM: Final = 54
_MULTIPLIER: Final = np.uint64(6364136223846793005)

Statistic = Callable[[F64], F64]  # reduces the last axis


def bootstrap_interval(values: F64, statistic: Statistic) -> tuple[float, float]:
    """Return the 95% percentile interval of a statistic of a sample.

    Every call begins the same stream, so two columns of the same episodes are resampled alike.

    Args:
        values: The sample, at least one number.
        statistic: Reduces the last axis of an array.
    """
    stream = Pcg32.from_seed(_SEED, _STREAM)
    draws = u32_block(stream, RESAMPLES * len(values)) % np.uint64(len(values))
    resampled = statistic(values[draws.reshape(RESAMPLES, len(values))])
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(resampled, (tail, 1.0 - tail))
    return float(low), float(high)


def u32_block(stream: Pcg32, count: int) -> U64:
    """Draw `count` u32 at once: exactly what `stream.next_u32()` would have given one by one."""
    states = _states(stream.state, stream.inc, count)
    stream.advance(count)
    xorshifted = (((states >> np.uint64(18)) ^ states) >> np.uint64(27)) & np.uint64(0xFFFFFFFF)
    doubled = (xorshifted << np.uint64(32)) | xorshifted
    block: U64 = (doubled >> (states >> np.uint64(59))) & np.uint64(0xFFFFFFFF)
    return block


def _states(state: int, inc: int, count: int) -> U64:
    """Return the first `count` states, found by doubling: n steps at once are again one multiply and one add."""
    states = np.array([state], np.uint64)
    factor, offset = _MULTIPLIER, np.uint64(inc)
    with np.errstate(over="ignore"):
        while len(states) < count:
            states = np.concatenate((states, states * factor + offset))
            offset = offset * factor + offset
            factor = factor * factor
    block: U64 = states[:count]
    return block
