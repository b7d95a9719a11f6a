"""Runs a sweep: asks the search for trials, keeps so many going, and tells it how they ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import JsonObject
from diorama.runs.documents import RawObject, read_document
from diorama.scale.sweeps.executors import LocalExecutor, RayExecutor, TrialEnd, TrialExecutor, TrialFailure, TrialTask
from diorama.scale.sweeps.report import (
    REPORT,
    RUN_ID,
    SCORE,
    SCORES,
    SECONDS,
    WHY,
    SweepRequest,
    TrialRow,
    report_of,
    trial_rows,
)
from diorama.scale.sweeps.searching import open_study, suggest
from diorama.scale.sweeps.spec import Method, SweepSpec
from diorama.scale.sweeps.trial import trial_settings
from diorama.storage.report_files import write_report

if TYPE_CHECKING:
    import optuna

Told = Callable[[list[TrialRow]], None]


def run_sweep(request: SweepRequest, *, told: Told) -> list[TrialRow]:
    """Run the trials of a sweep that are still to be run.

    Args:
        request: What to do; where it asks for a cluster, the caller is connected to one.
        told: Called with all trials whenever one begins or ends.

    Raises:
        ConfigError: The space holds settings that do not exist, or values that are wrong.
        DocumentError: The report of an earlier part of the sweep is broken.
    """
    _refuse_another_spec(request)
    request.directory.mkdir(parents=True, exist_ok=True)
    study = open_study(request.spec, request.name, request.directory / "study.db")
    executor: TrialExecutor = RayExecutor(request) if request.on_cluster else LocalExecutor(request)
    try:
        return _Sweep(request, study, executor, told).run()
    finally:
        executor.close()


class _Report(msgspec.Struct):
    spec: RawObject


def _refuse_another_spec(request: SweepRequest) -> None:
    path = request.directory / REPORT
    if not path.is_file():
        return
    try:
        # What an earlier version wrote lacks fields that have come since.
        before = SweepSpec.model_validate(read_document(path, _Report).spec)
    except ValidationError as error:
        raise DocumentError(
            f"{path}: {first_problem(error)}; it must be as the sweep wrote it", code="sweep_report_invalid", path=path
        ) from None
    known, asked = before.model_dump(mode="json"), request.spec.model_dump(mode="json")
    changed = [key for key in asked if key != "trials" and known[key] != asked[key]]
    if changed:
        raise ConfigError(f"sweep {request.name!r} was begun with another {', '.join(changed)}; give a new --name")


@dataclass(slots=True)
class _Sweep:
    request: SweepRequest
    study: "optuna.Study"
    executor: TrialExecutor
    told: Told
    waiting: "dict[int, optuna.Trial]" = field(default_factory=dict)

    def run(self) -> list[TrialRow]:
        interrupted = self._interrupted()
        while True:
            while len(self.waiting) < self.request.parallel:
                trial = interrupted.pop(0) if interrupted else self._next()
                if trial is None:
                    break
                chosen, run_id = suggest(self.request.spec, trial), self._run_id(trial.number)
                self._check(trial, chosen)
                trial.set_user_attr(RUN_ID, run_id)
                self.waiting[trial.number] = trial
                self.executor.begin(TrialTask(number=trial.number, run_id=run_id, chosen=chosen))
                self._tell()
            if not self.waiting:
                return trial_rows(self.study)
            for number, end in self.executor.ended().items():
                self._close(self.waiting.pop(number), end)
                self._tell()

    def _check(self, trial: "optuna.Trial", chosen: JsonObject) -> None:
        import optuna

        try:
            trial_settings(self.request.spec, chosen)
        except DioramaError:
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
            raise

    def _interrupted(self) -> "list[optuna.Trial]":
        """Return trials that were running when the sweep was last left; their runs go on."""
        import optuna

        running = self.study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,))
        return [optuna.Trial(self.study, trial._trial_id) for trial in running]

    def _next(self) -> "optuna.Trial | None":
        if len(self.study.get_trials(deepcopy=False)) >= self.request.spec.trials:
            return None
        return self.study.ask()

    def _run_id(self, number: int) -> str:
        return f"{self.request.name}-{number:04d}"

    def _close(self, trial: "optuna.Trial", end: TrialEnd) -> None:
        import optuna

        if isinstance(end, TrialFailure):
            trial.set_user_attr(WHY, end.why)
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
            if end.refusal is not None:
                raise end.refusal
            return
        trial.set_user_attr(SECONDS, end.seconds)
        if self.request.spec.seeds is not None:
            trial.set_user_attr(SCORES, end.scores)
        if end.score is not None:
            trial.set_user_attr(SCORE, end.score)
        if end.was_stopped:
            self.study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        elif end.score is None:
            trial.set_user_attr(WHY, "no window closed with a number; train longer, or make windows shorter")
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
        elif self.request.spec.method is Method.NSGA2:
            self.study.tell(trial, [end.score, end.seconds])
        else:
            self.study.tell(trial, end.score)

    def _tell(self) -> None:
        rows = trial_rows(self.study)
        write_report(self.request.directory / REPORT, report_of(self.request, self.study, rows))
        self.told(rows)
