"""A run that learns by PPO from stored episodes alone; its one checkpoint is what other runs start from."""

from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.learn.trainer import Trainer
from diorama.operate.training.announcing import outlook_of, start_of
from diorama.operate.training.checkpointing import WINDOWS
from diorama.operate.training.learners import training_batch
from diorama.operate.training.listener import WindowCallback
from diorama.operate.training.opening import check_new, create
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.policy_files import policy_checkpoint
from diorama.operate.training.sinks import make_sinks
from diorama.operate.training.teaching import read_book, take_over_weights
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout
from diorama.runs.windows import WindowAggregator
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import CheckpointWritten, RunEnded, RunOutcome
from diorama.telemetry.hub import TelemetryHub


class ReplayedRun:
    """Learns from a dataset as a plan says; nothing is written before `train`."""

    def __init__(
        self, plan: TrainingPlan, runs_root: Path, run_id: str, *, watch: ProgressReporter, clock: Clock
    ) -> None:
        """Check and read everything that can be beforehand.

        Raises:
            ConfigError: The plan names no dataset.
            UnknownName: There is no such dataset, run or checkpoint.
            DocumentError: One of them is broken, or belongs to another world or layout.
            RunConflict: There is a run of that id.
        """
        replay = plan.settings.replay
        if replay is None:
            raise ConfigError("replay.dataset is missing; name the dataset to learn from")
        self._plan = plan
        self._layout = check_new(runs_root, run_id)
        self._watch = watch
        self._clock = clock
        self._book = read_book(plan, replay.dataset)
        self._aggregator = WindowAggregator(
            plan.spec,
            run_id=run_id,
            copies=plan.settings.copies,
            window_env_steps=plan.settings.windows.env_steps,
            clock=clock,
        )
        self._listener = WindowCallback(self._aggregator, watch, clock)
        self._batch = training_batch(plan)
        self._trainer = Trainer(self._batch, plan.settings.trainer, seed=plan.settings.seed, callbacks=[self._listener])
        if plan.settings.start is not None:
            take_over_weights(self._trainer.policy, plan, plan.settings.start)

    def train(self, epochs: int) -> RunLayout:
        """Update the policy so many times, each time from a portion as large as a rollout would be.

        Raises:
            TrainingDiverged: Something that must be a number is none; the run is kept as failed.
            StorageError: The disk refuses.
        """
        plan = self._plan
        hub = TelemetryHub(make_sinks(plan.settings.telemetry, self._layout, learns=True), tell=self._watch.tell)
        try:
            with create(self._layout.directory.parent, self._layout.run_id, plan, self._batch, self._clock) as writer:
                self._listener.open(writer, hub)
                self._watch.begin(outlook_of(plan, writer, 0, epochs))
                hub.publish(start_of(plan, writer.keeper.current, self._clock, target=0))
                try:
                    self._learn(epochs)
                except BaseException as error:
                    writer.keeper.failed(self._aggregator.totals, error)
                    self._end(hub, RunOutcome.FAILED, f"{type(error).__name__}: {error}")
                    raise
                self._keep(writer, hub)
                self._end(hub, RunOutcome.COMPLETED, None)
        finally:
            hub.close()
        return self._layout

    def close(self) -> None:
        """End the threads."""
        self._trainer.close()

    def _learn(self, epochs: int) -> None:
        for done in range(1, epochs + 1):
            self._trainer.replay(self._book)
            self._watch.advance(done)

    def _keep(self, writer: RunWriter, hub: TelemetryHub) -> None:
        plan = self._plan
        header = policy_checkpoint(
            plan.spec,
            plan.settings.policy,
            plan.settings.normalization,
            run_id=self._layout.run_id,
            window_id=0,
            env_steps_total=0,
            created_at=timestamp(self._clock.now()),
        )
        written = writer.write_checkpoint(header, self._trainer.state(), services={WINDOWS: self._aggregator.state()})
        hub.publish(
            CheckpointWritten(
                at=written.created_at,
                window_id=written.window_id,
                env_steps_total=written.env_steps_total,
                path=written.path,
                sha256=written.sha256,
            )
        )
        writer.keeper.completed(self._aggregator.totals)

    def _end(self, hub: TelemetryHub, outcome: RunOutcome, error: str | None) -> None:
        hub.publish(
            RunEnded(
                at=timestamp(self._clock.now()),
                outcome=outcome,
                env_steps_total=0,
                ticks_total=0,
                windows_emitted=0,
                error=error,
            )
        )
