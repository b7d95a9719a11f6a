"""`Checkpointer`: decides when a checkpoint is due, and writes it."""

from diorama.contracts.spec import Better
from diorama.operate.training.learners import Learner
from diorama.operate.training.pending_replays import pending_replays
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.policy_files import policy_checkpoint
from diorama.operate.training.retention import retire_checkpoints
from diorama.runs.checkpoints.headers import CheckpointHeader, RandomCheckpoint
from diorama.runs.clock import Clock, timestamp
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.windows import WindowAggregator
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import CheckpointWritten
from diorama.telemetry.hub import TelemetryHub

WINDOWS = "windows"  # the service whose state continues the windows


class Checkpointer:
    """One checkpoint per so many windows, at the first good moment after the window has closed."""

    def __init__(
        self, plan: TrainingPlan, writer: RunWriter, hub: TelemetryHub, aggregator: WindowAggregator, clock: Clock
    ) -> None:
        """Go on from the newest checkpoint of the run, if there is one."""
        self._plan = plan
        self._writer = writer
        self._hub = hub
        self._aggregator = aggregator
        self._clock = clock
        latest = writer.keeper.current.latest_checkpoint
        self._env_steps = 0 if latest is None else latest.env_steps_total
        self._periods = self._periods_after(self._env_steps)

    @property
    def is_due(self) -> bool:
        """Whether a window with a checkpoint of its own has closed since the last one."""
        return self._periods_after(self._aggregator.totals.env_steps) > self._periods

    @property
    def is_behind(self) -> bool:
        """Whether anything has happened since the last one."""
        return self._aggregator.totals.env_steps > self._env_steps

    def write(self, learner: Learner) -> LatestCheckpoint:
        """Write a checkpoint of the newest window that is due, or of the open one if none is.

        Raises:
            StorageError: The disk refuses; the run can be continued from the checkpoint before.
        """
        totals, every = self._aggregator.totals, self._plan.settings.checkpoints.every_windows
        periods = self._periods_after(totals.env_steps)
        window_id = periods * every - 1 if periods > self._periods else totals.windows
        written = self._writer.write_checkpoint(
            self._header(window_id), learner.state(), services={WINDOWS: self._aggregator.state()}
        )
        self._env_steps, self._periods = totals.env_steps, periods
        self._hub.publish(
            CheckpointWritten(
                at=written.created_at,
                window_id=written.window_id,
                env_steps_total=written.env_steps_total,
                path=written.path,
                sha256=written.sha256,
            )
        )
        self.retire()
        return written

    def retire(self) -> None:
        """Remove the checkpoints that need not stay; one whose replay is still to be recorded stays until then."""
        settings, spec = self._plan.settings, self._plan.spec
        shown = (metric for metric in spec.metrics if metric.key in spec.headline)
        rising = (metric.key for metric in shown if metric.better is Better.HIGHER)
        if settings.checkpoints.keep_newest is not None:
            retire_checkpoints(
                self._writer.layout,
                newest=settings.checkpoints.keep_newest,
                metric=next(rising, "return"),
                owed=self._owed(),
            )

    def _owed(self) -> set[int]:
        settings = self._plan.settings
        if not settings.evaluation.replays_per_window:
            return set()
        owed = pending_replays(self._writer.layout, settings.windows.env_steps)
        return {header.window_id for header, _ in owed}

    def _periods_after(self, env_steps: int) -> int:
        settings = self._plan.settings
        return env_steps // (settings.windows.env_steps * settings.checkpoints.every_windows)

    def _header(self, window_id: int) -> CheckpointHeader:
        settings, env_steps = self._plan.settings, self._aggregator.totals.env_steps
        run_id, created_at = self._writer.layout.run_id, timestamp(self._clock.now())
        if not self._plan.learns:
            return RandomCheckpoint(
                run_id=run_id,
                world=self._plan.spec.world,
                window_id=window_id,
                env_steps_total=env_steps,
                created_at=created_at,
            )
        return policy_checkpoint(
            self._plan.spec,
            settings.policy,
            settings.normalization,
            run_id=run_id,
            window_id=window_id,
            env_steps_total=env_steps,
            created_at=created_at,
        )
