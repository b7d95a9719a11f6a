"""`Curriculum`: promotes and demotes the learner between the stages of a world."""

from bisect import insort
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage
from diorama.learn.selfplay.match import CurriculumState, MatchResult
from diorama.learn.settings.selfplay import CurriculumSettings


class Move(StrEnum):
    """Direction of a stage change."""

    PROMOTED = "promoted"
    DEMOTED = "demoted"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChange:
    """A change between two stages, given by their indices, with the win rate over `episodes` that caused it."""

    move: Move
    from_stage: int
    to_stage: int
    rate: float
    episodes: int


class Curriculum:
    """Moves the learner through stages by its results in the current stage.

    Results count in the order in which their matches began, once all that began earlier have ended. All copies enter a
    stage at about the same time: the first matches to end are the short ones, and a learner that loses soon and wins
    late would be judged by its losses.

    Attributes:
        stages: All stages of the world.
        stage_index: Index of the current stage.
    """

    def __init__(self, stages: Sequence[CurriculumStage], settings: CurriculumSettings, *, copies: int) -> None:
        """Start in the first stage of the settings.

        Args:
            stages: All stages of the world.
            settings: Which of them are used, and what it takes to change between them.
            copies: How many copies begin with a match of the first stage.

        Raises:
            ConfigError: The world does not have these stages.
        """
        last = len(stages) if settings.last is None else settings.last
        if not stages:
            raise ConfigError("curriculum: the world has no stages; leave the section out", code="no_curriculum_stages")
        if not settings.first <= last <= len(stages):
            raise ConfigError(
                f"curriculum: stages {settings.first}..{last} do not exist; use 1..{len(stages)}",
                code="curriculum_stages_out_of_range",
                first=settings.first,
                last=last,
                stages=len(stages),
            )
        self.stages = stages
        self.stage_index = settings.first - 1
        self._first, self._last = settings.first - 1, last - 1
        self._settings = settings
        self._scores: deque[float] = deque(maxlen=max(settings.promotion_episodes, settings.demotion_episodes))
        self._running = dict.fromkeys(range(copies), 0)
        self._waiting: list[tuple[int, int, float]] = []

    @property
    def stage(self) -> CurriculumStage:
        """The current stage."""
        return self.stages[self.stage_index]

    @property
    def used_stages(self) -> Sequence[CurriculumStage]:
        """The stages between the first and the last one of the settings."""
        return self.stages[self._first : self._last + 1]

    @property
    def lesson(self) -> int:
        """Index of the lesson that the win rate in the current stage has reached."""
        return self.stage.lesson(self._rate(self._settings.promotion_episodes)) if self._scores else 0

    def draw(self, chance: float, choice: float) -> tuple[int, int]:
        """Return stage and lesson of an episode: the current ones, or an earlier stage and its last lesson.

        Args:
            chance: Draw from [0, 1) that decides between the two.
            choice: Draw from [0, 1) that picks the earlier stage.
        """
        earlier = self.stage_index - self._first
        if earlier == 0 or chance >= self._settings.earlier_stages:
            return self.stage_index, self.lesson
        index = self._first + int(choice * earlier)
        return index, len(self.stages[index].lessons) - 1

    def record_result(self, result: MatchResult) -> StageChange | None:
        """Take a result, in the order of the steps, and return the stage change it causes.

        Matches count that began in the current stage since the learner entered it.
        """
        began = self._running.pop(result.copy, None)
        if began is not None:
            insort(self._waiting, (began, result.copy, result.score))
        if result.following.stage == self.stage_index:
            self._running[result.copy] = result.step
        oldest = min(((step, copy) for copy, step in self._running.items()), default=None)
        while self._waiting and (oldest is None or self._waiting[0][:2] < oldest):
            self._scores.append(self._waiting.pop(0)[2])
            change = self._judge()
            if change is not None:
                return change
        return None

    def state(self) -> CurriculumState:
        """Return the current stage and its results."""
        return CurriculumState(
            stage_index=self.stage_index,
            scores=list(self._scores),
            running=sorted((step, copy) for copy, step in self._running.items()),
            waiting=list(self._waiting),
        )

    def load(self, stored: CurriculumState) -> None:
        """Continue from what `state` returned."""
        self.stage_index = stored.stage_index
        self._scores.clear()
        self._scores.extend(stored.scores)
        self._running = {copy: step for step, copy in stored.running}
        self._waiting = list(stored.waiting)

    def _judge(self) -> StageChange | None:
        settings, promote_at = self._settings, self.stage.promote_at
        if (
            promote_at is not None
            and self.stage_index < self._last
            and len(self._scores) >= settings.promotion_episodes
            and self._rate(settings.promotion_episodes) >= promote_at
        ):
            return self._enter(self.stage_index + 1, Move.PROMOTED, settings.promotion_episodes)
        if (
            self.stage_index > self._first
            and len(self._scores) >= settings.demotion_episodes
            and self._rate(settings.demotion_episodes) < settings.demotion_rate
        ):
            return self._enter(self.stage_index - 1, Move.DEMOTED, settings.demotion_episodes)
        return None

    def _rate(self, episodes: int) -> float:
        latest = list(self._scores)[-episodes:]
        return sum(latest) / len(latest)

    def _enter(self, index: int, move: Move, episodes: int) -> StageChange:
        change = StageChange(
            move=move, from_stage=self.stage_index, to_stage=index, rate=self._rate(episodes), episodes=episodes
        )
        self.stage_index = index
        self._scores.clear()
        self._running.clear()
        self._waiting.clear()
        return change
