"""`Ladder`: the learner's way through the stages of a curriculum."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage
from diorama.learn.matches.state import LadderState
from diorama.learn.settings.matches import CurriculumSettings


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
