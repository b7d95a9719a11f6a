"""Which battle a seed gives, who sits where and which script commands the rest: the same in both tiers."""

from collections.abc import Mapping

import numpy as np
import pytest

import diorama

COPIES = 2
TICKS = 1  # every script speaks in the first

CONFIGS: Mapping[str, Mapping[str, object]] = {
    "first-stage": {"stage": 1},
    "earlier-stages": {"stage": 9, "earlier_stages": True, "seats": 3},
    "open-stage": {"stage": 12, "seats": 2, "shaping_discount": 0.97},
    "side-of-a-stage": {"stage": 7, "side": "red", "seats": 3, "opponents": "kiter@0.5"},
    "everybody": {"stage": 8, "played": "all", "seats": 5, "teammates": "idle"},
    "named-ships": {"stage": 7, "ships": ["red-02-frigate", "blue-01-corvette", "blue-02-cutter"], "seats": 4},
    "scripted-ships": {"stage": 7, "controllers": {"blue-01-corvette": "drifter", "red-01-frigate": "idle"}},
    "scenario": {"scenario": "demo", "seats": 3},
    "scenario-side": {"scenario": "demo", "side": "dominion", "opponents": "evader", "team_share": 0.0},
    "scenario-ships": {"scenario": "convoy_run", "ships": [], "controllers": {}, "played": "all", "seats": 2},
}


@pytest.mark.parametrize("name", CONFIGS)
def test_episodes_are_seated_alike_in_both_tiers(name: str) -> None:
    reference, fast = (
        diorama.make("tidebreak", copies=COPIES, seed=5, config=CONFIGS[name], tier=tier)
        for tier in ("reference", "fast")
    )
    for batch in (reference, fast):
        batch.reset()
    actions = np.tile(np.array([head.noop for head in reference.spec.heads], np.int32), (*reference.alive.shape, 1))

    for _ in range(TICKS):
        for batch in (reference, fast):
            batch.step(actions)

    for copy in range(COPIES):
        assert fast.step_record(copy) == reference.step_record(copy)
        assert fast.state_hash(copy) == reference.state_hash(copy)
    np.testing.assert_array_equal(fast.alive, reference.alive)
    np.testing.assert_array_equal(fast.obs, reference.obs)
    np.testing.assert_array_equal(fast.masks, reference.masks)
