"""Who plays whom: the pool of past policies and the matchmaker."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.matches import MatchRules
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.selfplay.match import (
    ANY_SIDE,
    ANY_STATION,
    LATEST,
    NO_STAGE,
    STAGE_OPPONENT,
    Match,
    MatchmakerState,
    MatchResult,
    Observed,
)
from diorama.learn.selfplay.ratings import Ladder, MatchTally, Ratings, StageChange
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.learn.streams import MATCHES
from diorama.rng import draw, u01

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


LEARNER: Final = "learner"


class Matchmaker:
    """Chooses matches from the pool and the curriculum as they stood when the rollout began.

    Every draw belongs to a copy and the number of its match, so neither threads nor a resume can shift any. Results
    are counted between rollouts and in the order of time, whatever lanes they come from.

    Attributes:
        rules: How the world is fought.
        pool: Opponents; None where the configuration says whom to meet.
        ladder: Stages; None without a curriculum.
        stations: Overrides for each side the learner may have in a battle that is always the same.
        ratings: Of the learner and everybody in the pool.
        steps: Vector steps whose results have been counted.
    """

    def __init__(
        self,
        rules: MatchRules[WorldConfig],
        *,
        seed: int,
        self_play: SelfPlaySettings | None,
        ladder: Ladder | None,
        stations: Sequence[Mapping[str, object]] = (),
    ) -> None:
        """Begin with the scripts of the settings and the first stage."""
        self.rules = rules
        self.stations = tuple(stations)
        self.ladder = ladder
        self.ratings = Ratings(rules.anchor)
        self.ratings.enter(LEARNER)
        self.pool: Pool | None = None
        self._self_share = 0.0
        if self_play is not None:
            scripts = rules.scripts if self_play.scripts is None else self_play.scripts
            self.pool = Pool(scripts, rated_matches=self_play.rated_matches)
            self._self_share = self_play.self_share if self_play.pool_every is not None else 0.0
            for name in scripts:
                self.ratings.enter(name)
        self.steps = 0
        self.tally = MatchTally(rules)
        self._seed = seed

    def choose(self, copy: int, number: int) -> Match:
        """Return match `number` of a copy."""
        stage, lesson = NO_STAGE, 0
        if self.ladder is not None:
            stage, lesson = self.ladder.draw(self._fraction(copy, number, 0), self._fraction(copy, number, 1))
        opponent = self._opponent(copy, number, stage)
        side, station, fraction = ANY_SIDE, ANY_STATION, self._fraction(copy, number, 4)
        if self.is_mirrored(opponent):
            side = int(2.0 * fraction)
        elif self.stations:
            station = int(len(self.stations) * fraction)
        return Match(number=number, stage=stage, lesson=lesson, opponent=opponent, side=side, station=station)

    def is_mirrored(self, opponent: str) -> bool:
        """Whether the opponent is a policy that needs seats of its own."""
        return opponent != STAGE_OPPONENT and opponent not in self.rules.scripts

    def overrides(self, match: Match) -> Mapping[str, object]:
        """Return what the configuration of a match changes in that of the run."""
        lesson = {} if self.ladder is None else dict(self.ladder.stages[match.stage].lessons[match.lesson])
        if match.station != ANY_STATION:
            lesson.update(self.stations[match.station])
        if match.opponent == STAGE_OPPONENT:
            return lesson
        if self.is_mirrored(match.opponent):
            return {**lesson, **self.rules.mirrored}
        return {**lesson, **self.rules.against(match.opponent)}

    def hear(self, results: Sequence[MatchResult], observed: Sequence[Observed] = ()) -> list[StageChange]:
        """Count the results of one vector step and what was seen of it, in the order of the copies."""
        self.steps += 1
        changes = []
        for seen in observed:
            self.tally.observe(seen)
        for result in results:
            opponent = result.match.opponent
            self.tally.note(result)
            if self.pool is not None and opponent in self.pool.names:
                self.pool.note(opponent, result.score)
                self.ratings.played(LEARNER, opponent, result.score)
            if self.ladder is not None:
                change = self.ladder.note(result.match.stage, result.score)
                if change is not None:
                    changes.append(change)
        return changes

    def promote(self, snapshot: str) -> None:
        """Take a frozen policy into the pool, rated like the learner it was taken from."""
        assert self.pool is not None, "without a pool nobody is promoted"
        self.pool.add(snapshot)
        self.ratings.enter(snapshot, self.ratings.of(LEARNER))

    def window_fields(self) -> JsonObject:
        """Return what the window that is closing says about matches."""
        fields: dict[str, JsonValue] = dict(self.tally.take())
        if self.pool is not None:
            fields["elo"] = self.ratings.of(LEARNER)
        if self.ladder is not None:
            fields["curriculum_stage"] = self.ladder.place + 1
        return fields

    def state(self) -> MatchmakerState:
        """Return everything that later matches depend on."""
        return MatchmakerState(
            steps=self.steps,
            ratings=self.ratings.state(),
            pool=None if self.pool is None else self.pool.state(),
            ladder=None if self.ladder is None else self.ladder.state(),
            tally=self.tally.state(),
        )

    def load(self, stored: MatchmakerState) -> None:
        """Continue from what `state` returned.

        Raises:
            DocumentError: It was written by another kind of run.
        """
        if (stored.pool is None) != (self.pool is None) or (stored.ladder is None) != (self.ladder is None):
            raise DocumentError("the stored matches are of another kind of run; self-play and curriculum must stay")
        self.steps = stored.steps
        self.ratings.load(stored.ratings)
        self.tally.load(stored.tally)
        if self.pool is not None and stored.pool is not None:
            self.pool.load(stored.pool)
        if self.ladder is not None and stored.ladder is not None:
            self.ladder.load(stored.ladder)

    def _opponent(self, copy: int, number: int, stage: int) -> str:
        if self.pool is None or (self.ladder is not None and not self.ladder.stages[stage].meets_pool):
            return STAGE_OPPONENT
        if self._fraction(copy, number, 2) < self._self_share:
            return LATEST
        return self.pool.pick(self._fraction(copy, number, 3))

    def _fraction(self, copy: int, number: int, k: int) -> float:
        return u01(draw(self._seed, MATCHES, number, copy, 0, k))
