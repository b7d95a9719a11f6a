"""Elo ratings and the pool of opponents."""

import pytest

from diorama.learn.selfplay.matchmaking import Pool
from diorama.learn.selfplay.ratings import Ratings


def test_a_win_between_equals_moves_both_by_half_of_k() -> None:
    ratings = Ratings("anchor")
    ratings.enter("one")
    ratings.enter("other")

    ratings.played("one", "other", 1.0)

    assert ratings.of("one") == pytest.approx(1008.0)
    assert ratings.of("other") == pytest.approx(992.0)


def test_the_anchor_never_moves_and_a_draw_with_somebody_weaker_costs() -> None:
    ratings = Ratings("anchor")
    ratings.enter("one", 1200.0)

    ratings.played("one", "anchor", 0.5)

    assert ratings.of("anchor") == 1000.0
    assert ratings.of("one") == pytest.approx(1200.0 + 16.0 * (0.5 - 1.0 / (1.0 + 10.0**-0.5)))
    assert [name for name, _ in ratings.table()] == ["one", "anchor"]


def test_whoever_is_hard_to_beat_is_met_more_often() -> None:
    pool = Pool(["easy", "hard", "unknown"], rated_matches=4)
    for _ in range(6):
        pool.note("easy", 1.0)
        pool.note("hard", 0.0)

    assert pool.weights() == pytest.approx([0.05, 1.05, 0.30])
    assert pool.pick(0.0) == "easy"
    assert pool.pick(0.05) == "hard"
    assert pool.pick(0.999) == "unknown"
    assert pool.matches("easy") == 4


def test_the_easiest_snapshot_retires_and_late_results_against_it_are_left_out() -> None:
    pool = Pool(["script"], rated_matches=10)
    pool.add("old")
    pool.add("new")
    pool.note("old", 0.0)
    pool.note("new", 1.0)

    assert pool.retire_easiest() == "new"
    pool.note("new", 1.0)

    assert pool.names == ["script", "old"]
    again = Pool(["script"], rated_matches=10)
    again.load(pool.state())
    assert again.names == pool.names
    assert again.weights() == pool.weights()
