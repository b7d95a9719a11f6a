"""Matchmaking: the pool of opponents, and the matchmaker that draws matches from it."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.matches import MatchRules, RatingEstimate
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.selfplay.curriculum import Curriculum, StageChange
from diorama.learn.selfplay.match import (
    ANY_SIDE,
    LATEST,
    NO_SIDE_OVERRIDE,
    NO_STAGE,
    STAGE_OPPONENT,
    Match,
    MatchmakerState,
    MatchResult,
    StepStats,
)
from diorama.learn.selfplay.rating_fit import ResultHistory
from diorama.learn.selfplay.ratings import MatchTally, Ratings
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.learn.streams import MATCHES
from diorama.rng import draw, u01

_UNKNOWN_RATE: Final = 0.5
_MIN_WEIGHT: Final = 0.05


class OpponentPool:
    """Scripts and snapshots with the learner's latest scores against them (prioritized fictitious self-play).

    An opponent that the learner rarely beats is drawn more often.
    """

    def __init__(self, scripts: Sequence[str], *, rated_matches: int) -> None:
        """Start with the scripts alone."""
        self._rated_matches = rated_matches
        self.scripts = tuple(scripts)
        self.snapshots: list[str] = []
        self._scores: dict[str, deque[float]] = {name: self._history() for name in scripts}

    @property
    def names(self) -> list[str]:
        """All opponents: scripts, then snapshots in order of entry."""
        return [*self.scripts, *self.snapshots]

    def add(self, snapshot: str) -> None:
        """Add a snapshot of the policy."""
        self.snapshots.append(snapshot)
        self._scores[snapshot] = self._history()

    def retire_easiest(self) -> str:
        """Remove and return the snapshot with the highest win rate of the learner, the oldest among equals."""
        easiest = max(self.snapshots, key=self.win_rate)
        self.snapshots.remove(easiest)
        del self._scores[easiest]
        return easiest

    def record_result(self, opponent: str, score: float) -> None:
        """Count a score of the learner; scores against retired snapshots are ignored."""
        if opponent in self._scores:
            self._scores[opponent].append(score)

    def matches(self, opponent: str) -> int:
        """Return the number of scores behind `win_rate`."""
        return len(self._scores[opponent])

    def win_rate(self, opponent: str) -> float:
        """Return the mean of the learner's latest scores; one half before the first match."""
        scores = self._scores[opponent]
        return sum(scores) / len(scores) if scores else _UNKNOWN_RATE

    def weights(self) -> list[float]:
        """Return the unnormalized sampling weight of each of `names`."""
        return [(1.0 - self.win_rate(name)) ** 2 + _MIN_WEIGHT for name in self.names]

    def sample(self, fraction: float) -> str:
        """Return the opponent for a uniform draw from [0, 1)."""
        names, weights = self.names, self.weights()
        left = fraction * sum(weights)
        for name, weight in zip(names, weights, strict=True):
            left -= weight
            if left < 0.0:
                return name
        return names[-1]

    def state(self) -> dict[str, list[float]]:
        """Return the scores by name, in order of entry."""
        return {name: list(self._scores[name]) for name in self.names}

    def load(self, stored: Mapping[str, Sequence[float]]) -> None:
        """Continue from what `state` returned."""
        self.snapshots = [name for name in stored if name not in self.scripts]
        self._scores = {name: self._history(scores) for name, scores in stored.items()}

    def _history(self, scores: Sequence[float] = ()) -> deque[float]:
        return deque(scores, maxlen=self._rated_matches)


LEARNER: Final = "learner"


