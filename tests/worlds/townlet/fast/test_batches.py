"""Towns of a batch never see one another: a row is the same whatever stands beside it and whoever steps it."""

import numpy as np
import pytest

import diorama
from diorama.engine.batch import Batch
from diorama.worlds.townlet.random_configs import random_config
from tests.worlds.townlet.fast.lockstep import BUFFERS, valid_actions

COPIES = 64
STEPS = 40
CONFIGS = [pytest.param({}, id="default"), pytest.param(random_config(3), id="short-lives")]


def opened(config: dict[str, object], copies: int, threads: int, seeds: list[int]) -> Batch:
    batch = diorama.make("townlet", config=config, copies=copies, seed=9, tier="fast", threads=threads)
    batch.reset(seeds)
    return batch


@pytest.mark.parametrize("config", CONFIGS)
def test_a_town_is_the_same_alone_and_among_others(config: dict[str, object]) -> None:
    place, seeds = 37, list(range(100, 100 + COPIES))
    many, alone = opened(config, COPIES, 2, seeds), opened(config, 1, 1, seeds[place : place + 1])
    seats = many.spec.agents
    rng = np.random.default_rng(5)

    for _ in range(STEPS):
        if alone.episode_start.all() and alone.dt[0]:
            return  # the seeds of later episodes hang on the place in the batch
        actions = valid_actions(many.masks, rng)
        many.step(actions)
        alone.step(actions[place * seats : (place + 1) * seats])
        for name in ("obs", "masks", "rewards", "terminated", "alive", "episode_start", "metrics"):
            rows = getattr(many, name)[place * seats : (place + 1) * seats]
            np.testing.assert_array_equal(rows, getattr(alone, name), err_msg=name)
        assert many.state_hash(place) == alone.state_hash(0)


@pytest.mark.parametrize("config", CONFIGS)
def test_threads_do_not_change_anything(config: dict[str, object]) -> None:
    seeds = list(range(COPIES))
    one, two = opened(config, COPIES, 1, seeds), opened(config, COPIES, 2, seeds)
    rng = np.random.default_rng(6)

    for _ in range(STEPS):
        actions = valid_actions(one.masks, rng)
        for batch in (one, two):
            batch.step(actions)
        for name in BUFFERS:
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)

    assert [one.state_hash(copy) for copy in range(COPIES)] == [two.state_hash(copy) for copy in range(COPIES)]


def test_the_parts_of_a_split_batch_go_on_as_before() -> None:
    seeds = list(range(4))
    whole, split = opened({}, 4, 1, seeds), opened({}, 4, 1, seeds)
    parts = split.split(2)
    actions = whole.expert_actions()

    whole.step(actions)
    for part, own in zip(parts, np.split(actions, 2), strict=True):
        np.testing.assert_array_equal(part.expert_actions(), own)
        part.step(own)

    assert [part.state_hash(copy) for part in parts for copy in range(2)] == [
        whole.state_hash(copy) for copy in range(4)
    ]
