"""A frame that the native core draws is the readable tier's, to the last digit."""

import json

import numpy as np
import pytest

import diorama
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.worlds.tidebreak.scenarios import random_battle

TICKS = 18
EVERY = 6
CONFIGS: dict[str, JsonObject] = {
    "capital": {"stage": 10, "seats": 3, "played": "all"},
    "boarding": {"stage": 11, "seats": 2},
    "convoy": {"stage": 8, "seats": 6, "played": "all"},
    "scenario": {"scenario": "storm_meeting", "seats": 3},
    "empty-seats": {"stage": 2, "seats": 4},
    "random": {"package": random_battle(3).model_dump(mode="json"), "seats": 4},
    "short": {"package": random_battle(7).model_copy(update={"time_limit_s": 20.0}).model_dump(mode="json")},
}


def text(batch: Batch) -> str:
    return json.dumps(batch.render_state(0), allow_nan=False)


@pytest.mark.parametrize("name", CONFIGS)
def test_both_tiers_draw_the_same_frame(name: str) -> None:
    reference, fast = (
        diorama.make("tidebreak", seed=4, config=CONFIGS[name], tier=tier) for tier in ("reference", "fast")
    )
    rng = np.random.default_rng(4)
    for batch in (reference, fast):
        batch.reset([11])
    assert text(fast) == text(reference)
    for tick in range(1, TICKS + 1):
        sizes = [len(head.options) for head in reference.spec.heads]
        actions = rng.integers(0, sizes, (reference.rows, len(sizes)), np.int32)
        for batch in (reference, fast):
            batch.step(actions)
        if tick % EVERY == 0:
            assert text(fast) == text(reference), tick
