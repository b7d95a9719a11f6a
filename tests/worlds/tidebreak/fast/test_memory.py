"""Stepping leaves nothing behind: no arrays in Python, no memory in the core."""

import resource
import tracemalloc

import numpy as np
import pytest

import diorama
from diorama.engine.batch import Batch
from diorama.worlds.tidebreak.contract import HEAD_SIZES

STEPS = 10_000
GROWTH_MAX_BYTES = 64 * 1024
TICKS = 1_000_000
COPIES = 64


def step_at_random(batch: Batch, steps: int, rng: np.random.Generator) -> None:
    actions = np.empty((*batch.alive.shape, len(HEAD_SIZES)), np.int32)
    for _ in range(steps):
        actions[:] = rng.integers(0, HEAD_SIZES, actions.shape, np.int32)
        batch.step(actions)


@pytest.mark.slow
def test_ten_thousand_steps_keep_no_array() -> None:
    batch = diorama.make("tidebreak", copies=4, config={"stage": 2}, tier="fast", threads=1)
    rng = np.random.default_rng(0)
    batch.reset()
    step_at_random(batch, 100, rng)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        step_at_random(batch, STEPS, rng)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert after - before < GROWTH_MAX_BYTES


@pytest.mark.slow
def test_resident_memory_is_flat_over_a_million_ticks() -> None:
    batch = diorama.make("tidebreak", copies=COPIES, config={"stage": 2}, tier="fast", threads=1)
    rng = np.random.default_rng(0)
    batch.reset()
    step_at_random(batch, TICKS // COPIES // 5, rng)  # every copy has seen whole battles by then
    settled = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    step_at_random(batch, TICKS // COPIES, rng)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    assert peak <= 1.01 * settled
