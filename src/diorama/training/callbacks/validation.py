"""`ValidationCallback`: has another process judge checkpoints on validation seeds, and marks the best."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from diorama.learn.evaluation.summary import standard_error
from diorama.runs.metadata import BestCheckpoint, LatestCheckpoint
from diorama.runs.validation import ValidatedCheckpoint, best_validated, read_validation, write_validation
from diorama.training.callbacks.base import RunCallback, RunContext
from diorama.training.callbacks.checkpoints import as_latest, closes_window, pending_validations
from diorama.training.callbacks.progress import ProgressReporter
from diorama.training.job_process import CheckpointJob, JobAnswer, JobProcess
from diorama.training.plan import TrainingPlan, validation_rule

_WORKER: Final = "diorama.training.validation_worker"


class ValidationJob(CheckpointJob, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Asks the judging process to play validation seeds with the policy of a checkpoint.

    Attributes:
        metric: What the score of a seed is.
        scripts: Opponents that are met on every seed.
    """

    metric: str
    scripts: list[str]


class ValidationAnswer(JobAnswer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score of every seed, in order, or the reason why there is none."""

    scores: list[float] | None = None


class ValidationCallback(RunCallback):
    """Judges every checkpoint that closes a window, and the last one of a complete run.

    A process of low priority does so beside the training, which never waits for it before its end: the policy of a
    checkpoint does not change any more, so that it does not matter when it is judged. Comes before the replays, which
    show the best checkpoint of a complete run.
    """

    def __init__(self, plan: TrainingPlan, progress: ProgressReporter) -> None:
        """Start no process yet."""
        self._plan = plan
        self._progress = progress
        self._rule = validation_rule(plan.venue, plan.settings)
        self._process: JobProcess[ValidationJob, ValidationAnswer] = JobProcess(_WORKER, ValidationAnswer)
        self._submitted: dict[int, LatestCheckpoint] = {}
        self._judged: dict[int, ValidatedCheckpoint] = {}

    def on_run_start(self, run: RunContext) -> None:
        """Forget the scores of checkpoints that will be written again, and request those that are missing."""
        super().on_run_start(run)
        latest = run.writer.keeper.current.latest_checkpoint
        reached = -1 if latest is None else latest.env_steps_total
        layout, stored = run.writer.layout, read_validation(run.writer.layout)
        self._judged = {
            row.window_id: row
            for row in stored
            if row.env_steps_total <= reached and self._closes_window(row.window_id, row.env_steps_total)
        }
        if len(self._judged) < len(stored):
            write_validation(layout, list(self._judged.values()))
        self._mark_best()
        for header, path in pending_validations(layout, self._plan.settings.windows.env_steps):
            self._submit(as_latest(layout, header, path))

    def on_checkpoint(self, checkpoint: LatestCheckpoint) -> None:
        """Request the score of a checkpoint whose window has closed."""
        if self._closes_window(checkpoint.window_id, checkpoint.env_steps_total):
            self._submit(checkpoint)

    def on_advance(self, env_steps_total: int) -> None:
        """Keep the scores that have arrived meanwhile."""
        self._add(self._process.finished())

    def on_run_end(self, *, is_complete: bool) -> None:
        """Judge the last checkpoint of a complete run, and wait for all scores; a resumed run requests them again."""
        if not is_complete:
            return
        latest = self.run.writer.keeper.current.latest_checkpoint
        if latest is not None and not self._is_known(latest.window_id, latest.env_steps_total):
            self._submit(latest)
        if self._process.pending:
            self._progress.stage(f"judging {self._process.pending} checkpoints")
            self._add(self._process.remaining())
            self._progress.stage(None)
        best = self.run.writer.keeper.current.best_checkpoint
        if best is not None:
            self._progress.log(
                f"best checkpoint: window {best.window_id}, {best.metric} {best.score:.4g} over"
                f" {best.episodes} validation seeds"
            )

    def close(self) -> None:
        """Cancel what is still being judged; a resumed run requests it again."""
        self._process.close()

    def _closes_window(self, window_id: int, env_steps_total: int) -> bool:
        return closes_window(window_id, env_steps_total, self._plan.settings.windows.env_steps)

    def _is_known(self, window_id: int, env_steps_total: int) -> bool:
        judged, submitted = self._judged.get(window_id), self._submitted.get(window_id)
        return env_steps_total in (
            None if judged is None else judged.env_steps_total,
            None if submitted is None else submitted.env_steps_total,
        )

    def _submit(self, checkpoint: LatestCheckpoint) -> None:
        settings, evaluation = self._plan.settings, self._plan.settings.evaluation
        first = evaluation.validation_seed
        self._submitted[checkpoint.window_id] = checkpoint
        self._process.submit(
            ValidationJob(
                run_directory=str(self.run.writer.layout.directory),
                world=settings.world,
                config=self._plan.venue.config.model_dump(mode="json"),
                tier=settings.tier,
                window_id=checkpoint.window_id,
                checkpoint_path=checkpoint.path,
                sha256=checkpoint.sha256,
                env_steps_total=checkpoint.env_steps_total,
                seeds=list(range(first, first + evaluation.validation_episodes)),
                deterministic=evaluation.deterministic,
                metric=self._rule.metric,
                scripts=list(self._rule.scripts),
            )
        )

    def _add(self, answers: Iterable[ValidationAnswer]) -> None:
        for answer in answers:
            checkpoint = self._submitted.pop(answer.window_id)
            if answer.scores is None:
                self._progress.log(f"window {answer.window_id} was not judged: {answer.error}")
                continue
            scores = np.array(answer.scores)
            self._judged[answer.window_id] = ValidatedCheckpoint(
                window_id=checkpoint.window_id,
                env_steps_total=checkpoint.env_steps_total,
                path=checkpoint.path,
                sha256=checkpoint.sha256,
                created_at=checkpoint.created_at,
                metric=self._rule.metric,
                episodes=len(scores),
                score=float(scores.mean()),
                standard_error=standard_error(scores),
            )
            write_validation(self.run.writer.layout, list(self._judged.values()))
            self._mark_best()
            self.run.callbacks.on_validation()

    def _mark_best(self) -> None:
        layout, keeper = self.run.writer.layout, self.run.writer.keeper
        # A run that goes on from an earlier checkpoint may have deleted some that were not the best then.
        judged = list(self._judged.values())
        best = best_validated(judged, kept={row.path for row in judged if layout.resolve(row.path).exists()})
        marked = None
        if best is not None:
            marked = BestCheckpoint(
                window_id=best.window_id,
                env_steps_total=best.env_steps_total,
                path=best.path,
                sha256=best.sha256,
                created_at=best.created_at,
                metric=best.metric,
                episodes=best.episodes,
                score=best.score,
            )
        if marked != keeper.current.best_checkpoint:
            keeper.best_checkpoint_known(marked)
