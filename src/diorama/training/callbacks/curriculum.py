"""`CurriculumCallback`: replaces the environments of a run as its course moves on to another configuration."""

from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.training.callbacks.base import RunCallback
from diorama.training.callbacks.progress import ProgressReporter
from diorama.training.compatibility import config_in_cycle, overlays_of
from diorama.training.envs import ReplaceableEnvs, training_batch
from diorama.training.plan import TrainingPlan

_WINDOWS_KEPT: Final = 8


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    place: int
    cycle: int
    exchanges: int
    env_steps: int
    windows: tuple[dict[str, float], ...]


class CurriculumCallback(RunCallback):
    """Decides before every update, by the metrics of the last windows, which configuration is trained in."""

    state_key = "course"

    def __init__(self, plan: TrainingPlan, envs: ReplaceableEnvs, progress: ProgressReporter) -> None:
        """Begin with the first configuration of the plan."""
        self._plan = plan
        self._envs = envs
        self._progress = progress
        course = plan.settings.course
        self._overlays = () if course is None else overlays_of(plan.venue.world, course)
        self._index = 0
        self._cycle = 0
        self._exchanges = 0
        self._env_steps = 0
        self._windows: list[dict[str, float]] = []
        self._config: WorldConfig = self._config_in(0)

    def on_step(self, step: StepView) -> None:
        """Keep the metrics of the vector step that closes a window, as those of the window."""
        before, every = self._env_steps, self._plan.settings.windows.env_steps
        self._env_steps += step.copies
        decided = step.alive_before != 0
        if self._env_steps // every > before // every and decided.any():
            means = step.metrics[decided].mean(axis=0, dtype=float).tolist()
            row = dict(zip(self._plan.spec.metric_keys, means, strict=True))
            self._windows = [*self._windows, row][-_WINDOWS_KEPT:]

    def before_update(self, trainer: Trainer) -> None:
        """Move to the next overlay if the windows allow it, and replace the environments if anything has changed."""
        cycle = trainer.updates
        if self._may_advance():
            self._index += 1
            self._windows = []
            self._progress.log(f"the bands of {self._overlays[self._index - 1]} hold: on to {self._overlay}")
        config = self._config_in(cycle)
        if config != self._config:
            self._exchanges += 1
            self._train_in(config, cycle)

    def window_fields(self) -> JsonObject:
        """Return the overlay that is trained in."""
        return {} if self._overlay is None else {"overlay": self._overlay}

    def state(self) -> JsonValue:
        """Return everything that later updates depend on, as JSON values."""
        stored = _Stored(
            place=self._index,
            cycle=self._cycle,
            exchanges=self._exchanges,
            env_steps=self._env_steps,
            windows=tuple(self._windows),
        )
        state: JsonValue = stored.model_dump(mode="json")
        return state

    def load(self, state: JsonValue, stored: StoredTraining) -> None:
        """Continue from a state; one from before courses were stored has none.

        Raises:
            DocumentError: It is of another kind of run.
        """
        if self.state_key not in stored.values:
            return
        try:
            known = _Stored.model_validate(state)
        except ValidationError:
            raise DocumentError(
                "the stored state is of a run without a course; resume it with the settings it was trained with",
                code="stored_course_missing",
            ) from None
        self._index, self._exchanges, self._env_steps = known.place, known.exchanges, known.env_steps
        self._windows = list(known.windows)
        if known.exchanges:
            self._train_in(self._config_in(known.cycle), known.cycle)

    @property
    def _overlay(self) -> str | None:
        return self._overlays[self._index] if self._overlays else self._plan.settings.overlay

    def _config_in(self, cycle: int) -> WorldConfig:
        return config_in_cycle(self._plan.venue, self._plan.settings, self._overlay, cycle)

    def _may_advance(self) -> bool:
        course, overlay = self._plan.venue.world.course, self._overlay
        if self._plan.settings.course is None or self._index + 1 >= len(self._overlays):
            return False
        assert course is not None
        assert overlay is not None
        return course.may_advance(overlay, self._windows)

    def _train_in(self, config: WorldConfig, cycle: int) -> None:
        # Other episodes than those that have been learned from already.
        self._envs.replace(training_batch(self._plan, config, turn=self._exchanges))
        self._config, self._cycle = config, cycle
