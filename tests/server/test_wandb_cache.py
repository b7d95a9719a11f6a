"""Answers of the tracker are kept for a while."""

import pytest

from diorama.server.tracker.cache import MAX_ENTRIES, AnswerCache
from tests.server.play_factories import ManualClock


def test_an_answer_is_kept_until_it_is_too_old() -> None:
    clock = ManualClock()
    cache: AnswerCache[int] = AnswerCache(30.0, clock.seconds)
    answers = iter(range(10))

    first = [cache.get("a", lambda: next(answers)), cache.get("a", lambda: next(answers))]
    clock.at_seconds += 30.0
    second = cache.get("a", lambda: next(answers))

    assert (first, second) == ([0, 0], 1)
    counts = cache.counts
    assert (counts.hits, counts.misses, counts.expired, counts.sets) == (1, 2, 1, 2)
    assert counts.hit_rate == pytest.approx(1 / 3)


def test_errors_are_not_kept() -> None:
    cache: AnswerCache[int] = AnswerCache(30.0, ManualClock().seconds)

    def fail() -> int:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        cache.get("a", fail)

    assert cache.get("a", lambda: 5) == 5
    assert (cache.counts.misses, cache.counts.sets) == (2, 1)


def test_the_answer_that_was_not_asked_for_longest_makes_room() -> None:
    cache: AnswerCache[int] = AnswerCache(30.0, ManualClock().seconds)
    for key in range(MAX_ENTRIES):
        cache.get(key, lambda key=key: key)  # type: ignore[misc]
    cache.get(0, lambda: -1)

    cache.get("new", lambda: 7)

    assert len(cache) == MAX_ENTRIES
    assert cache.get(0, lambda: -1) == 0
    assert cache.get(1, lambda: -1) == -1


def test_nothing_is_kept_where_the_cache_is_off() -> None:
    cache: AnswerCache[int] = AnswerCache(-1.0, ManualClock().seconds)
    answers = iter(range(10))

    assert [cache.get("a", lambda: next(answers)) for _ in range(3)] == [0, 1, 2]
    assert (len(cache), cache.counts.lookups, cache.counts.hit_rate) == (0, 0, None)
