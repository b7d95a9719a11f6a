import pytest

from diorama.contracts.errors import ConfigError, TierUnavailable, UnknownName
from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import consecutive_seeds, run_contest, seed_matrix
from diorama.learn.evaluation.episodes import SilentProgress
from tests.learn.evaluation.factories import RecordedProgress, toy_venue
from tests.refusals import refused


def test_plain_seeds_count_up_from_the_first() -> None:
    seed_set = consecutive_seeds(7, 4)

    assert (seed_set.label, seed_set.seeds) == (7, (7, 8, 9, 10))


def test_matrix_seeds_give_sets_without_a_common_seed() -> None:
    sets = seed_matrix((7, 19, 31), 3)

    assert [seed_set.label for seed_set in sets] == [7, 19, 31]
    assert sets[1].seeds == (19_000_000, 19_000_001, 19_000_002)
    assert len({seed for seed_set in sets for seed in seed_set.seeds}) == 9


@pytest.mark.parametrize("episodes", [0, -3])
def test_a_contest_needs_an_episode(episodes: int) -> None:
    with refused(ConfigError, "episodes_out_of_range", episodes=episodes):
        consecutive_seeds(7, episodes)


def test_a_matrix_seed_cannot_give_the_seeds_of_the_next() -> None:
    with refused(ConfigError, "episodes_out_of_range", episodes=1_000_001, most=1_000_000):
        seed_matrix((7,), 1_000_001)


def test_all_contenders_play_the_same_seeds() -> None:
    venue, progress = toy_venue(), RecordedProgress()
    contenders = [bot_contender(venue.world, name) for name in ("zero", "two")]

    contest = run_contest(venue, contenders, seed_matrix((2, 3), 2), max_decisions=10, progress=progress)

    assert [result.name for result in contest.results] == ["zero", "two"]
    seeds = [[record.seed for record in result.records if record.seat == 0] for result in contest.results]
    assert seeds == [[2_000_000, 2_000_001, 3_000_000, 3_000_001]] * 2
    assert [report.label for report in contest.results[0].seed_reports] == [2, 3]
    assert progress.begun == [("zero", 4), ("two", 4)]


def test_the_aggregate_spans_all_seed_sets() -> None:
    venue = toy_venue(length=2)

    contest = run_contest(
        venue, [bot_contender(venue.world, "two")], seed_matrix((2, 3), 2), max_decisions=10, progress=SilentProgress()
    )

    (result,) = contest.results
    assert result.aggregate.episodes == sum(report.summary.episodes for report in result.seed_reports) == 8
    assert set(result.aggregate.intervals) == {"total_mean"}
    assert result.seed_reports[0].summary.intervals == {}


def test_a_contest_needs_contenders_of_different_names() -> None:
    venue = toy_venue()
    twice = [bot_contender(venue.world, "one")] * 2

    with refused(ConfigError, "no_contenders"):
        run_contest(venue, [], [consecutive_seeds(1, 1)], max_decisions=10, progress=SilentProgress())
    with refused(ConfigError, "contender_repeated", names=("one",)):
        run_contest(venue, twice, [consecutive_seeds(1, 1)], max_decisions=10, progress=SilentProgress())


def test_a_limit_without_decisions_is_refused() -> None:
    venue = toy_venue()

    with refused(ConfigError, "max_decisions_out_of_range", max_decisions=0):
        run_contest(
            venue,
            [bot_contender(venue.world, "one")],
            [consecutive_seeds(1, 1)],
            max_decisions=0,
            progress=SilentProgress(),
        )


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownName) as caught:
        bot_contender(toy_venue().world, "three")

    assert caught.value.fields == {"name": "three", "known": ("one", "zero", "two")}


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_a_contest_says_which_tier_ran(tier: str) -> None:
    venue = open_venue("prospector", tier=tier)

    contest = run_contest(
        venue,
        [bot_contender(venue.world, "cash_out")],
        [consecutive_seeds(1, 1)],
        max_decisions=5,
        progress=SilentProgress(),
    )

    assert contest.tier_selected == tier
    assert contest.tier_fallback_reason is None


def test_a_tier_that_does_not_exist_for_a_world_is_refused_before_anything_is_played() -> None:
    venue = toy_venue()
    progress = RecordedProgress()
    fast = type(venue)(world=venue.world, config=venue.config, tier="fast")

    with pytest.raises(TierUnavailable):
        run_contest(
            fast, [bot_contender(fast.world, "one")], [consecutive_seeds(1, 1)], max_decisions=5, progress=progress
        )

    assert progress.begun == []
