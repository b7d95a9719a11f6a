"""`CurriculumCallback`: exchanges the copies of a run when its curriculum moves on to another configuration."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.training.copies import Copies
from diorama.operate.training.course_plan import config_in_cycle, overlays_of
from diorama.operate.training.learners import training_batch
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.watching import ProgressReporter

_WINDOWS_KEPT: Final = 8


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    place: int
    cycle: int
    exchanges: int
    env_steps: int
    windows: tuple[dict[str, float], ...]


class CurriculumCallback:
    """Hears the metrics of a run and decides, before every cycle, what it goes on in."""

    def __init__(self, plan: TrainingPlan, copies: Copies, watch: ProgressReporter) -> None:
        """Begin where the plan does."""
        self._plan = plan
        self._copies = copies
        self._watch = watch
        course = plan.settings.course
        self._overlays = () if course is None else overlays_of(plan.venue.world, course)
        self._place = 0
        self._cycle = 0
        self._exchanges = 0
        self._env_steps = 0
        self._windows: list[dict[str, float]] = []
        self._config: WorldConfig = self._config_in(0)

    def note_step(self, step: StepView) -> None:
        """Take in a vector step; where it closes a window, its metrics are those of the window."""
        before, every = self._env_steps, self._plan.settings.windows.env_steps
        self._env_steps += step.copies
        decided = step.alive_before != 0
        if self._env_steps // every > before // every and decided.any():
            means = step.metrics[decided].mean(axis=0, dtype=float).tolist()
            row = dict(zip(self._plan.spec.metric_keys, means, strict=True))
            self._windows = [*self._windows, row][-_WINDOWS_KEPT:]

    def note_update(self, report: UpdateReport, extras: Mapping[str, float]) -> dict[str, float]:
        """Add nothing to the telemetry of an update."""
        return {}

    def before_cycle(self, cycle: int) -> None:
        """Take on the next overlay if the windows allow it, and exchange the copies if anything has changed."""
        if self._may_advance():
            self._place += 1
            self._windows = []
            self._watch.tell(f"the bands of {self._overlays[self._place - 1]} hold: on to {self._overlay}")
        config = self._config_in(cycle)
        if config != self._config:
            self._exchanges += 1
            self._go_on_in(config, cycle)

    def window_fields(self) -> JsonObject:
        """Return what the window that is closing says about the course."""
        return {} if self._overlay is None else {"overlay": self._overlay}

    def state(self) -> JsonValue:
        """Return everything that later cycles depend on, as JSON values."""
        stored = _Stored(
            place=self._place,
            cycle=self._cycle,
            exchanges=self._exchanges,
            env_steps=self._env_steps,
            windows=tuple(self._windows),
        )
        state: JsonValue = stored.model_dump(mode="json")
        return state

    def load(self, state: JsonValue) -> None:
        """Continue from a state; call it before the copies are restored.

        Raises:
            DocumentError: It is of another kind of run.
        """
        try:
            stored = _Stored.model_validate(state)
        except ValidationError:
            raise DocumentError(
                "the stored state is of a run without a course; its settings must be the same"
            ) from None
        self._place, self._exchanges, self._env_steps = stored.place, stored.exchanges, stored.env_steps
        self._windows = list(stored.windows)
        if stored.exchanges:
            self._go_on_in(self._config_in(stored.cycle), stored.cycle)

    @property
    def _overlay(self) -> str | None:
        return self._overlays[self._place] if self._overlays else self._plan.settings.overlay

    def _config_in(self, cycle: int) -> WorldConfig:
        return config_in_cycle(self._plan.venue, self._plan.settings, self._overlay, cycle)

    def _may_advance(self) -> bool:
        course, overlay = self._plan.venue.world.course, self._overlay
        if self._plan.settings.course is None or self._place + 1 >= len(self._overlays):
            return False
        assert course is not None
        assert overlay is not None
        return course.may_advance(overlay, self._windows)

    def _go_on_in(self, config: WorldConfig, cycle: int) -> None:
        # Other episodes than those that have been learned from already.
        self._copies.exchange(training_batch(self._plan, config, turn=self._exchanges))
        self._config, self._cycle = config, cycle
