"""Elo ratings with one fixed anchor."""

from collections.abc import Mapping
from typing import Final

K: Final = 16.0
START: Final = 1000.0
_SCALE: Final = 400.0


def expected_score(own: float, other: float) -> float:
    """Return the mean result two ratings let one expect."""
    return 1.0 / (1.0 + float(10.0 ** ((other - own) / _SCALE)))


class Ratings:
    """Everybody's rating; a draw counts half, and the anchor never moves."""

    def __init__(self, anchor: str) -> None:
        """Begin with the anchor alone."""
        self.anchor = anchor
        self._ratings: dict[str, float] = {anchor: START}

    def enter(self, name: str, rating: float = START) -> None:
        """Rate a newcomer."""
        self._ratings.setdefault(name, rating)

    def of(self, name: str) -> float:
        """Return a rating."""
        return self._ratings[name]

    def played(self, own: str, other: str, score: float) -> None:
        """Move both by a result of the first."""
        change = K * (score - expected_score(self._ratings[own], self._ratings[other]))
        for name, step in ((own, change), (other, -change)):
            if name != self.anchor:
                self._ratings[name] += step

    def table(self) -> list[tuple[str, float]]:
        """Return everybody, strongest first."""
        return sorted(self._ratings.items(), key=lambda entry: (-entry[1], entry[0]))

    def state(self) -> dict[str, float]:
        """Return everything as JSON values."""
        return dict(self._ratings)

    def load(self, stored: Mapping[str, float]) -> None:
        """Continue from what `state` returned."""
        self._ratings = dict(stored)
