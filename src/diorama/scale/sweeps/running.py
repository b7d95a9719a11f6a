"""Runs a sweep on a Ray cluster: asks the search for trials, keeps so many going, and tells it how they ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from diorama.contracts.errors import ConfigError, DioramaError
from diorama.contracts.values import JsonObject
from diorama.runs.documents import RawObject, read_document
from diorama.scale.sweeps.report import (
    REPORT,
    RUN_ID,
    SCORE,
    SECONDS,
    WHY,
    SweepRequest,
    TrialRow,
    report_of,
    trial_rows,
)
from diorama.scale.sweeps.searching import open_study, suggest
from diorama.scale.sweeps.spec import Method
from diorama.scale.sweeps.trial import TrialOutcome, run_trial, trial_settings
from diorama.storage.report_files import write_report

if TYPE_CHECKING:
    import optuna

_TRIES: Final = 3  # how often a trial goes on after the process it ran in was lost

Told = Callable[[list[TrialRow]], None]


def run_sweep(request: SweepRequest, *, told: Told) -> list[TrialRow]:
    """Run the trials of a sweep that are still to be run; the caller is connected to a cluster.

    Args:
        request: What to do.
        told: Called with all trials whenever one begins or ends.

    Raises:
        ConfigError: The space holds settings that do not exist, or values that are wrong.
    """
    _refuse_another_spec(request)
    request.directory.mkdir(parents=True, exist_ok=True)
    sweep = _Sweep(request, open_study(request.spec, request.name, request.directory / "study.db"), told)
    return sweep.run()


class _Report(msgspec.Struct):
    spec: RawObject


def _refuse_another_spec(request: SweepRequest) -> None:
    path = request.directory / REPORT
    if not path.is_file():
        return
    before, now = read_document(path, _Report).spec, request.spec.model_dump(mode="json")
    changed = [key for key in now if key != "trials" and before.get(key) != now[key]]
    if changed:
        raise ConfigError(f"sweep {request.name!r} was begun with another {', '.join(changed)}; give a new --name")


@dataclass(slots=True)
class _Sweep:
    request: SweepRequest
    study: "optuna.Study"
    told: Told
    waiting: "dict[Any, optuna.Trial]" = field(default_factory=dict)

    def run(self) -> list[TrialRow]:
        import ray

        judge: Any = ray.remote(_Judge).options(num_cpus=0, max_restarts=-1, max_task_retries=-1).remote(self.request)
        begin = ray.remote(_trial).options(num_cpus=self.request.cpus, max_retries=_TRIES)
        try:
            return self._work(begin, judge)
        finally:
            for reference in self.waiting:
                ray.cancel(reference, force=True)
            ray.kill(judge)

    def _work(self, begin: Any, judge: Any) -> list[TrialRow]:
        import ray

        interrupted = self._interrupted()
        while True:
            while len(self.waiting) < self.request.parallel:
                trial = interrupted.pop(0) if interrupted else self._next()
                if trial is None:
                    break
                chosen, run_id = suggest(self.request.spec, trial), self._run_id(trial.number)
                self._check(trial, chosen)
                trial.set_user_attr(RUN_ID, run_id)
                self.waiting[begin.remote(self.request, chosen, run_id, trial.number, judge)] = trial
                self._tell()
            if not self.waiting:
                return trial_rows(self.study)
            ended, _ = ray.wait(list(self.waiting), num_returns=1)
            for reference in ended:
                self._close(self.waiting.pop(reference), reference)
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

    def _close(self, trial: "optuna.Trial", reference: Any) -> None:
        import optuna
        import ray

        try:
            outcome: TrialOutcome = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            trial.set_user_attr(WHY, f"{type(error.cause).__name__}: {error.cause}")
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
            if isinstance(error.cause, ConfigError):
                raise error.cause from None
            return
        except ray.exceptions.RayError as error:
            trial.set_user_attr(WHY, f"its process was lost {_TRIES + 1} times ({type(error).__name__})")
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
            return
        trial.set_user_attr(SECONDS, outcome.seconds)
        if outcome.score is not None:
            trial.set_user_attr(SCORE, outcome.score)
        if outcome.was_stopped:
            self.study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        elif outcome.score is None:
            trial.set_user_attr(WHY, "no window closed with a number; train longer, or make windows shorter")
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
        elif self.request.spec.method is Method.NSGA2:
            self.study.tell(trial, [outcome.score, outcome.seconds])
        else:
            self.study.tell(trial, outcome.score)

    def _tell(self) -> None:
        rows = trial_rows(self.study)
        write_report(self.request.directory / REPORT, report_of(self.request, self.study, rows))
        self.told(rows)


class _Judge:
    """Decides, for all trials of a sweep, who is given up; an actor of the cluster."""

    def __init__(self, request: SweepRequest) -> None:
        self._study = open_study(request.spec, request.name, request.directory / "study.db")

    def goes_on(self, number: int, windows: int, score: float) -> bool:
        import optuna

        trial = optuna.Trial(self._study, self._study.get_trials(deepcopy=False)[number]._trial_id)
        trial.report(score, windows)
        return not trial.should_prune()


def _trial(request: SweepRequest, chosen: JsonObject, run_id: str, number: int, judge: Any) -> TrialOutcome:
    import ray
    import torch

    torch.set_num_threads(max(1, int(request.cpus)))

    def report(windows: int, score: float) -> bool:
        if request.spec.method is Method.NSGA2:
            return True
        goes_on: bool = ray.get(judge.goes_on.remote(number, windows, score))
        return goes_on

    return run_trial(request.spec, chosen, request.run_root, run_id, report)
