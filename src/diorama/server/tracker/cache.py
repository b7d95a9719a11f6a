"""`AnswerCache`: answers of the tracker, kept for a while."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Final, Generic, TypeVar

MAX_ENTRIES: Final = 256

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    value: T
    until_seconds: float


@dataclass(slots=True)
class CacheCounts:
    """How the cache has served."""

    hits: int = 0
    misses: int = 0
    expired: int = 0
    sets: int = 0

    @property
    def lookups(self) -> int:
        """How often it was asked."""
        return self.hits + self.misses

    @property
    def hit_rate(self) -> float | None:
        """Hits per lookup; None before the first."""
        return self.hits / self.lookups if self.lookups else None


class AnswerCache(Generic[T]):
    """Keeps the newest answers, at most `MAX_ENTRIES`, each for a time. May be used by several threads.

    Attributes:
        ttl_seconds: How long an answer is kept; at 0 and below nothing is, and nothing is counted.
        counts: How it has served.
    """

    def __init__(self, ttl_seconds: float, seconds: Callable[[], float]) -> None:
        """Begin empty; `seconds` is a clock that never goes back."""
        self.ttl_seconds = ttl_seconds
        self.counts = CacheCounts()
        self._seconds = seconds
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, _Kept[T]] = OrderedDict()

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._kept)

    @property
    def is_on(self) -> bool:
        """Whether anything is kept at all."""
        return self.ttl_seconds > 0

    def get(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return the kept answer, or ask and keep it; an error is not kept."""
        if not self.is_on:
            return ask()
        with self._lock:
            kept = self._look_up(key)
        if kept is not None:
            return kept.value
        value = ask()
        with self._lock:
            self._kept[key] = _Kept(value, self._seconds() + self.ttl_seconds)
            self._kept.move_to_end(key)
            self.counts.sets += 1
            while len(self._kept) > MAX_ENTRIES:
                self._kept.popitem(last=False)
        return value

    def _look_up(self, key: Hashable) -> _Kept[T] | None:
        kept = self._kept.get(key)
        if kept is not None and kept.until_seconds <= self._seconds():
            del self._kept[key]
            self.counts.expired += 1
            kept = None
        if kept is None:
            self.counts.misses += 1
            return None
        self.counts.hits += 1
        self._kept.move_to_end(key)
        return kept
