"""Time on a device that works by itself; on the CPU the same calls measure the host."""

import time
from collections.abc import Callable
from statistics import median

import torch


def settle() -> None:
    """Wait until the GPU has nothing left to do; without one there is nothing to wait for."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def wall(work: Callable[[], object], *, repeats: int) -> float:
    """Return the least seconds some work takes from the call until the GPU is done."""
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        settle()
        best = min(best, time.perf_counter() - began)
    return best


def timed(work: Callable[[], object], *, repeats: int) -> float:
    """Return the median seconds the GPU takes for some work, repeated after a warm-up."""
    if not torch.cuda.is_available():
        return wall(work, repeats=repeats)
    for _ in range(3):
        work()
    pairs = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(repeats)]
    for began, ended in pairs:
        began.record()
        work()
        ended.record()
    torch.cuda.synchronize()
    return float(median(began.elapsed_time(ended) for began, ended in pairs)) / 1e3
