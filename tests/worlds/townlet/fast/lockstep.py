"""Two batches held against each other, and actions for them."""

from collections.abc import Mapping

import numpy as np

import diorama
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch

BUFFERS = (
    *("obs", "masks", "rewards", "terminated", "truncated", "alive"),
    *("episode_start", "dt", "events", "metrics"),
)


def both_tiers(config: Mapping[str, object], *, seed: int) -> tuple[Batch, Batch]:
    """The same town on the readable and on the fast tier, opened."""
    reference, fast = (
        diorama.make("townlet", config=config, seed=seed, tier=tier, threads=1) for tier in ("reference", "fast")
    )
    for batch in (reference, fast):
        batch.reset([seed])
    return reference, fast


def valid_actions(masks: U8, rng: np.random.Generator) -> I32:
    """One valid action per row."""
    chances = np.where(masks != 0, rng.random(masks.shape), -1.0)
    actions: I32 = chances.argmax(axis=1).astype(np.int32)[:, None]
    return actions


def assert_same(fast: Batch, reference: Batch, copy: int = 0) -> None:
    """Every buffer, the record and the state."""
    for name in BUFFERS:
        np.testing.assert_array_equal(getattr(fast, name), getattr(reference, name), err_msg=name)
    ended = (reference.terminated | reference.truncated) != 0
    np.testing.assert_array_equal(fast.final_obs[ended], reference.final_obs[ended])
    assert fast.step_record(copy) == reference.step_record(copy)
    np.testing.assert_array_equal(fast.state_words(copy), reference.state_words(copy))