class Matchmaker:
    """Draws matches from the pool and the curriculum, which change only between rollouts.

    Each draw is keyed by a copy and the number of its match, so it depends neither on threads nor on a resume.
    Results are counted between rollouts in the order of their steps, whichever shard they come from.

    Attributes:
        rules: Match rules of the world.
        pool: Opponents; None where the configuration names the opponent.
        curriculum: None without one.
        side_overrides: Overrides of the configuration, one for each side the learner can play against a script.
        ratings: Ratings of the learner and of all opponents that were in the pool.
        history: Results that ratings with intervals are fitted to; None without a pool.
        steps: Vector steps whose results have been counted.
    """

    def __init__(
        self,
        rules: MatchRules[WorldConfig],
        *,
        seed: int,
        self_play: SelfPlaySettings | None,
        curriculum: Curriculum | None,
        side_overrides: Sequence[Mapping[str, object]] = (),
    ) -> None:
        """Start with the scripts of the settings and the curriculum's first stage."""
        self.rules = rules
        self.side_overrides = tuple(side_overrides)
        self.curriculum = curriculum
        self.ratings = Ratings(rules.anchor)
        self.ratings.add(LEARNER)
        self.pool: OpponentPool | None = None
        self.history: ResultHistory | None = None
        self._self_share = 0.0
        if self_play is not None:
            scripts = rules.scripts if self_play.scripts is None else self_play.scripts
            self.pool = OpponentPool(scripts, rated_matches=self_play.rated_matches)
            self.history = ResultHistory(LEARNER, rated_matches=self_play.rated_matches)
            self._self_share = self_play.self_share if self_play.pool_every is not None else 0.0
            for name in scripts:
                self.ratings.add(name)
        self.steps = 0
        self.tally = MatchTally(rules)
        self._seed = seed

    def draw_match(self, copy: int, number: int) -> Match:
        """Return match `number` of a copy."""
        stage, lesson = NO_STAGE, 0
        if self.curriculum is not None:
            stage, lesson = self.curriculum.draw(self._fraction(copy, number, 0), self._fraction(copy, number, 1))
        opponent = self._opponent(copy, number, stage)
        side, side_override, fraction = ANY_SIDE, NO_SIDE_OVERRIDE, self._fraction(copy, number, 4)
        if self.needs_seats(opponent):
            side = int(2.0 * fraction)
        elif self.side_overrides:
            side_override = int(len(self.side_overrides) * fraction)
        return Match(
            number=number, stage=stage, lesson=lesson, opponent=opponent, side=side, side_override=side_override
        )

    def needs_seats(self, opponent: str) -> bool:
        """Whether the opponent is a policy or a bot, which decide for seats, and no script of the world."""
        return opponent != STAGE_OPPONENT and opponent not in self.rules.scripts

    def overrides(self, match: Match) -> Mapping[str, object]:
        """Return the overrides of the run's configuration for a match."""
        lesson = {} if self.curriculum is None else dict(self.curriculum.stages[match.stage].lessons[match.lesson])
        if match.side_override != NO_SIDE_OVERRIDE:
            lesson.update(self.side_overrides[match.side_override])
        if match.opponent == STAGE_OPPONENT:
            return lesson
        if self.needs_seats(match.opponent):
            return {**lesson, **self.rules.mirrored}
        return {**lesson, **self.rules.against(match.opponent)}

    def record_results(self, results: Sequence[MatchResult], stats: Sequence[StepStats] = ()) -> list[StageChange]:
        """Count the results and statistics of one vector step, in the order of the copies.

        Returns:
            The stage changes that they cause.
        """
        self.steps += 1
        changes = []
        for item in stats:
            self.tally.record_step(item)
        for result in results:
            opponent = result.match.opponent
            self.tally.record_result(result)
            if self.pool is not None and self.history is not None and opponent in self.pool.names:
                self.pool.record_result(opponent, result.score)
                self.history.record(opponent, result.score)
                self.ratings.update(LEARNER, opponent, result.score)
            if self.curriculum is not None:
                change = self.curriculum.record_result(result)
                if change is not None:
                    changes.append(change)
        return changes

    def add_snapshot(self, snapshot: str) -> None:
        """Add a frozen policy to the pool with the learner's current rating."""
        assert self.pool is not None, "snapshots need a pool"
        assert self.history is not None, "a pool has one"
        self.pool.add(snapshot)
        self.history.add_snapshot(snapshot)
        self.ratings.add(snapshot, self.ratings.rating(LEARNER))

    def estimates(self) -> list[RatingEstimate]:
        """Return ratings with intervals of all players, strongest first; none without a pool."""
        if self.history is None:
            return []
        players = [name for name, _ in self.ratings.ranking()]
        return self.history.estimates(players, self.ratings.anchor)

    def window_fields(self) -> JsonObject:
        """Return the match fields of the telemetry window that closes."""
        fields: dict[str, JsonValue] = dict(self.tally.flush())
        if self.pool is not None:
            fields["elo"] = self.ratings.rating(LEARNER)
        if self.curriculum is not None:
            fields["curriculum_stage"] = self.curriculum.stage_index + 1
        return fields

    def state(self) -> MatchmakerState:
        """Return everything that later matches depend on."""
        return MatchmakerState(
            steps=self.steps,
            ratings=self.ratings.state(),
            pool=None if self.pool is None else self.pool.state(),
            curriculum=None if self.curriculum is None else self.curriculum.state(),
            tally=self.tally.state(),
            results=None if self.history is None else self.history.state(),
        )

    def load(self, stored: MatchmakerState) -> None:
        """Continue from what `state` returned.

        Raises:
            DocumentError: It comes from a run with other sections of settings.
        """
        if (stored.pool is None) != (self.pool is None) or (stored.curriculum is None) != (self.curriculum is None):
            raise DocumentError(
                "the stored matches belong to a run with another combination of self_play and curriculum; "
                "resume with the same sections",
                code="match_state_of_other_run",
                stored_pool=stored.pool is not None,
                stored_curriculum=stored.curriculum is not None,
            )
        self.steps = stored.steps
        self.ratings.load(stored.ratings)
        self.tally.load(stored.tally)
        if self.pool is not None and stored.pool is not None:
            self.pool.load(stored.pool)
        if self.history is not None and stored.results is not None:
            self.history.load(stored.results)
        if self.curriculum is not None and stored.curriculum is not None:
            self.curriculum.load(stored.curriculum)

    def _opponent(self, copy: int, number: int, stage: int) -> str:
        if self.pool is None or (self.curriculum is not None and not self.curriculum.stages[stage].meets_pool):
            return STAGE_OPPONENT
        if self._fraction(copy, number, 2) < self._self_share:
            return LATEST
        return self.pool.sample(self._fraction(copy, number, 3))

    def _fraction(self, copy: int, number: int, k: int) -> float:
        return u01(draw(self._seed, MATCHES, number, copy, 0, k))
