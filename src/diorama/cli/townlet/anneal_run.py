"""Runs `diorama townlet anneal`."""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from rich.console import Console

from diorama.cli.townlet.annealing import Overrides, plan_annealing, read_schedule, usual_schedule
from diorama.cli.townlet.cloning import WORLD
from diorama.cli.training.run import TrainedRun
from diorama.contracts.errors import ConfigError
from diorama.runs.clock import SystemClock
from diorama.runs.layout import default_run_id, short_revision
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.training.callbacks.anneal import RESULT_FILE
from diorama.training.callbacks.progress import TrainingDisplay
from diorama.training.plan import plan_training
from diorama.training.run import resume, train
from diorama.training.run_directory import check_target, stored_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnealRequest:
    """What was asked for."""

    dataset: Path | None
    schedule: Path | None
    stages: int
    cycles: int
    accuracy: float
    preset: str
    overrides: Overrides
    run_root: Path
    run_id: str | None
    clock: SystemClock = field(default_factory=SystemClock)

    @property
    def name(self) -> str:
        """Of the run."""
        return default_run_id(self.clock.now(), short_revision(Path.cwd())) if self.run_id is None else self.run_id


def start_annealing(request: AnnealRequest, run_id: str, stop: Event) -> TrainedRun:
    """Train a new run; everything is checked before anything is written.

    Raises:
        ConfigError: There is no dataset, or a setting or a stage is wrong.
        CloneRefused: A clone does not pass its gate.
    """
    if request.dataset is None:
        raise ConfigError("name a dataset to clone, such as datasets/core, or a run to --resume")
    plan = plan_annealing(
        request.dataset,
        preset=request.preset,
        overrides=request.overrides,
        schedule=usual_schedule(stages=request.stages, cycles=request.cycles, accuracy=request.accuracy)
        if request.schedule is None
        else read_schedule(request.schedule),
    )
    with TrainingDisplay(Console(stderr=True), request.clock) as display:
        outcome = train(plan, request.run_root, run_id, progress=display, stop=stop, clock=request.clock)
    return TrainedRun(plan=plan, outcome=outcome)


def continue_annealing(request: AnnealRequest, run_id: str, stop: Event) -> TrainedRun:
    """Continue a run with the settings it was started with.

    Raises:
        UnknownName: There is no such run.
        ConfigError: It is no run of a town with a schedule, or was given settings again.
        CloneRefused: A clone does not pass its gate.
    """
    if request.dataset is not None or request.schedule is not None or request.overrides:
        raise ConfigError(f"--resume {run_id} goes on with the settings of the run; leave out all others")
    run = open_run(request.run_root, run_id)
    settings = stored_settings(run)
    if settings.world != WORLD or settings.anneal is None:
        raise ConfigError(
            f"run {run_id!r} has no anneal schedule; use: diorama train {settings.world} --resume {run_id}"
        )
    if run.metadata().status is RunStatus.COMPLETED:
        raise ConfigError(f"run {run_id!r} has come to the end of its schedule; {RESULT_FILE} says how")
    steps = check_target(run, settings, None)
    plan = plan_training(settings)
    with TrainingDisplay(Console(stderr=True), request.clock) as display:
        outcome = resume(plan, request.run_root, run_id, steps=steps, progress=display, stop=stop, clock=request.clock)
    return TrainedRun(plan=plan, outcome=outcome)
