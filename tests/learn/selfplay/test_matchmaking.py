"""The pool of opponents."""

import pytest

from diorama.learn.selfplay.matchmaking import OpponentPool


def test_opponents_that_are_hard_to_beat_are_drawn_more_often() -> None:
    pool = OpponentPool(["easy", "hard", "unknown"], rated_matches=4)
    for _ in range(6):
        pool.record_result("easy", 1.0)
        pool.record_result("hard", 0.0)

    assert pool.weights() == pytest.approx([0.05, 1.05, 0.30])
    assert pool.sample(0.0) == "easy"
    assert pool.sample(0.05) == "hard"
    assert pool.sample(0.999) == "unknown"
    assert pool.matches("easy") == 4


def test_the_easiest_snapshot_retires_and_late_results_against_it_are_ignored() -> None:
    pool = OpponentPool(["script"], rated_matches=10)
    pool.add("old")
    pool.add("new")
    pool.record_result("old", 0.0)
    pool.record_result("new", 1.0)

    assert pool.retire_easiest() == "new"
    pool.record_result("new", 1.0)

    assert pool.names == ["script", "old"]
    again = OpponentPool(["script"], rated_matches=10)
    again.load(pool.state())
    assert again.names == pool.names
    assert again.weights() == pool.weights()
