"""Encounters with scripts."""

import pytest

from diorama.learn.evaluation.encounters import Encounter, joined, wilson_interval


def test_the_wilson_interval_of_a_known_sample() -> None:
    assert wilson_interval(0.8, 50) == pytest.approx((0.6696, 0.8876), abs=1e-4)
    assert wilson_interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson_interval(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(0.5, 0) == (0.0, 1.0)


def _encounter(scene: str, battles: int, score: float, spent: float, gained: float) -> Encounter:
    return Encounter(
        opponent="idle",
        scene=scene,
        battles=battles,
        score=score,
        margin=score,
        survival=1.0,
        spent=spent,
        gained=gained,
        time=100.0,
    )


def test_scenes_are_joined_by_the_number_of_their_battles() -> None:
    (whole,) = joined([_encounter("a", 30, 1.0, 60.0, 30.0), _encounter("b", 10, 0.0, 20.0, 0.0)])

    assert (whole.scene, whole.battles, whole.score) == ("all", 40, 0.75)
    assert whole.spent_per_gain == pytest.approx(80.0 / 30.0)
    assert _encounter("b", 10, 0.0, 20.0, 0.0).spent_per_gain is None
