"""Latency blocks: what a list of durations comes to."""

from collections.abc import Sequence

_MS_PER_SECOND = 1000.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share (0 to 1) of the values lies, with linear interpolation."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def latency_block(seconds: Sequence[float]) -> dict[str, float]:
    """Return `min`, `max`, `mean`, `p50`, `p95` and `p99` in milliseconds, and the number of `samples`."""
    ms = [value * _MS_PER_SECOND for value in seconds]
    return {
        "samples": len(ms),
        "min": min(ms),
        "max": max(ms),
        "mean": sum(ms) / len(ms),
        "p50": percentile(ms, 0.50),
        "p95": percentile(ms, 0.95),
        "p99": percentile(ms, 0.99),
    }
