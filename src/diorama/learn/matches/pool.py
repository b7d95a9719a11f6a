"""`Pool`: scripts and frozen past policies, and how often each of them is met."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

_UNKNOWN_RATE: Final = 0.5
_LEAST_WEIGHT: Final = 0.05


class Pool:
    """Opponents with the latest results of the learner against them; whoever is hard to beat is met more often."""

    def __init__(self, scripts: Sequence[str], *, rated_matches: int) -> None:
        """Begin with the scripts."""
        self._rated_matches = rated_matches
        self.scripts = tuple(scripts)
        self.snapshots: list[str] = []
        self._scores: dict[str, deque[float]] = {name: self._history() for name in scripts}

    @property
    def names(self) -> list[str]:
        """Everybody who can be met."""
        return [*self.scripts, *self.snapshots]

    def add(self, snapshot: str) -> None:
        """Take in a snapshot."""
        self.snapshots.append(snapshot)
        self._scores[snapshot] = self._history()

    def retire_easiest(self) -> str:
        """Let go of the snapshot that is beaten most often, the oldest among equals."""
        easiest = max(self.snapshots, key=self.win_rate)
        self.snapshots.remove(easiest)
        del self._scores[easiest]
        return easiest

    def note(self, opponent: str, score: float) -> None:
        """Count a result of the learner; one against somebody who has retired meanwhile is left out."""
        if opponent in self._scores:
            self._scores[opponent].append(score)

    def matches(self, opponent: str) -> int:
        """Return how many results the rate stands on."""
        return len(self._scores[opponent])

    def win_rate(self, opponent: str) -> float:
        """Return the learner's mean result of late; one half before the first."""
        scores = self._scores[opponent]
        return sum(scores) / len(scores) if scores else _UNKNOWN_RATE

    def weights(self) -> list[float]:
        """Return how likely each of `names` is met, in proportion."""
        return [(1.0 - self.win_rate(name)) ** 2 + _LEAST_WEIGHT for name in self.names]

    def pick(self, fraction: float) -> str:
        """Return whom a draw from [0, 1) means."""
        names, weights = self.names, self.weights()
        left = fraction * sum(weights)
        for name, weight in zip(names, weights, strict=True):
            left -= weight
            if left < 0.0:
                return name
        return names[-1]

    def state(self) -> dict[str, list[float]]:
        """Return the results by name, in order of entry."""
        return {name: list(self._scores[name]) for name in self.names}

    def load(self, stored: Mapping[str, Sequence[float]]) -> None:
        """Continue from what `state` returned."""
        self.snapshots = [name for name in stored if name not in self.scripts]
        self._scores = {name: self._history(scores) for name, scores in stored.items()}

    def _history(self, scores: Sequence[float] = ()) -> deque[float]:
        return deque(scores, maxlen=self._rated_matches)
