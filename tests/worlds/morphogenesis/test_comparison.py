import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from diorama.worlds.morphogenesis.comparison.bootstrap import accuracy_difference, bootstrap_interval
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult, pairs_of
from diorama.worlds.morphogenesis.comparison.groups import DUAL_AB_PAIRS, group_id, pair_named
from diorama.worlds.morphogenesis.comparison.pareto import hypervolume, pareto_front
from diorama.worlds.morphogenesis.comparison.summary import accuracy_roi, rounds_to_nearly_there, summarize
from diorama.worlds.morphogenesis.comparison.verdict import VerdictState, judge
from diorama.worlds.morphogenesis.contracts.errors import ConfigError, ContractError
from diorama.worlds.morphogenesis.contracts.payloads.analysis import EpisodeOutcomePayload
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode
from diorama.worlds.morphogenesis.streams import Streams, generator

NO_TREND = [0.4, -0.6, 0.1, -0.3, 0.5, -0.2, 0.3, -0.1, 0.2, -0.3, 0.4, -0.4]


def cohort(accuracies: Sequence[float], **changes: object) -> list[EpisodeResult]:
    """Episodes of two envs a round."""
    return [
        replace(
            EpisodeResult(round_index=place // 2, env_id=place % 2, final_accuracy=accuracy),
            **changes,  # type: ignore[arg-type]
        )
        for place, accuracy in enumerate(accuracies)
    ]


def flat(accuracy: float, episodes: int = 12) -> list[EpisodeResult]:
    return cohort([accuracy + wobble for wobble in NO_TREND[:episodes]])


def test_every_pair_of_modes_has_a_name_either_way_round() -> None:
    assert len(DUAL_AB_PAIRS) == 10
    assert pair_named("shaped-vs-simplified") == (RewardMode.SHAPED, RewardMode.SIMPLIFIED)
    assert pair_named("basic-vs-escrow") == (RewardMode.BASIC, RewardMode.ESCROW)
    assert [group_id(index) for index in (0, 1, 25)] == ["A", "B", "Z"]
    for wrong in ("shaped", "shaped-vs-shaped", "shaped-vs-minimal", ""):
        with pytest.raises(ConfigError, match="there are: shaped-vs-simplified"):
            pair_named(wrong)
    with pytest.raises(ConfigError, match="26 groups"):
        group_id(26)


def test_episodes_are_paired_by_round_and_env() -> None:
    first, second = cohort([1.0, 2.0, 3.0, 4.0]), cohort([10.0, 20.0, 30.0])

    paired = pairs_of(list(reversed(first)), second)

    assert [(one.final_accuracy, other.final_accuracy) for one, other in paired] == [(1, 10), (2, 20), (3, 30)]


def test_pairing_takes_out_what_both_share() -> None:
    hard_and_easy = [20.0, 90.0] * 10
    better = cohort([accuracy + 2.0 + wobble for accuracy, wobble in zip(hard_and_easy, NO_TREND * 2, strict=False)])

    interval = accuracy_difference(better, cohort(hard_and_easy), Streams(42).open("bootstrap", 0))

    assert interval is not None
    assert interval.pairs == 20
    assert 1.7 < interval.low < interval.mean < interval.high < 2.3
    assert accuracy_difference(better, [], generator(0)) is None


def test_the_interval_is_that_of_the_mean_and_repeats_with_its_stream() -> None:
    differences = generator(4).normal(3.0, 2.0, 400).tolist()

    interval = bootstrap_interval(differences, generator(1))

    spread = 1.96 * float(np.std(differences)) / math.sqrt(400)
    assert interval.low == pytest.approx(interval.mean - spread, abs=0.03)
    assert interval.high == pytest.approx(interval.mean + spread, abs=0.03)
    assert interval == bootstrap_interval(differences, generator(1))
    with pytest.raises(ValueError, match="no pair"):
        bootstrap_interval([], generator(1))


def test_the_front_holds_what_nothing_dominates() -> None:
    episodes = [
        *cohort([80.0], param_ratio=1.5),
        *cohort([80.0], param_ratio=1.6),
        *cohort([60.0], param_ratio=1.1),
        *cohort([59.0], param_ratio=1.1, stability_score=0.5),
        *cohort([95.0], param_ratio=3.0),
    ]

    assert pareto_front(episodes) == (episodes[0], episodes[2], episodes[4])
    assert hypervolume(episodes) == pytest.approx(60.0 * 0.9 + 20.0 * 0.5)
    assert hypervolume(episodes[4:]) == 0.0


def test_a_group_is_summed_up_against_another() -> None:
    grown = cohort(
        [60.0, 70.0, 80.0, 90.0],
        control_accuracy=20.0,
        param_ratio=math.e,
        num_fossilized=2,
        prune_count=1,
    )

    summary = summarize("A", [*grown[:3], replace(grown[3], rollbacks=2)], generator(0), cohort([20.0] * 4))

    assert (summary.episodes, summary.mean_final_accuracy, summary.gain_over_control) == (4, 75.0, 55.0)
    assert summary.accuracy_roi == pytest.approx(55.0)
    assert (summary.num_fossilized, summary.num_pruned) == (8, 4)
    assert summary.permanent_share == pytest.approx(2 / 3)
    assert (summary.rollbacks, summary.rounds_to_nearly_there) == (2, 1)
    assert summary.difference is not None
    assert summary.difference.mean == 55.0
    with pytest.raises(ContractError, match="no episode"):
        summarize("A", [], generator(0))


def test_what_cannot_be_said_is_none() -> None:
    summary = summarize("A", cohort([50.0]), generator(0))

    assert (summary.gain_over_control, summary.accuracy_roi, summary.permanent_share, summary.difference) == (None,) * 4
    assert accuracy_roi(5.0, 1.0) is None


def test_rounds_are_counted_up_to_four_fifths_of_the_end() -> None:
    learning = [10.0, 20.0, 40.0, 60.0, 80.0, *[90.0] * 15]

    rounds = rounds_to_nearly_there(cohort([accuracy for accuracy in learning for _ in range(2)]))

    # 72% are asked for: rounds 2 to 11 have a mean of 74, rounds 1 to 10 of 66.
    assert rounds == 11
    assert rounds_to_nearly_there(cohort([50.0, 50.0])) == 1


@pytest.mark.parametrize(
    ("grown", "initial", "final", "state"),
    [
        pytest.param(flat(60.0), flat(20.0), flat(60.5), VerdictState.GROWTH_HELPS, id="helps"),
        pytest.param(flat(60.0), flat(20.0), flat(61.5), VerdictState.GROWTH_NEUTRAL, id="final-alone-is-better"),
        pytest.param(
            cohort([20.0 + wobble for wobble in NO_TREND]),
            cohort([20.0] * 12),
            flat(20.0),
            VerdictState.GROWTH_NEUTRAL,
            id="neutral",
        ),
        pytest.param(flat(15.0), flat(20.0), flat(15.0), VerdictState.GROWTH_HURTS, id="hurts"),
        pytest.param(flat(60.0, 9), flat(20.0), flat(60.0), VerdictState.INCONCLUSIVE, id="few-pairs"),
        pytest.param(flat(60.0), flat(20.0), [], VerdictState.INCONCLUSIVE, id="cohort-missing"),
    ],
)
def test_a_verdict_follows_from_the_intervals(
    grown: list[EpisodeResult], initial: list[EpisodeResult], final: list[EpisodeResult], state: VerdictState
) -> None:
    assert judge(grown, initial, final, generator(2)).state is state


def test_a_comparison_that_went_wrong_says_nothing() -> None:
    grown, initial, final = flat(60.0), flat(20.0), flat(60.0)
    shaky = [replace(grown[0], rollbacks=1), replace(grown[1], rollbacks=1), *grown[2:]]

    rolled_back = judge(shaky, initial, final, generator(2))

    assert rolled_back.state is VerdictState.INVALID
    assert rolled_back.reason == "2 of 36 episodes were rolled back; at most 5% may be"
    assert judge([shaky[0], *grown[1:]], initial, final, generator(2)).state is VerdictState.GROWTH_HELPS
    assert judge(grown, initial, final, generator(2), manifests_match=False).state is VerdictState.INVALID
    assert judge(grown, initial, final, generator(2), lost_telemetry=True).state is VerdictState.INVALID


def test_results_are_read_from_the_event_of_an_end() -> None:
    payload = EpisodeOutcomePayload(
        env_id=3,
        episode_idx=11,
        final_accuracy=85.0,
        param_ratio=1.5,
        num_fossilized=2,
        num_contributing_fossilized=2,
        episode_reward=7.0,
        stability_score=0.5,
        reward_mode="shaped",
        outcome_type="success",
        prune_count=1,
        control_accuracy=21.0,
    )

    result = EpisodeResult.of(payload, round_index=2, rollbacks=1)

    assert result.gain_over_control == 64.0
    assert (result.round_index, result.env_id, result.prune_count, result.rollbacks) == (2, 3, 1, 1)
