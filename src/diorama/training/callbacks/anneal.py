"""`AnnealCallback`: hands decisions over from the world's expert to the policy, stage by stage."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.backend import UpdateOverrides
from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.anneal import AnnealProgress, AnnealStatus, StageResult
from diorama.learn.imitation.validation import evaluate_clone, shortcomings
from diorama.learn.policies.policy import policy_hash
from diorama.learn.settings.imitation import AnnealMode, AnnealSettings
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.documents import replace_document
from diorama.training.callbacks.base import RunCallback
from diorama.training.callbacks.progress import ProgressReporter
from diorama.training.compatibility import gate_of
from diorama.training.imitation import DemonstrationSplit
from diorama.training.plan import TrainingPlan

RESULT_FILE: Final = "anneal_results.json"
_REWARD: Final = "reward_mean"


class AnnealCallback(RunCallback):
    """Sets the weights of every update by the schedule, and stops the run at a gate that a clone does not pass."""

    state_key = "anneal"

    def __init__(self, plan: TrainingPlan, anneal: AnnealSettings, directory: Path, progress: ProgressReporter) -> None:
        """Begin with the first stage; nothing is written yet."""
        self._plan = plan
        self._progress = AnnealProgress(anneal)
        self._gate = gate_of(anneal, plan.settings)
        self._file = directory / RESULT_FILE
        self._reporter = progress
        self.demonstrations: DemonstrationSplit | None = None
        keys = plan.spec.metric_keys
        self._columns = {name: keys.index(name) for name in plan.spec.headline}

    def on_step(self, step: StepView) -> None:
        """Add the headline figures of a vector step."""
        decided = step.alive_before != 0
        if decided.any():
            metrics = step.metrics[decided]
            figures = {name: float(metrics[:, column].mean()) for name, column in self._columns.items()}
            self._progress.record_step({**figures, _REWARD: float(step.rewards[decided].mean())})

    def update_fields(self, report: UpdateReport, fields: Mapping[str, float]) -> Mapping[str, float]:
        """Add an update from a rollout, and return what telemetry reports of the schedule."""
        return {} if report.is_replayed else self._progress.record_cycle(report.loss_total, fields)

    def before_update(self, trainer: Trainer) -> UpdateOverrides:
        """Imitate where the schedule asks for it, and return the weights of the next update.

        Raises:
            CloneRefused: A clone does not pass; the policy is the one from before it was tried.
        """
        progress = self._progress
        while progress.stage is not None and progress.stage.mode is AnnealMode.BC:
            self._imitate(trainer, progress.stage.epochs)
        if progress.stage is None:
            failed = "; ".join(line for result in progress.results for line in result.shortcomings)
            raise CloneRefused(f"the schedule ended at a gate: {failed}", code="schedule_ended_at_gate")
        return UpdateOverrides(teacher_share=1.0 - progress.ratio, cloning_weight=progress.stage.cloning_weight)

    def after_update(self, trainer: Trainer) -> None:
        """Close a stage with its last update; after the last ppo stage, run the bc stages that follow it."""
        result = self._progress.end_cycle()
        if result is None:
            return
        self._reporter.log(_sentence(result))
        while self._has_only_bc_stages():
            assert self._progress.stage is not None
            self._imitate(trainer, self._progress.stage.epochs)
        if self._progress.stage is None:
            self._write(trainer)

    def state(self) -> JsonValue:
        """Return everything later stages depend on, as JSON values."""
        return self._progress.state()

    def load(self, state: JsonValue, stored: StoredTraining) -> None:
        """Continue from a state."""
        self._progress.load(state)

    def _has_only_bc_stages(self) -> bool:
        """Whether only bc stages are left."""
        anneal = self._plan.settings.anneal
        assert anneal is not None
        rest = anneal.in_order[len(self._progress.results) :]
        return self._progress.stage is not None and all(stage.mode is AnnealMode.BC for stage in rest)

    def _imitate(self, trainer: Trainer, epochs: int) -> None:
        assert self.demonstrations is not None, "a schedule that imitates has a dataset"
        held_out = self.demonstrations.held_out
        before = {name: tensor.clone() for name, tensor in trainer.policy.state_dict().items()}
        self._reporter.stage(f"imitating the dataset {self._dataset}")
        trainer.pretrain(epochs)
        shard = self._plan.settings.execution.shard_sequences(held_out.inputs.length)
        agreement = evaluate_clone(trainer.policy, held_out, self._plan.spec, shard)
        self._reporter.stage(None)
        problems = shortcomings(agreement, self._gate)
        result = self._progress.end_bc_stage(agreement, problems)
        self._reporter.log(_sentence(result))
        if problems:
            trainer.policy.load_state_dict(before)
            self._write(trainer)
            raise CloneRefused(
                f"the clone does not pass its gate: {'; '.join(problems)}",
                code="clone_misses_gate",
                shortcomings=tuple(problems),
            )

    @property
    def _dataset(self) -> str | None:
        cloning = self._plan.settings.cloning
        return None if cloning is None else cloning.dataset

    def _write(self, trainer: Trainer) -> None:
        progress = self._progress
        baseline = progress.baseline
        document: JsonObject = {
            "status": progress.status.value,
            "stages": [
                {
                    **result.model_dump(mode="json", exclude={"figures"}),
                    "figures": None if result.figures is None else result.figures.to_json(),
                }
                for result in progress.results
            ],
            "baselines": None if baseline is None else baseline.to_json(),
            "dataset": None if self._dataset is None else Path(self._dataset).name,
            "policy_hash": policy_hash(trainer.policy, self._plan.spec),
            "rolled_back": progress.status is AnnealStatus.FAIL,
        }
        replace_document(self._file, document)


def _sentence(result: StageResult) -> str:
    if result.mode is AnnealMode.BC:
        verdict = "passes its gate" if result.passed else "does not pass its gate; the weights before it are put back"
        return f"stage {result.cycle}: the clone agrees with {result.accuracy:.1%} of what was held out and {verdict}"
    raised = f"flags: {', '.join(result.flags)}" if result.flags else "no flags"
    frozen = "; the ratio is frozen" if result.frozen else ""
    return f"stage {result.cycle}: {result.epochs} cycles at ratio {result.ratio:.2f}, {raised}{frozen}"
