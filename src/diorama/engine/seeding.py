"""Checks the seeds a caller gives."""

from collections.abc import Sequence
from operator import index

from diorama.contracts.errors import ContractError

_MODULUS = 1 << 64


def as_seed(seed: int) -> int:
    """Return a seed modulo 2^64; negative integers wrap."""
    return index(seed) % _MODULUS


def as_seeds(seeds: Sequence[int], expected: int) -> list[int]:
    """Return one seed per copy, modulo 2^64."""
    if len(seeds) != expected:
        raise ContractError(f"got {len(seeds)} seeds for {expected} copies; give one per copy that is reset")
    return [as_seed(seed) for seed in seeds]
