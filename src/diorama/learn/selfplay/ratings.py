"""Elo ratings, and counts of match results for telemetry."""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.matches import MatchRules
from diorama.contracts.values import JsonObject
from diorama.learn.selfplay.match import NO_STAGE, MatchResult, StepStats, TallyState, outcome_label

K: Final = 16.0
START: Final = 1000.0
SCALE: Final = 400.0


def expected_score(own: float, other: float) -> float:
    """Return the expected score of a player against another, from their ratings."""
    return 1.0 / (1.0 + float(10.0 ** ((other - own) / SCALE)))


class Ratings:
    """Elo ratings by name; a draw counts half, and the anchor's rating is fixed."""

    def __init__(self, anchor: str) -> None:
        """Start with the anchor alone."""
        self.anchor = anchor
        self._ratings: dict[str, float] = {anchor: START}

    def add(self, name: str, rating: float = START) -> None:
        """Give a new player a rating; a player that has one keeps it."""
        self._ratings.setdefault(name, rating)

    def rating(self, name: str) -> float:
        """Return the rating of a player."""
        return self._ratings[name]

    def update(self, own: str, other: str, score: float) -> None:
        """Update both ratings by a score of the first player."""
        change = K * (score - expected_score(self._ratings[own], self._ratings[other]))
        for name, step in ((own, change), (other, -change)):
            if name != self.anchor:
                self._ratings[name] += step

    def ranking(self) -> list[tuple[str, float]]:
        """Return all players and their ratings, strongest first."""
        return sorted(self._ratings.items(), key=lambda entry: (-entry[1], entry[0]))

    def state(self) -> dict[str, float]:
        """Return all ratings as JSON values."""
        return dict(self._ratings)

    def load(self, stored: Mapping[str, float]) -> None:
        """Continue from what `state` returned."""
        self._ratings = dict(stored)


Counts = dict[str, dict[str, int]]


class MatchTally:
    """Counts match results and step statistics of one telemetry window."""

    def __init__(self, rules: MatchRules[WorldConfig]) -> None:
        """Start with empty counts."""
        self._rules = rules
        self._by_opponent: Counts = {}
        self._by_stage: Counts = {}
        self._reset()

    def record_result(self, result: MatchResult) -> None:
        """Count a finished match."""
        label, match = outcome_label(result.score), result.match
        _count(self._by_opponent, match.opponent, label)
        if match.stage != NO_STAGE:
            _count(self._by_stage, str(match.stage + 1), label)

    def record_step(self, stats: StepStats) -> None:
        """Add the statistics of a vector step."""
        self._decisions += stats.decisions
        self._ended += stats.ended
        _add(self._parts, stats.parts.tolist())
        _add(self._states, stats.states.tolist())

    def flush(self) -> JsonObject:
        """Return results by opponent and stage, mean parts of a return and time shares, and reset the counts."""
        fields: JsonObject = {
            "results_by_opponent": _copied(self._by_opponent),
            "results_by_stage": _copied(self._by_stage),
            "return_parts": dict(zip(self._rules.reward_parts, _means(self._parts, self._ended), strict=True)),
            "time_shares": self._time_shares(),
        }
        self._reset()
        return fields

    def state(self) -> TallyState:
        """Return all counts."""
        return TallyState(
            results_by_opponent=_copied(self._by_opponent),
            results_by_stage=_copied(self._by_stage),
            decisions=self._decisions,
            ended=self._ended,
            parts=list(self._parts),
            states=list(self._states),
        )

    def load(self, stored: TallyState) -> None:
        """Continue from what `state` returned."""
        self._by_opponent, self._by_stage = _copied(stored.results_by_opponent), _copied(stored.results_by_stage)
        self._decisions, self._ended = stored.decisions, stored.ended
        self._parts, self._states = list(stored.parts), list(stored.states)

    def _reset(self) -> None:
        self._by_opponent, self._by_stage = {}, {}
        self._decisions = self._ended = 0
        self._parts = [0.0] * len(self._rules.reward_parts)
        self._states = [0.0] * sum(len(mode.states) for mode in self._rules.modes)

    def _time_shares(self) -> Mapping[str, Mapping[str, float | None]]:
        shares = iter(_means(self._states, self._decisions))
        return {mode.name: {state: next(shares) for state in mode.states} for mode in self._rules.modes}


def _add(sums: list[float], more: Sequence[float]) -> None:
    for index, value in enumerate(more):
        sums[index] += value


def _means(sums: Sequence[float], count: int) -> list[float | None]:
    return [total / count if count else None for total in sums]


def _count(counts: Counts, name: str, label: str) -> None:
    own = counts.setdefault(name, {"win": 0, "draw": 0, "loss": 0})
    own[label] += 1


def _copied(counts: Counts) -> Counts:
    return {name: dict(own) for name, own in sorted(counts.items())}
