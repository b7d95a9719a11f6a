"""Adding up in list order; the built-in `sum` rounds floats differently from one Python to the next."""

from collections.abc import Iterable


def total(values: Iterable[float]) -> float:
    """Add numbers one after another."""
    added = 0.0
    for value in values:
        added += value
    return added
