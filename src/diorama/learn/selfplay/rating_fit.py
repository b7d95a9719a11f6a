"""Ratings with 95% intervals, fitted to the results of the learner and of its snapshots."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.matches import RatingEstimate
from diorama.contracts.values import F64
from diorama.learn.selfplay.match import ResultsState
from diorama.learn.selfplay.ratings import SCALE, START

_SLOPE: Final = log(10.0) / SCALE  # of the expected score's logit, per point
_NEW_PLAYER_SD: Final = 350.0  # points; what is believed of a player without matches, as in Glicko
_SNAPSHOT_SD: Final = 100.0  # points; how far a policy moves from one snapshot to the next
_MAX_STEP: Final = 200.0  # points; longer Newton steps may overshoot for players that have won every match
_TOLERANCE: Final = 1e-6
_MAX_ITERATIONS: Final = 200
_NORMAL_95: Final = 1.96
_DECIMALS: Final = 2  # far below any margin, and above what linear algebra rounds differently

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Pairings:
    """Pairs of players by their indices, how often they met, and the sums of the first ones' scores."""

    players: Indices
    opponents: Indices
    matches: F64
    scores: F64


class ResultHistory:
    """Results that ratings are fitted to.

    The learner changes while it learns, so its results do not describe one player. A snapshot is the learner as it was:
    what the learner has scored until then counts as the snapshot's, and the learner begins anew, close to its snapshot.
    Only the latest matches against each opponent are kept, which follows a learner that has no snapshots.
    """

    def __init__(self, learner: str, *, rated_matches: int) -> None:
        """Start without results.

        Args:
            learner: Name of the learner.
            rated_matches: How many of its latest matches against an opponent are kept.
        """
        self._learner = learner
        self._rated_matches = rated_matches
        self._scores: dict[str, deque[float]] = {}
        self._snapshots: dict[str, dict[str, tuple[int, float]]] = {}

    def record(self, opponent: str, score: float) -> None:
        """Count a score of the learner."""
        self._scores.setdefault(opponent, deque(maxlen=self._rated_matches)).append(score)

    def add_snapshot(self, name: str) -> None:
        """Let a snapshot have the learner's results so far."""
        self._snapshots[name] = {opponent: (len(own), sum(own)) for opponent, own in self._scores.items()}
        self._scores = {}

    def estimates(self, players: Sequence[str], anchor: str) -> list[RatingEstimate]:
        """Return ratings and intervals of players, strongest first.

        The ratings maximize the likelihood of the results (Bradley and Terry; a draw is half a win) together with
        what is known without them: new players are near the anchor, and a policy is near the snapshot before it. The
        intervals come from the curvature there.

        Args:
            players: All players, the anchor and the learner included.
            anchor: The player whose rating is fixed.
        """
        others = [name for name in players if name != anchor]
        index = {anchor: 0} | {name: position for position, name in enumerate(others, start=1)}
        pairings = self._pairings(index)
        ratings, margins = _fit(pairings, self._precision(index))
        met = np.concatenate([pairings.players, pairings.opponents])
        matches = np.bincount(met, np.tile(pairings.matches, 2), len(index))
        found = [
            RatingEstimate(
                name=name,
                rating=round(float(ratings[row]), _DECIMALS),
                margin=round(float(margins[row]), _DECIMALS),
                matches=int(matches[row]),
            )
            for name, row in index.items()
        ]
        return sorted(found, key=lambda estimate: (-estimate.rating, estimate.name))

    def state(self) -> ResultsState:
        """Return all results."""
        return ResultsState(
            learner={name: list(own) for name, own in self._scores.items()},
            snapshots={name: dict(own) for name, own in self._snapshots.items()},
        )

    def load(self, stored: ResultsState) -> None:
        """Continue from what `state` returned."""
        self._scores = {name: deque(own, maxlen=self._rated_matches) for name, own in stored.learner.items()}
        self._snapshots = {name: dict(own) for name, own in stored.snapshots.items()}

    def _pairings(self, index: Mapping[str, int]) -> _Pairings:
        learner = {opponent: (len(own), sum(own)) for opponent, own in self._scores.items()}
        rows = [
            (index[name], index[opponent], matches, score)
            for name, results in (*self._snapshots.items(), (self._learner, learner))
            for opponent, (matches, score) in results.items()
        ]
        table = np.array(rows, np.float64).reshape(-1, 4)
        return _Pairings(table[:, 0].astype(np.intp), table[:, 1].astype(np.intp), table[:, 2], table[:, 3])

    def _precision(self, index: Mapping[str, int]) -> F64:
        """Return the inverse covariance of what is known about the players without results."""
        precision: F64 = np.zeros((len(index), len(index)))
        chain = np.array([index[name] for name in (*self._snapshots, self._learner)], np.intp)
        is_new = np.ones(len(index), np.bool_)
        is_new[chain[1:]] = False
        precision[is_new, is_new] = _NEW_PLAYER_SD**-2
        _couple(precision, chain[:-1], chain[1:], np.full(len(chain) - 1, _SNAPSHOT_SD**-2))
        return precision


def _fit(pairings: _Pairings, precision: F64) -> tuple[F64, F64]:
    """Return ratings and margins; the player at index 0 is the anchor."""
    ratings: F64 = np.full(len(precision), START)
    for _ in range(_MAX_ITERATIONS):
        gradient, information = _derivatives(pairings, precision, ratings)
        step = np.linalg.solve(information[1:, 1:], gradient[1:])
        longest = float(np.abs(step).max(initial=0.0))
        ratings[1:] += step * min(1.0, _MAX_STEP / max(longest, _MAX_STEP))
        if longest < _TOLERANCE:
            break
    _, information = _derivatives(pairings, precision, ratings)
    margins: F64 = np.zeros(len(ratings))
    margins[1:] = _NORMAL_95 * np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    return ratings, margins


def _derivatives(pairings: _Pairings, precision: F64, ratings: F64) -> tuple[F64, F64]:
    """Return the gradient of the log posterior and the negative of its second derivative."""
    one, other = pairings.players, pairings.opponents
    expected = 1.0 / (1.0 + np.exp(_SLOPE * (ratings[other] - ratings[one])))
    pull = _SLOPE * (pairings.scores - pairings.matches * expected)
    gradient: F64 = -precision @ (ratings - START)
    np.add.at(gradient, one, pull)
    np.subtract.at(gradient, other, pull)
    information = precision.copy()
    _couple(information, one, other, _SLOPE**2 * pairings.matches * expected * (1.0 - expected))
    return gradient, information


def _couple(matrix: F64, one: Indices, other: Indices, weights: F64) -> None:
    """Add the second derivative of half of every weight times the squared difference of its two players."""
    np.add.at(matrix, (one, one), weights)
    np.add.at(matrix, (other, other), weights)
    np.subtract.at(matrix, (one, other), weights)
    np.subtract.at(matrix, (other, one), weights)
