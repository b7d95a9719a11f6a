"""Where trials run: as tasks of a Ray cluster, or as processes of this machine."""

from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol, TypeAlias

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject
from diorama.scale.sweeps.report import SweepRequest
from diorama.scale.sweeps.searching import open_study
from diorama.scale.sweeps.spec import Method
from diorama.scale.sweeps.trial import Report, TrialOutcome, run_trial

_TRIES: Final = 3  # how often a trial goes on after the process it ran in was lost


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTask:
    """A trial to run; `number` is the search's, `run_id` names its runs."""

    number: int
    run_id: str
    chosen: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialFailure:
    """A trial that ended without an outcome; `refusal` is set where its settings are wrong."""

    why: str
    refusal: ConfigError | None = None


TrialEnd: TypeAlias = TrialOutcome | TrialFailure


class TrialExecutor(Protocol):
    """Runs trials side by side."""

    def begin(self, task: TrialTask) -> None:
        """Start a trial."""

    def ended(self) -> dict[int, TrialEnd]:
        """Wait until a trial ends, and return those that have, by number."""

    def close(self) -> None:
        """End the trials that still run; their runs go on from their newest checkpoints when the sweep does."""


class TrialJudge:
    """Decides whether a trial goes on, by what the search knows of the others."""

    def __init__(self, request: SweepRequest) -> None:
        """Open the study of the sweep."""
        self._study = open_study(request.spec, request.name, request.directory / "study.db")

    def goes_on(self, number: int, windows: int, score: float) -> bool:
        """Record the score of a trial after so many windows, and return whether it goes on."""
        import optuna

        trial = optuna.Trial(self._study, self._study.get_trials(deepcopy=False)[number]._trial_id)
        trial.report(score, windows)
        return not trial.should_prune()


class RayExecutor:
    """Runs trials on the Ray cluster that this process is connected to."""

    def __init__(self, request: SweepRequest) -> None:
        """Start the judge, an actor of the cluster."""
        import ray

        self._request = request
        judge = ray.remote(TrialJudge).options(num_cpus=0, max_restarts=-1, max_task_retries=-1)
        self._judge: Any = judge.remote(request)
        self._begin = ray.remote(_run_on_ray).options(num_cpus=request.cpus, max_retries=_TRIES)
        self._waiting: dict[Any, int] = {}

    def begin(self, task: TrialTask) -> None:
        """Start a trial."""
        self._waiting[self._begin.remote(self._request, task, self._judge)] = task.number

    def ended(self) -> dict[int, TrialEnd]:
        """Wait until a trial ends, and return those that have, by number."""
        import ray

        references, _ = ray.wait(list(self._waiting), num_returns=1)
        return {self._waiting.pop(reference): self._end(reference) for reference in references}

    def close(self) -> None:
        """End the trials that still run, and the judge."""
        import ray

        for reference in self._waiting:
            ray.cancel(reference, force=True)
        ray.kill(self._judge)

    def _end(self, reference: Any) -> TrialEnd:
        import ray

        try:
            outcome: TrialOutcome = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            return _failure(error.cause)
        except ray.exceptions.RayError as error:
            return TrialFailure(why=f"its process was lost {_TRIES + 1} times ({type(error).__name__})")
        return outcome


@dataclass(slots=True)
class _Running:
    task: TrialTask
    process: BaseProcess
    answers: Connection
    tries: int = 0


@dataclass(slots=True)
class LocalExecutor:
    """Runs every trial in a process of this machine."""

    request: SweepRequest
    _running: dict[int, _Running] = field(default_factory=dict)

    def begin(self, task: TrialTask) -> None:
        """Start a trial."""
        self._running[task.number] = self._start(task)

    def ended(self) -> dict[int, TrialEnd]:
        """Wait until a trial ends, and return those that have, by number."""
        found: dict[int, TrialEnd] = {}
        while not found:
            ready = wait([running.answers for running in self._running.values()])
            for running in [running for running in self._running.values() if running.answers in ready]:
                end = self._end(running)
                if end is not None:
                    del self._running[running.task.number]
                    found[running.task.number] = end
        return found

    def close(self) -> None:
        """Kill the processes that still run."""
        for running in self._running.values():
            running.process.kill()
            running.process.join()
            running.answers.close()

    def _start(self, task: TrialTask, tries: int = 0) -> _Running:
        # Spawned, because threads of torch do not survive a fork.
        context = get_context("spawn")
        answers, sender = context.Pipe(duplex=False)
        process = context.Process(target=_run_in_process, args=(self.request, task, sender), daemon=True)
        process.start()
        # The process holds the other end alone, so that its death closes the pipe.
        sender.close()
        return _Running(task=task, process=process, answers=answers, tries=tries)

    def _end(self, running: _Running) -> TrialEnd | None:
        """Return how a trial ended; None where its process was lost and the trial goes on in another."""
        end: TrialEnd | None = None
        try:
            end = running.answers.recv()
        except EOFError:
            if running.tries == _TRIES:
                end = TrialFailure(why=f"its process was lost {_TRIES + 1} times")
        running.process.join()
        running.answers.close()
        if end is None:
            self._running[running.task.number] = self._start(running.task, running.tries + 1)
        return end


def _failure(error: BaseException) -> TrialFailure:
    refusal = error if isinstance(error, ConfigError) else None
    return TrialFailure(why=f"{type(error).__name__}: {error}", refusal=refusal)


def _run_in_process(request: SweepRequest, task: TrialTask, sender: Connection) -> None:
    import signal

    # An interrupt at the terminal reaches every process of it; the sweep ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    judge = TrialJudge(request)
    end: TrialEnd
    try:
        end = _run(request, task, partial(judge.goes_on, task.number))
    except Exception as error:  # every failure of a trial is reported, and the sweep goes on
        end = _failure(error)
    sender.send(end)
    sender.close()


def _run_on_ray(request: SweepRequest, task: TrialTask, judge: Any) -> TrialOutcome:
    import ray

    def goes_on(windows: int, score: float) -> bool:
        answer: bool = ray.get(judge.goes_on.remote(task.number, windows, score))
        return answer

    return _run(request, task, goes_on)


def _run(request: SweepRequest, task: TrialTask, goes_on: Report) -> TrialOutcome:
    import torch

    torch.set_num_threads(max(1, int(request.cpus)))
    if request.spec.method is Method.NSGA2:
        # Every trial's whole time is needed.
        return run_trial(request.spec, task.chosen, request.run_root, task.run_id, lambda windows, score: True)
    return run_trial(request.spec, task.chosen, request.run_root, task.run_id, goes_on)
