"""Elo ratings."""

import pytest

from diorama.learn.selfplay.ratings import Ratings


def test_a_win_between_equals_moves_both_by_half_of_k() -> None:
    ratings = Ratings("anchor")
    ratings.add("one")
    ratings.add("other")

    ratings.update("one", "other", 1.0)

    assert ratings.rating("one") == pytest.approx(1008.0)
    assert ratings.rating("other") == pytest.approx(992.0)


def test_the_anchor_never_moves_and_a_draw_against_a_weaker_player_costs_points() -> None:
    ratings = Ratings("anchor")
    ratings.add("one", 1200.0)

    ratings.update("one", "anchor", 0.5)

    assert ratings.rating("anchor") == 1000.0
    assert ratings.rating("one") == pytest.approx(1200.0 + 16.0 * (0.5 - 1.0 / (1.0 + 10.0**-0.5)))
    assert [name for name, _ in ratings.ranking()] == ["one", "anchor"]
