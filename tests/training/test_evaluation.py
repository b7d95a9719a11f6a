"""The policy of a run beside the baselines of its world."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from diorama.contracts.errors import CheckpointMismatch, UnknownName
from diorama.engine.players import ContenderKind
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs.layout import RunLayout
from diorama.training.evaluation import final_contest, final_matchups, held_out_seeds, run_contender
from tests.refusals import refused
from tests.training.small_runs import StopAfter, small_plan, train_small

# Episodes of a minute of simulated time.
BRIEF = {"time_max": 60.0}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    watch, plan = StopAfter(256), small_plan(config=BRIEF)
    return train_small(tmp_path_factory.mktemp("runs"), "first", plan, progress=watch, stop=watch.stop).layout


@pytest.fixture
def venue() -> Venue:
    return open_venue("prospector", BRIEF)


def test_the_policy_of_a_run_plays_the_seeds_that_every_baseline_plays(trained: RunLayout, venue: Venue) -> None:
    def played() -> dict[str, list[tuple[Mapping[str, float], int]]]:
        contest = final_contest(trained, venue, episodes=2, deterministic=True, progress=SilentProgress())
        assert [seeds.seeds for seeds in contest.seed_sets] == [held_out_seeds(venue, 2).seeds]
        return {
            result.name: [(record.returns, record.decisions) for record in result.records] for result in contest.results
        }

    returns = played()

    assert set(returns) == {"first", *venue.world.bots}
    assert all(len(scores) == 2 for scores in returns.values())
    assert played() == returns


def test_a_run_is_a_contender_under_its_name(trained: RunLayout, venue: Venue) -> None:
    contender = run_contender(trained, venue, deterministic=True)

    assert (contender.name, contender.kind) == ("first", ContenderKind.RUN)


def test_a_world_without_scripts_has_no_matchups(trained: RunLayout, venue: Venue) -> None:
    assert final_matchups(trained, venue, episodes=2, deterministic=True, progress=SilentProgress()) == []


def test_a_run_that_played_at_random_has_no_policy_to_evaluate(tmp_path: Path, venue: Venue) -> None:
    layout = train_small(tmp_path, "dice", small_plan(backend="random", steps=64)).layout

    with refused(CheckpointMismatch, "run_has_no_policy", run_id="dice"):
        run_contender(layout, venue, deterministic=True)


def test_a_run_without_a_checkpoint_is_refused(tmp_path: Path, venue: Venue) -> None:
    with pytest.raises(UnknownName):
        run_contender(RunLayout(tmp_path / "nothing"), venue, deterministic=True)
