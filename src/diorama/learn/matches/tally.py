"""`MatchTally`: what the open window tells about matches: results, parts of rewards, how time was spent."""

from collections.abc import Mapping, Sequence

from diorama.contracts.config import WorldConfig
from diorama.contracts.matches import MatchRules
from diorama.contracts.values import JsonObject
from diorama.learn.matches.match import NO_STAGE, MatchResult, outcome_word
from diorama.learn.matches.observing import Observed
from diorama.learn.matches.state import TallyState

Counts = dict[str, dict[str, int]]


class MatchTally:
    """Counts until it is taken."""

    def __init__(self, rules: MatchRules[WorldConfig]) -> None:
        """Begin with nothing."""
        self._rules = rules
        self._by_opponent: Counts = {}
        self._by_stage: Counts = {}
        self._begin()

    def note(self, result: MatchResult) -> None:
        """Count a match."""
        word, match = outcome_word(result.score), result.match
        _count(self._by_opponent, match.opponent, word)
        if match.stage != NO_STAGE:
            _count(self._by_stage, str(match.stage + 1), word)

    def observe(self, seen: Observed) -> None:
        """Add a vector step of some copies."""
        self._decisions += seen.decisions
        self._ended += seen.ended
        _add(self._parts, seen.parts.tolist())
        _add(self._states, seen.states.tolist())

    def take(self) -> JsonObject:
        """Return results by opponent and by stage, mean parts of a return, shares of time, and begin again."""
        fields: JsonObject = {
            "results_by_opponent": _copied(self._by_opponent),
            "results_by_stage": _copied(self._by_stage),
            "return_parts": dict(zip(self._rules.reward_parts, _shares(self._parts, self._ended), strict=True)),
            "time_shares": self._time_shares(),
        }
        self._begin()
        return fields

    def state(self) -> TallyState:
        """Return everything counted."""
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

    def _begin(self) -> None:
        self._by_opponent, self._by_stage = {}, {}
        self._decisions = self._ended = 0
        self._parts = [0.0] * len(self._rules.reward_parts)
        self._states = [0.0] * sum(len(mode.states) for mode in self._rules.modes)

    def _time_shares(self) -> Mapping[str, Mapping[str, float | None]]:
        shares = iter(_shares(self._states, self._decisions))
        return {mode.name: {state: next(shares) for state in mode.states} for mode in self._rules.modes}


def _add(sums: list[float], more: Sequence[float]) -> None:
    for place, value in enumerate(more):
        sums[place] += value


def _shares(sums: Sequence[float], count: int) -> list[float | None]:
    return [total / count if count else None for total in sums]


def _count(counts: Counts, name: str, word: str) -> None:
    own = counts.setdefault(name, {"win": 0, "draw": 0, "loss": 0})
    own[word] += 1


def _copied(counts: Counts) -> Counts:
    return {name: dict(own) for name, own in sorted(counts.items())}
