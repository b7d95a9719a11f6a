import numpy as np
import pytest

from diorama.contracts.values import F64
from diorama.learn.evaluation.summary import RESAMPLES, bootstrap_interval, u32_block
from diorama.rng import Pcg32


def mean(values: F64) -> F64:
    return np.asarray(values.mean(axis=-1))


@pytest.mark.parametrize("count", [1, 2, 3, 64, 1000])
def test_a_block_is_what_single_draws_would_have_given(count: int) -> None:
    one_by_one, at_once = Pcg32.from_seed(0, 54), Pcg32.from_seed(0, 54)

    block = u32_block(at_once, count)

    assert block.tolist() == [one_by_one.next_u32() for _ in range(count)]
    assert (at_once.state, at_once.draws) == (one_by_one.state, one_by_one.draws)


def test_blocks_continue_one_another() -> None:
    whole, parts = Pcg32.from_seed(9, 54), Pcg32.from_seed(9, 54)

    joined = [*u32_block(parts, 7).tolist(), *u32_block(parts, 5).tolist()]

    assert joined == u32_block(whole, 12).tolist()


def test_the_interval_is_that_of_resamples_drawn_one_by_one() -> None:
    values = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0])
    rng = Pcg32.from_seed(0, 54)
    means = [np.mean([values[rng.randint_exclusive(0, 7)] for _ in values]) for _ in range(RESAMPLES)]

    low, high = bootstrap_interval(values, mean)

    assert low == pytest.approx(np.quantile(means, 0.025))
    assert high == pytest.approx(np.quantile(means, 0.975))


def test_the_interval_is_the_same_every_time() -> None:
    values = np.arange(50.0)

    assert bootstrap_interval(values, mean) == bootstrap_interval(values, mean)


def test_a_constant_sample_has_no_width() -> None:
    assert bootstrap_interval(np.full(20, 2.5), mean) == (2.5, 2.5)


def test_the_interval_has_about_the_width_of_two_standard_errors_each_way() -> None:
    values = np.array([Pcg32.from_seed(seed, 1).normal(10.0, 2.0) for seed in range(400)])

    low, high = bootstrap_interval(values, mean)

    assert low < values.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20.0, rel=0.1)
