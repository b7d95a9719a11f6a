"""Batches of the fast tier for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.worlds.registry import load_world

WORLD = load_world("gameboy")
SHORT: Mapping[str, object] = {"frames_per_step": 4, "release_after_frames": 2}


def opened(copies: int = 1, *, seed: int = 0, threads: int = 1, **config: Any) -> Batch:
    """A batch of short steps that has been reset."""
    batch = make_batch(WORLD, copies=copies, config={**SHORT, **config}, seed=seed, tier="fast", threads=threads)
    batch.reset()
    return batch


def play(batch: Batch, actions: Sequence[int]) -> list[float]:
    """Every copy takes the same actions; the rewards of the first."""
    rewards = []
    for action in actions:
        batch.step(np.full(batch.copies, action, np.int32))
        rewards.append(float(batch.rewards[0]))
    return rewards
