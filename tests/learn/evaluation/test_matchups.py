"""Matchups with scripted opponents."""

import pytest

from diorama.learn.evaluation.matchups import MatchupResult, merge_scenes, wilson_interval


def test_the_wilson_interval_of_a_known_sample() -> None:
    assert wilson_interval(0.8, 50) == pytest.approx((0.6696, 0.8876), abs=1e-4)
    assert wilson_interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson_interval(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(0.5, 0) == (0.0, 1.0)


def _result(scene: str, matches: int, score: float, spent: float, gained: float) -> MatchupResult:
    return MatchupResult(
        opponent="idle",
        scene=scene,
        matches=matches,
        score=score,
        margin=score,
        survival=1.0,
        spent=spent,
        gained=gained,
        time=100.0,
    )


def test_scenes_are_weighted_by_their_number_of_matches() -> None:
    (whole,) = merge_scenes([_result("a", 30, 1.0, 60.0, 30.0), _result("b", 10, 0.0, 20.0, 0.0)])

    assert (whole.scene, whole.matches, whole.score) == ("all", 40, 0.75)
    assert whole.spent_per_gain == pytest.approx(80.0 / 30.0)
    assert _result("b", 10, 0.0, 20.0, 0.0).spent_per_gain is None
