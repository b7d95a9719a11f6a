"""Whole episodes of both tiers as batches: buffers, records and snapshots are the same, beyond the end of a battle."""

import numpy as np
import pytest

import diorama
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEAD_SIZES
from diorama.worlds.tidebreak.scenarios import random_battle

LIMIT_S = 12.0
STEPS = 16
BUFFERS = (
    *("obs", "masks", "rewards", "terminated", "truncated", "alive"),
    *("episode_start", "dt", "events", "metrics", "final_obs"),
)
CASES = [
    pytest.param(5, True, None, id="credited"),
    pytest.param(11, False, 0.9, id="ended-at-once"),
    *(
        pytest.param(seed, seed % 2 == 0, 0.99 if seed % 3 else None, id=f"long-{seed}", marks=pytest.mark.slow)
        for seed in range(20)
    ),
]


def masked_actions(masks: U8, rng: np.random.Generator) -> I32:
    heads = tuple(zip(HEAD_OFFSETS, HEAD_SIZES, strict=True))
    rows = masks.reshape(-1, masks.shape[-1])
    picks = [[rng.choice(np.flatnonzero(row[start : start + size])) for start, size in heads] for row in rows]
    return np.array(picks, np.int32).reshape(*masks.shape[:-1], len(HEAD_SIZES))


def assert_same(fast: Batch, reference: Batch) -> None:
    for name in BUFFERS:
        np.testing.assert_array_equal(getattr(fast, name), getattr(reference, name), err_msg=name)
    assert fast.step_record(0) == reference.step_record(0)
    assert fast.state_hash(0) == reference.state_hash(0)


@pytest.mark.parametrize(("seed", "credit_dead", "discount"), CASES)
def test_episodes_go_on_alike_beyond_the_end_of_a_battle(seed: int, credit_dead: bool, discount: float | None) -> None:
    package = random_battle(seed).model_copy(update={"time_limit_s": LIMIT_S}).model_dump(mode="json")
    config = {"package": package, "played": "all", "seats": 8, "credit_dead": credit_dead}
    config["shaping_discount"] = discount
    reference, fast = (
        diorama.make("tidebreak", copies=1, seed=seed, config=config, tier=t) for t in ("reference", "fast")
    )
    rng, ends = np.random.default_rng(seed), 0
    for batch in (reference, fast):
        batch.reset()
    assert_same(fast, reference)

    for step in range(STEPS):
        actions = masked_actions(reference.masks, rng)
        for batch in (reference, fast):
            batch.step(actions)
        ends += int(reference.episode_start.any())
        assert_same(fast, reference)
        if step == STEPS // 2:
            of_reference, of_fast = reference.snapshot(0), fast.snapshot(0)
            assert of_fast == of_reference
            reference.restore(0, of_fast)
            fast.restore(0, of_reference)

    assert ends > 0
