import numpy as np
import pytest

from diorama.contracts.records import Decision
from diorama.contracts.values import U8
from diorama.worlds.prospector.bots import BOTS
from diorama.worlds.prospector.contract import N_ACTIONS, SPEC, Act, Obs
from diorama.worlds.prospector.evaluation import EVALUATION
from diorama.worlds.prospector.parity import PARITY

SUITES = {suite.name: suite for suite in PARITY.suites}


def mask_of(*actions: int) -> U8:
    mask = np.zeros(N_ACTIONS, np.uint8)
    mask[list(actions)] = 1
    return mask


def draw(suite: str, seed: int, count: int, mask: U8) -> list[Decision]:
    player = SUITES[suite].start(seed)
    player.reset(seed)
    obs, nothing = np.zeros(Obs.SIZE, np.float32), np.zeros(0, np.uint8)
    return [player.act(obs, nothing, mask) for _ in range(count)]


def test_suite_a_draws_any_integer_around_the_action_range() -> None:
    actions = {action for (action,) in draw("A", 0, 5000, mask_of(6))}

    assert actions == set(range(-5, 75))


@pytest.mark.parametrize(
    ("suite", "loop"),
    [
        ("B", [43, 61, 67, 28, 29, 30, 10, 9, 7, 33, 200, -3, 255, 6, 42, 68]),
        ("C", [8, 11, 12, 29, 33, 6, 0, 42, 45, 32, 35, 7, 6, 68]),
    ],
)
def test_suites_b_and_c_repeat_their_loops(suite: str, loop: list[int]) -> None:
    assert draw(suite, 3, 2 * len(loop), mask_of(6)) == [(action,) for action in loop * 2]


def test_suite_d_draws_valid_actions_and_never_cashes_out() -> None:
    actions = {action for (action,) in draw("D", 0, 300, mask_of(0, 6, 42, Act.CASH_OUT_END_EPISODE))}

    assert actions == {0, 6, 42}


def test_suites_differ_by_seed_and_run_on_across_episodes() -> None:
    player = SUITES["A"].start(4)
    obs, nothing, mask = np.zeros(Obs.SIZE, np.float32), np.zeros(0, np.uint8), mask_of(6)
    actions = []
    for episode in range(20):
        player.reset(episode)
        actions.append(player.act(obs, nothing, mask))

    assert actions == draw("A", 4, 20, mask)
    assert actions != draw("A", 5, 20, mask)


def test_the_parity_matrix_is_the_specified_one() -> None:
    assert "".join(SUITES) == "ABCDE"
    assert PARITY.quick_suites == ("A", "B", "C")
    assert PARITY.configs == (("time-2000", {"time_max": 2000}), ("time-8000", {"time_max": 8000}))
    assert (PARITY.seeds, PARITY.steps) == (10, 2000)


def test_the_evaluation_protocol_names_what_exists() -> None:
    statistics = {"mean", "median", "rate"}
    named = {*EVALUATION.summaries, *EVALUATION.interval_summaries}

    for column, _, statistic in (name.rpartition("_") for name in named):
        assert column in SPEC.metric_keys
        assert statistic in statistics
    assert {comparison.summary for comparison in EVALUATION.comparisons} <= set(EVALUATION.summaries)
    assert {expectation.baseline for expectation in EVALUATION.expectations} <= set(BOTS)
    assert {expectation.summary for expectation in EVALUATION.expectations} <= set(EVALUATION.summaries)
