import numpy as np
import pytest

from diorama.contracts.errors import UnknownName
from diorama.learn.evaluation.summary import standard_error, summarize
from tests.learn.evaluation.factories import episode
from tests.refusals import refused

EPISODES = [
    episode(
        decisions=10,
        ticks=15,
        invalid_actions=5,
        returns={"v1": -1.0, "v2": 2.0},
        metrics={"profit": 0.0, "alive": 1.0},
    ),
    episode(
        decisions=90,
        ticks=95,
        invalid_actions=0,
        returns={"v1": -2.0, "v2": 3.0},
        metrics={"profit": 1.0, "alive": 0.0},
    ),
    episode(
        decisions=20,
        ticks=40,
        invalid_actions=1,
        returns={"v1": -6.0, "v2": 7.0},
        metrics={"profit": 8.0, "alive": 1.0},
    ),
]


def test_means_medians_and_rates_are_those_of_the_columns() -> None:
    summary = summarize(EPISODES, ["profit_mean", "profit_median", "alive_rate"])

    assert summary.episodes == 3
    assert summary.values == pytest.approx(
        {
            "profit_mean": 3.0,
            "profit_median": 1.0,
            "alive_rate": 2 / 3,
            "return_v1_mean": -3.0,
            "return_v1_median": -2.0,
            "return_v2_mean": 4.0,
            "return_v2_median": 3.0,
            "decisions_mean": 40.0,
            "ticks_mean": 50.0,
            "invalid_action_rate_mean": (0.5 + 0.0 + 0.05) / 3,
            "invalid_action_rate_global": 6 / 120,
        }
    )


def test_a_rate_counts_values_of_a_half_and_more() -> None:
    records = [episode(metrics={"alive": value}) for value in (0.0, 0.49, 0.5, 1.0)]

    assert summarize(records, ["alive_rate"]).values["alive_rate"] == 0.5


def test_intervals_belong_to_the_summaries_that_ask_for_them() -> None:
    summary = summarize(EPISODES, ["profit_mean"], interval_names=["profit_mean", "alive_rate"])

    assert set(summary.intervals) == {"profit_mean", "alive_rate"}
    low, high = summary.intervals["profit_mean"]
    assert 0.0 <= low < 3.0 < high <= 8.0


def test_end_reasons_are_counted_and_cut_off_episodes_count_as_guard() -> None:
    records = [
        episode(end_reason="done"),
        episode(end_reason="lost"),
        episode(end_reason="lost"),
        episode(end_reason=None, guard_truncated=True),
    ]

    summary = summarize(records, [])

    assert summary.end_reasons == {"done": 1, "guard": 1, "lost": 2}
    assert summary.guard_truncated == 1


@pytest.mark.parametrize(
    ("summary", "code", "unknown"),
    [
        pytest.param("profit_max", "unknown_statistic", "max", id="statistic"),
        pytest.param("luck_mean", "unknown_column", "luck", id="column"),
    ],
)
def test_a_summary_of_an_unknown_column_or_statistic_is_refused(summary: str, code: str, unknown: str) -> None:
    with refused(UnknownName, code, name=unknown):
        summarize(EPISODES, [summary])


def test_the_standard_error_is_that_of_the_mean() -> None:
    assert standard_error(np.array([1.0, 3.0])) == pytest.approx(1.0)
    assert standard_error(np.array([4.0])) == 0.0


def test_an_episode_row_names_every_number() -> None:
    row = episode(returns={"v1": 1.5, "v2": 2.5}, decisions=4, invalid_actions=1).to_json()

    assert list(row) == [
        *("policy", "seed", "seat", "decisions", "ticks", "return_v1", "return_v2", "terminated", "truncated"),
        *("guard_truncated", "end_reason", "invalid_actions", "invalid_action_rate", "metrics"),
    ]
    assert (row["return_v2"], row["invalid_action_rate"]) == (2.5, 0.25)
