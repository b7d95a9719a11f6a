"""`AnnealCallback`: takes a run through its anneal schedule and writes down what came of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.backend import UpdateOverrides
from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.anneal import AnnealProgress, AnnealStatus, StageResult
from diorama.learn.imitation.judging import compare, shortcomings
from diorama.learn.policies.policy import policy_hash
from diorama.learn.settings.imitation import AnnealMode, AnnealSettings
from diorama.learn.trainer import Trainer
from diorama.operate.training.anneal_plan import gate_of
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.teaching import Lesson
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.documents import replace_document

RESULT_FILE: Final = "anneal_results.json"
_REWARD: Final = "reward_mean"


class AnnealCallback:
    """Hears what a run does, says how it goes on, and stops it at a gate that is not passed."""

    def __init__(self, plan: TrainingPlan, anneal: AnnealSettings, directory: Path, watch: ProgressReporter) -> None:
        """Stand before the first stage; nothing is written yet."""
        self._plan = plan
        self._progress = AnnealProgress(anneal)
        self._gate = gate_of(anneal, plan.settings)
        self._file = directory / RESULT_FILE
        self._watch = watch
        keys = plan.spec.metric_keys
        self._columns = {name: keys.index(name) for name in plan.spec.headline}

    def note_step(self, step: StepView) -> None:
        """Take in the key figures of a vector step."""
        decided = step.alive_before != 0
        if decided.any():
            metrics = step.metrics[decided]
            figures = {name: float(metrics[:, column].mean()) for name, column in self._columns.items()}
            self._progress.note_step({**figures, _REWARD: float(step.rewards[decided].mean())})

    def note_update(self, report: UpdateReport, extras: Mapping[str, float]) -> dict[str, float]:
        """Take in an update from a rollout, and return what telemetry tells of the schedule."""
        return {} if report.is_replayed else self._progress.note_cycle(report.loss_total, extras)

    def before_cycle(self, trainer: Trainer, lesson: Lesson | None) -> UpdateOverrides:
        """Imitate where the schedule asks for it, and say how the next cycle is led.

        Raises:
            CloneRefused: A clone does not pass; the policy is the one from before it was tried.
        """
        progress = self._progress
        while progress.stage is not None and progress.stage.mode is AnnealMode.BC:
            assert lesson is not None, "a schedule that imitates has a dataset"
            self._imitate(trainer, lesson, progress.stage.epochs)
        if progress.stage is None:
            failed = "; ".join(line for result in progress.results for line in result.shortcomings)
            raise CloneRefused(f"the schedule ended at a gate: {failed}")
        return UpdateOverrides(teacher_share=1.0 - progress.ratio, cloning_weight=progress.stage.cloning_weight)

    def after_cycle(self, trainer: Trainer, lesson: Lesson | None) -> None:
        """Close the stage whose last cycle this was; after the last ppo stage, what follows it and the schedule."""
        result = self._progress.end_cycle()
        if result is None:
            return
        self._watch.tell(_sentence(result))
        while self._is_closing():
            assert lesson is not None, "a schedule that imitates has a dataset"
            assert self._progress.stage is not None
            self._imitate(trainer, lesson, self._progress.stage.epochs)
        if self._progress.stage is None:
            self._write(trainer)

    def state(self) -> JsonValue:
        """Return everything later stages depend on, as JSON values."""
        return self._progress.state()

    def load(self, state: JsonValue) -> None:
        """Continue from a state."""
        self._progress.load(state)

    def _is_closing(self) -> bool:
        """Whether the stage at work imitates and no cycle follows any more that would come to it."""
        anneal = self._plan.settings.anneal
        assert anneal is not None
        rest = anneal.in_order[len(self._progress.results) :]
        return self._progress.stage is not None and all(stage.mode is AnnealMode.BC for stage in rest)

    def _imitate(self, trainer: Trainer, lesson: Lesson, epochs: int) -> None:
        before = {name: tensor.clone() for name, tensor in trainer.policy.state_dict().items()}
        self._watch.stage(f"imitating the dataset {self._dataset}")
        trainer.warm_up(epochs)
        shard = self._plan.settings.execution.shard_sequences(lesson.held_out.inputs.length)
        agreement = compare(trainer.policy, lesson.held_out, self._plan.spec, shard)
        self._watch.stage(None)
        problems = shortcomings(agreement, self._gate)
        result = self._progress.end_cloning(agreement, problems)
        self._watch.tell(_sentence(result))
        if problems:
            trainer.policy.load_state_dict(before)
            self._write(trainer)
            raise CloneRefused(f"the clone does not pass its gate: {'; '.join(problems)}")

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
