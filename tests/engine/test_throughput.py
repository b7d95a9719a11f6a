"""Random valid actions, and what a measurement counts."""

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError
from diorama.engine.make import make_batch
from diorama.engine.throughput import ValidActionSampler, measure_stepping
from tests.engine.toy_world import TOY

SPEC = TOY.describe(TOY.config_type())


def test_only_valid_options_are_drawn_and_every_one_of_them() -> None:
    masks = np.tile(np.array([[1, 0, 1, 0, 1], [0, 1, 0, 1, 1]], np.uint8), (500, 1))

    chosen = ValidActionSampler(SPEC, seed=1).sample(masks)

    assert chosen.dtype == np.int32
    assert chosen.shape == (1000, 2)
    assert set(chosen[0::2, 0].tolist()) == {0, 2}
    assert set(chosen[0::2, 1].tolist()) == {1}
    assert set(chosen[1::2, 0].tolist()) == {1}
    assert set(chosen[1::2, 1].tolist()) == {0, 1}


def test_valid_options_are_drawn_evenly() -> None:
    masks = np.ones((30_000, 5), np.uint8)

    counts = np.bincount(ValidActionSampler(SPEC, seed=2).sample(masks)[:, 0])

    assert counts == pytest.approx(10_000, rel=0.05)


def test_a_row_without_valid_options_takes_the_no_op() -> None:
    assert ValidActionSampler(SPEC, seed=3).sample(np.zeros((4, 5), np.uint8)).tolist() == [[0, 0]] * 4


def test_the_same_seed_draws_the_same_actions() -> None:
    masks = np.ones((50, 5), np.uint8)

    first, second = (ValidActionSampler(SPEC, seed=4).sample(masks) for _ in range(2))

    assert first.tolist() == second.tolist()


def test_a_measurement_counts_copies_ticks_and_episodes() -> None:
    batch = make_batch(TOY, copies=4)

    measured = measure_stepping(batch, seconds=0.02, seed=0)

    assert measured.decisions % 4 == 0
    assert measured.ticks == measured.decisions  # a toy step takes one tick
    assert measured.episodes == 4 * (measured.decisions // 4 // 3)  # and the third ends the episode
    assert measured.stepping_seconds >= 0.02
    assert measured.sampling_seconds > 0
    assert measured.decisions_per_second == measured.decisions / measured.stepping_seconds


def test_no_time_to_measure_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"seconds is 0; use more than 0"):
        measure_stepping(make_batch(TOY), seconds=0, seed=0)
