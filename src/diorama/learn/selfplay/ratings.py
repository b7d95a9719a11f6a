"""Elo ratings, tallies of results, and the ladder of a curriculum."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage, MatchRules
from diorama.contracts.values import JsonObject
from diorama.learn.selfplay.match import NO_STAGE, LadderState, MatchResult, Observed, TallyState, outcome_word
from diorama.learn.settings.selfplay import CurriculumSettings

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


class Move(StrEnum):
    """Which way the learner went."""

    PROMOTED = "promoted"
    DEMOTED = "demoted"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChange:
    """The learner left a stage: places of both in the curriculum, and the win rate over how many episodes."""

    move: Move
    left: int
    entered: int
    rate: float
    episodes: int


class Ladder:
    """Promotes and demotes by the results in the stage that is being learned.

    Attributes:
        stages: Of the world.
        place: Of the stage that is being learned.
    """

    def __init__(self, stages: Sequence[CurriculumStage], settings: CurriculumSettings) -> None:
        """Begin with the first stage of the settings.

        Raises:
            ConfigError: The world has no such stages.
        """
        last = len(stages) if settings.last is None else settings.last
        if not stages:
            raise ConfigError("curriculum: the world has no stages; leave the section out")
        if not settings.first <= last <= len(stages):
            raise ConfigError(f"curriculum: stages {settings.first}..{last} do not exist; use 1..{len(stages)}")
        self.stages = stages
        self.place = settings.first - 1
        self._first, self._last = settings.first - 1, last - 1
        self._settings = settings
        self._scores: deque[float] = deque(maxlen=max(settings.promotion_episodes, settings.demotion_episodes))

    @property
    def stage(self) -> CurriculumStage:
        """The stage that is being learned."""
        return self.stages[self.place]

    @property
    def lesson(self) -> int:
        """The lesson of that stage that suits the results so far."""
        return self.stage.lesson(self._rate(self._settings.promotion_episodes)) if self._scores else 0

    def draw(self, chance: float, choice: float) -> tuple[int, int]:
        """Return stage and lesson of an episode: those being learned, or an earlier stage's last lesson."""
        earlier = self.place - self._first
        if earlier == 0 or chance >= self._settings.earlier_stages:
            return self.place, self.lesson
        place = self._first + int(choice * earlier)
        return place, len(self.stages[place].lessons) - 1

    def note(self, stage: int, score: float) -> StageChange | None:
        """Count a result; only those of the stage being learned move the learner."""
        if stage != self.place:
            return None
        self._scores.append(score)
        settings, promote_at = self._settings, self.stage.promote_at
        if (
            promote_at is not None
            and self.place < self._last
            and len(self._scores) >= settings.promotion_episodes
            and self._rate(settings.promotion_episodes) >= promote_at
        ):
            return self._enter(self.place + 1, Move.PROMOTED, settings.promotion_episodes)
        if (
            self.place > self._first
            and len(self._scores) >= settings.demotion_episodes
            and self._rate(settings.demotion_episodes) < settings.demotion_rate
        ):
            return self._enter(self.place - 1, Move.DEMOTED, settings.demotion_episodes)
        return None

    def state(self) -> LadderState:
        """Return the stage and its results."""
        return LadderState(place=self.place, scores=list(self._scores))

    def load(self, stored: LadderState) -> None:
        """Continue from what `state` returned."""
        self.place = stored.place
        self._scores.clear()
        self._scores.extend(stored.scores)

    def _rate(self, episodes: int) -> float:
        latest = list(self._scores)[-episodes:]
        return sum(latest) / len(latest)

    def _enter(self, place: int, move: Move, episodes: int) -> StageChange:
        change = StageChange(move=move, left=self.place, entered=place, rate=self._rate(episodes), episodes=episodes)
        self.place = place
        self._scores.clear()
        return change
