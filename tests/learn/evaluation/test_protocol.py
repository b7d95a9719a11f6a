from dataclasses import replace

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.plans import Comparison, Expectation
from diorama.contracts.spec import Better
from diorama.engine.players import ContenderKind, bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.protocol import judge, run_protocol
from tests.learn.evaluation.factories import TOY_PROTOCOL, RecordedProgress, toy_contest, toy_venue, toy_world
from tests.refusals import refused


@pytest.mark.parametrize(
    ("better", "is_as_good"),
    [
        pytest.param(Better.HIGHER, [True, False, True], id="higher"),
        pytest.param(Better.LOWER, [False, True, True], id="lower"),
    ],
)
def test_a_comparison_row_holds_both_values_their_difference_and_the_verdict(
    better: Better, is_as_good: list[bool]
) -> None:
    protocol = replace(TOY_PROTOCOL, comparisons=(Comparison(summary="total_mean", better=better),), expectations=())
    contest = toy_contest({"mine": [4.0, 6.0], "weak": [1.0], "strong": [9.0], "equal": [5.0]}, toy_world(protocol))

    judgement = judge(contest, "mine")

    assert [row.candidate for row in judgement.rows] == ["weak", "strong", "equal"]
    assert [row.reference_at_least_as_good for row in judgement.rows] == is_as_good
    first = judgement.rows[0]
    assert (first.summary, first.reference_value, first.candidate_value, first.difference) == (
        "total_mean",
        5.0,
        1.0,
        4.0,
    )


@pytest.mark.parametrize(
    ("mine", "strictly", "is_met"),
    [
        pytest.param(5.0, False, True, id="equal-is-enough"),
        pytest.param(5.0, True, False, id="equal-is-not-enough-if-strict"),
        pytest.param(5.1, True, True, id="more"),
        pytest.param(4.9, False, False, id="less"),
    ],
)
def test_an_expectation_compares_with_its_baseline(mine: float, strictly: bool, is_met: bool) -> None:
    expectation = Expectation(title="enough", summary="total_mean", baseline="zero", strictly=strictly)
    protocol = replace(TOY_PROTOCOL, expectations=(expectation,))

    judgement = judge(toy_contest({"mine": [mine], "zero": [5.0]}, toy_world(protocol)), "mine")

    (outcome,) = judgement.expectations
    assert (outcome.value, outcome.baseline_value, outcome.is_met) == (mine, 5.0, is_met)
    assert judgement.meets_expectations is is_met


@pytest.mark.parametrize(("bound", "is_met"), [(5.0, True), (5.5, False)])
def test_an_expectation_may_set_further_bounds(bound: float, is_met: bool) -> None:
    expectation = Expectation(title="enough", summary="total_mean", baseline="zero", at_least={"total_mean": bound})
    protocol = replace(TOY_PROTOCOL, expectations=(expectation,))

    judgement = judge(toy_contest({"mine": [5.0], "zero": [1.0]}, toy_world(protocol)), "mine")

    (outcome,) = judgement.expectations
    assert outcome.floors == {"total_mean": (bound, 5.0)}
    assert outcome.is_met is is_met


def test_judging_a_contender_that_did_not_play_is_refused() -> None:
    with refused(UnknownName, "unknown_contender", name="ghost", known=("mine", "zero")):
        judge(toy_contest({"mine": [1.0], "zero": [1.0]}), "ghost")


def test_the_protocol_adds_the_baselines_its_expectations_name() -> None:
    venue, progress = toy_venue(), RecordedProgress()

    judgement = run_protocol(venue, [bot_contender(venue.world, "two")], progress=progress)

    assert judgement.reference == "two"
    assert [result.name for result in judgement.contest.results] == ["two", "zero"]
    assert [seed_set.label for seed_set in judgement.contest.seed_sets] == [2, 3]
    assert progress.begun == [("two", 4), ("zero", 4)]
    assert judgement.meets_expectations


def test_the_first_trained_policy_is_judged_else_the_last_bot_or_the_one_asked_for() -> None:
    venue = toy_venue()
    bots = [bot_contender(venue.world, name) for name in ("zero", "one")]
    run = replace(bot_contender(venue.world, "two"), name="trained", kind=ContenderKind.RUN)

    bots_only = run_protocol(venue, bots, progress=SilentProgress(), episodes=1)
    with_run = run_protocol(venue, [run, *bots], progress=SilentProgress(), episodes=1)
    asked_for = run_protocol(venue, [run, *bots], progress=SilentProgress(), episodes=1, reference="zero")

    assert [bots_only.reference, with_run.reference, asked_for.reference] == ["one", "trained", "zero"]


def test_an_unknown_reference_is_refused_before_anything_is_played() -> None:
    venue, progress = toy_venue(), RecordedProgress()

    with refused(UnknownName, "unknown_contender", name="ghost", known=("one",)):
        run_protocol(venue, [bot_contender(venue.world, "one")], progress=progress, reference="ghost")

    assert progress.begun == []


def test_a_protocol_without_contenders_is_refused() -> None:
    with refused(ConfigError, "no_contenders"):
        run_protocol(toy_venue(), [], progress=SilentProgress())


def test_the_strongest_bot_of_prospector_meets_all_expectations() -> None:
    venue = open_venue("prospector")

    judgement = run_protocol(
        venue, [bot_contender(venue.world, "prudent_hauler")], progress=SilentProgress(), episodes=3
    )

    assert [outcome.is_met for outcome in judgement.expectations] == [True] * 6
    assert judgement.contest.guard_truncated == 0
    assert [result.name for result in judgement.contest.results] == [
        *("prudent_hauler", "cash_out", "random_valid", "greedy_miner", "cautious_scanner", "market_timer"),
    ]
