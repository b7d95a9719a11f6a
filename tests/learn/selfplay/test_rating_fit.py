"""Ratings with intervals."""

import numpy as np
import pytest

from diorama.contracts.matches import RatingEstimate
from diorama.learn.selfplay.rating_fit import ResultHistory
from diorama.learn.selfplay.ratings import expected_score

LEARNER, ANCHOR = "learner", "anchor"


def fitted(history: ResultHistory, *others: str) -> dict[str, RatingEstimate]:
    return {item.name: item for item in history.estimates([ANCHOR, LEARNER, *others], ANCHOR)}


def played(scores: dict[str, list[float]], *, rated_matches: int = 1000) -> ResultHistory:
    history = ResultHistory(LEARNER, rated_matches=rated_matches)
    for opponent, own in scores.items():
        for score in own:
            history.record(opponent, score)
    return history


def test_many_matches_with_the_anchor_give_the_rating_of_their_score_and_its_error() -> None:
    wins, draws, losses = 600, 80, 320

    found = fitted(played({ANCHOR: [1.0] * wins + [0.5] * draws + [0.0] * losses}))

    rate = 0.64
    slope = np.log(10.0) / 400.0
    assert found[LEARNER].rating == pytest.approx(1000.0 + 400.0 * np.log10(rate / (1.0 - rate)), abs=1.0)
    assert found[LEARNER].margin == pytest.approx(1.96 / (slope * np.sqrt(1000 * rate * (1.0 - rate))), rel=0.01)
    assert found[LEARNER].matches == 1000
    assert found[ANCHOR] == RatingEstimate(name=ANCHOR, rating=1000.0, margin=0.0, matches=1000)


def test_few_matches_give_a_wide_interval_and_none_the_widest() -> None:
    found = fitted(played({ANCHOR: [1.0, 0.0] * 200, "seldom": [1.0, 0.0]}), "seldom", "never")

    assert found[LEARNER].margin < 40.0 < 300.0 < found["seldom"].margin < found["never"].margin
    assert found["never"] == RatingEstimate(name="never", rating=1000.0, margin=686.0, matches=0)


def test_who_wins_or_loses_every_match_has_a_rating() -> None:
    found = fitted(played({ANCHOR: [1.0] * 50, "strong": [0.0] * 50}), "strong")

    assert 1000.0 < found[LEARNER].rating < found["strong"].rating < 3000.0
    assert found[LEARNER].margin > 150.0


def test_a_rating_reaches_the_anchor_by_way_of_others() -> None:
    history = played({"middle": [0.5] * 400})
    history.add_snapshot("first")
    for _ in range(400):
        history.record("first", 1.0)
        history.record("first", 0.0)
        history.record(ANCHOR, 1.0)
        history.record(ANCHOR, 0.0)

    found = fitted(history, "middle", "first")

    for name in ("middle", "first", LEARNER):
        assert found[name].rating == pytest.approx(1000.0, abs=5.0)
    assert found[LEARNER].margin < found["first"].margin < found["middle"].margin < 80.0


def test_a_snapshot_has_the_results_of_the_learner_until_then_and_the_learner_begins_near_it() -> None:
    history = played({ANCHOR: [1.0] * 150 + [0.0] * 50})
    before = fitted(history)[LEARNER]

    history.add_snapshot("first")

    after = fitted(history, "first")
    assert (after["first"].rating, after["first"].margin) == (before.rating, before.margin)
    assert (after["first"].matches, after[LEARNER].matches) == (200, 0)
    assert after[LEARNER].rating == pytest.approx(before.rating, abs=0.01)
    assert after[LEARNER].margin == pytest.approx(np.hypot(before.margin, 196.0), abs=0.1)
    for _ in range(200):
        history.record(ANCHOR, 1.0)
    later = fitted(history, "first")
    assert later[LEARNER].rating > later["first"].rating + 150.0


def test_only_the_latest_matches_of_a_learner_without_snapshots_count() -> None:
    history = played({ANCHOR: [0.0] * 500 + [1.0, 0.0] * 50}, rated_matches=100)

    found = fitted(history)[LEARNER]

    assert (found.rating, found.matches) == (1000.0, 100)


def test_intervals_hold_the_true_ratings_as_often_as_they_say() -> None:
    true = {ANCHOR: 1000.0, "weak": 820.0, "strong": 1230.0, "first": 1050.0, LEARNER: 1120.0}
    inside = total = 0
    for seed in range(150):
        numbers = np.random.default_rng(seed)
        history = ResultHistory(LEARNER, rated_matches=1000)
        for own, opponents, matches in (("first", (ANCHOR, "weak", "strong"), 40), (LEARNER, ("first", "weak"), 25)):
            for opponent in opponents:
                for _ in range(matches):
                    history.record(opponent, float(numbers.random() < expected_score(true[own], true[opponent])))
            if own == "first":
                history.add_snapshot(own)
        for name, item in fitted(history, "weak", "strong", "first").items():
            if name != ANCHOR:
                inside += abs(item.rating - true[name]) <= item.margin
                total += 1

    assert 0.93 <= inside / total <= 0.98


def test_a_loaded_history_gives_the_same_ratings() -> None:
    history = played({ANCHOR: [1.0, 0.5], "other": [0.0]}, rated_matches=5)
    history.add_snapshot("first")
    for _ in range(7):
        history.record("first", 1.0)

    again = ResultHistory(LEARNER, rated_matches=5)
    again.load(history.state())

    for each in (history, again):
        each.record(ANCHOR, 0.0)
    assert again.state() == history.state()
    assert fitted(again, "other", "first") == fitted(history, "other", "first")
