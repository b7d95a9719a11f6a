"""`MatchTally`: results of the open window, by opponent and by stage."""

from diorama.contracts.values import JsonObject
from diorama.learn.matches.match import NO_STAGE, MatchResult, outcome_word
from diorama.learn.matches.state import TallyState

Counts = dict[str, dict[str, int]]


class MatchTally:
    """Counts wins, draws and losses until they are taken."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._by_opponent: Counts = {}
        self._by_stage: Counts = {}

    def note(self, result: MatchResult) -> None:
        """Count a match."""
        word, match = outcome_word(result.score), result.match
        _count(self._by_opponent, match.opponent, word)
        if match.stage != NO_STAGE:
            _count(self._by_stage, str(match.stage + 1), word)

    def take(self) -> JsonObject:
        """Return the counts by opponent and by stage, and begin again."""
        taken = self.state()
        self._by_opponent, self._by_stage = {}, {}
        return {"results_by_opponent": taken.results_by_opponent, "results_by_stage": taken.results_by_stage}

    def state(self) -> TallyState:
        """Return the counts."""
        return TallyState(results_by_opponent=_copied(self._by_opponent), results_by_stage=_copied(self._by_stage))

    def load(self, stored: TallyState) -> None:
        """Continue from what `state` returned."""
        self._by_opponent = _copied(stored.results_by_opponent)
        self._by_stage = _copied(stored.results_by_stage)


def _count(counts: Counts, name: str, word: str) -> None:
    own = counts.setdefault(name, {"win": 0, "draw": 0, "loss": 0})
    own[word] += 1


def _copied(counts: Counts) -> Counts:
    return {name: dict(own) for name, own in sorted(counts.items())}
