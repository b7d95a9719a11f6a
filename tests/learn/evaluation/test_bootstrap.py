"""Intervals of means over training seeds and episodes."""

import numpy as np
import pytest

from diorama.learn.evaluation.bootstrap import crossed_interval


def test_an_interval_is_that_of_a_mean_of_independent_scores() -> None:
    scores = np.random.default_rng(1).normal(3.0, 2.0, (1, 400))

    low, high = crossed_interval(scores)

    # 1.96 standard errors to either side.
    assert (high - low) / 2 == pytest.approx(1.96 * scores.std() / 20.0, rel=0.1)
    assert low < scores.mean() < high


def test_training_seeds_that_differ_widen_the_interval() -> None:
    draws = np.random.default_rng(2).normal(0.0, 1.0, (3, 100))

    alike, apart = crossed_interval(draws), crossed_interval(draws + np.array([[-5.0], [0.0], [5.0]]))

    assert apart[1] - apart[0] > 5 * (alike[1] - alike[0])


def test_episodes_are_paired_over_training_seeds() -> None:
    episodes = np.random.default_rng(3).normal(0.0, 10.0, 50)

    together = crossed_interval(np.stack([episodes, episodes, episodes]))

    # Three policies that do the same tell no more than one.
    assert together == pytest.approx(crossed_interval(episodes[None, :]))


def test_the_same_scores_give_the_same_interval() -> None:
    scores = np.arange(12.0).reshape(3, 4)

    assert crossed_interval(scores) == crossed_interval(scores)
    assert crossed_interval(np.full((2, 3), 1.5)) == (1.5, 1.5)
