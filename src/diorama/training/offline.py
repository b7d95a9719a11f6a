"""Runs that learn from stored episodes alone; their one checkpoint is what other runs start from."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.dataset_files import MANIFEST_FILE, MAX_FILE_BYTES, sha256_of
from diorama.learn.imitation.validation import Agreement, check_gate
from diorama.learn.policies.policy import policy_hash
from diorama.learn.settings import CloningSettings
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.windows import WindowAggregator
from diorama.storage.artifact_files import read_artifact
from diorama.telemetry.events import RunEnded, RunOutcome
from diorama.telemetry.hub import TelemetryHub
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.callbacks.checkpoints import CheckpointCallback
from diorama.training.callbacks.progress import ProgressCallback, ProgressReporter, run_summary
from diorama.training.callbacks.telemetry import TelemetryCallback
from diorama.training.callbacks.windows import WindowCallback
from diorama.training.envs import training_batch
from diorama.training.imitation import load_weights
from diorama.training.learner import PpoLearner
from diorama.training.plan import TrainingPlan
from diorama.training.run_directory import check_new, create, make_sinks, run_started

RESULT_FILE: Final = "cloning.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A policy that was cloned and compared with held-out demonstrations."""

    report: CloningReport
    agreement: Agreement
    policy_hash: str
    manifest_sha256: str


class CloningRun:
    """Clones a dataset; writes nothing before `save`."""

    def __init__(
        self, plan: TrainingPlan, runs_root: Path, run_id: str, *, progress: ProgressReporter, clock: Clock
    ) -> None:
        """Check everything that can be checked beforehand.

        Raises:
            ConfigError: The plan does not clone a dataset.
            RunConflict: There is a run of that id.
        """
        cloning = plan.settings.cloning
        if cloning is None or cloning.dataset is None:
            raise ConfigError("cloning.dataset is missing; name the dataset to clone", code="cloning_dataset_missing")
        self._plan = plan
        self._progress = progress
        self._cloning: CloningSettings = cloning
        self._dataset = Path(cloning.dataset)
        self._layout = check_new(runs_root, run_id)
        self._clock = clock
        self._aggregator = _aggregator(plan, run_id, clock)
        self._checkpoints = CheckpointCallback(plan, self._aggregator, clock)
        self._callbacks = RunCallbacks([self._checkpoints])
        self._batch = training_batch(plan)
        self._learner = PpoLearner(plan, self._batch, self._callbacks)

    def clone(self) -> Clone:
        """Clone the dataset, and compare the policy with what was held out.

        Raises:
            UnknownName: There is no such dataset.
            DocumentError: It is broken, was changed, or belongs to another world or layout.
        """
        result = self._learner.imitate(self._cloning.model_copy(update={"gate": None}))
        assert result is not None
        assert result.agreement is not None
        return Clone(
            report=result.report,
            agreement=result.agreement,
            policy_hash=policy_hash(self._learner.policy, self._plan.spec),
            manifest_sha256=sha256_of(read_artifact(self._dataset / MANIFEST_FILE, most_bytes=MAX_FILE_BYTES)),
        )

    def save(self, clone: Clone) -> RunLayout:
        """Write the run, if the clone passes its gate.

        Raises:
            CloneRefused: It does not; nothing is written.
            StorageError: The disk refuses.
        """
        gate = self._cloning.gate
        if gate is not None:
            check_gate(clone.agreement, gate)
        with create(self._layout.directory.parent, self._layout.run_id, self._plan, self._batch, self._clock) as writer:
            self._callbacks.on_run_start(writer, TelemetryHub([], tell=self._progress.log), self._learner)
            self._checkpoints.write()
            replace_document(
                self._layout.directory / RESULT_FILE,
                {
                    "dataset": self._dataset.name,
                    "manifest_sha256": clone.manifest_sha256,
                    "policy_hash": clone.policy_hash,
                    "decisions": clone.report.decisions,
                    "agreement": asdict(clone.agreement),
                    "gate": None if gate is None else gate.model_dump(mode="json"),
                },
            )
            writer.keeper.completed(self._aggregator.totals)
        return self._layout

    def close(self) -> None:
        """End the threads."""
        self._learner.close()


class OfflineRun:
    """Learns from a dataset by PPO; writes nothing before `train`."""

    def __init__(
        self, plan: TrainingPlan, runs_root: Path, run_id: str, *, progress: ProgressReporter, clock: Clock
    ) -> None:
        """Check and read everything that can be beforehand.

        Raises:
            ConfigError: The plan names no dataset, or has a warm-up of the value function.
            UnknownName: There is no such dataset, run or checkpoint.
            DocumentError: One of them is broken, or belongs to another world or layout.
            RunConflict: There is a run of that id.
        """
        if plan.settings.replay is None:
            raise ConfigError(
                "replay.dataset is missing; name the dataset to learn from", code="replay_dataset_missing"
            )
        if plan.settings.ppo.value_warmup:
            raise ConfigError(
                "ppo.value_warmup counts env steps, and learning from stored episodes alone takes none; use 0",
                code="warmup_needs_env_steps",
                value_warmup=plan.settings.ppo.value_warmup,
            )
        self._plan = plan
        self._layout = check_new(runs_root, run_id)
        self._progress = progress
        self._clock = clock
        self._aggregator = _aggregator(plan, run_id, clock)
        self._checkpoints = CheckpointCallback(plan, self._aggregator, clock)
        self._callbacks = RunCallbacks(
            [
                self._checkpoints,
                WindowCallback(self._aggregator, clock, flush_partial=False),
                TelemetryCallback(clock),
                ProgressCallback(progress),
            ]
        )
        self._batch = training_batch(plan)
        self._learner = PpoLearner(plan, self._batch, self._callbacks)
        if plan.settings.start is not None:
            load_weights(self._learner.policy, plan, plan.settings.start)

    def train(self, epochs: int) -> RunLayout:
        """Update the policy so many times, each time from as many stored transitions as a rollout has.

        Raises:
            TrainingDiverged: A loss, gradient or logit became NaN or infinite; the run is kept as failed.
            StorageError: The disk refuses.
        """
        plan, layout = self._plan, self._layout
        hub = TelemetryHub(make_sinks(plan.settings.telemetry, layout, learns=True), tell=self._progress.log)
        try:
            with create(layout.directory.parent, layout.run_id, plan, self._batch, self._clock) as writer:
                self._progress.begin(run_summary(plan, writer, 0, epochs))
                hub.publish(run_started(plan, writer.keeper.current, self._clock, target=0))
                self._callbacks.on_run_start(writer, hub, self._learner)
                try:
                    for epoch in range(1, epochs + 1):
                        self._learner.advance_offline()
                        self._progress.advance(epoch)
                except BaseException as error:
                    writer.keeper.failed(self._aggregator.totals, error)
                    self._end(hub, RunOutcome.FAILED, f"{type(error).__name__}: {error}")
                    raise
                self._checkpoints.write()
                writer.keeper.completed(self._aggregator.totals)
                self._end(hub, RunOutcome.COMPLETED, None)
        finally:
            hub.close()
        return layout

    def close(self) -> None:
        """End the threads."""
        self._learner.close()

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


def _aggregator(plan: TrainingPlan, run_id: str, clock: Clock) -> WindowAggregator:
    return WindowAggregator(
        plan.spec,
        run_id=run_id,
        copies=plan.settings.copies,
        window_env_steps=plan.settings.windows.env_steps,
        clock=clock,
    )
