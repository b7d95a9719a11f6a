"""Plans the run of `diorama train`, trains it here, in several processes or on a Ray cluster, and prints the result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final

import typer

from diorama.cli.training.options import arguments_without
from diorama.contracts.errors import ConfigError
from diorama.runs.clock import SystemClock
from diorama.runs.layout import default_run_id, run_layout, short_revision
from diorama.runs.metadata import RunStatus
from diorama.runs.run import Run, open_run
from diorama.training.interrupts import stop_on_interrupt
from diorama.training.plan import TrainingPlan, check_processes, check_workers, plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import TrainingOutcome, resume, train
from diorama.training.run_directory import check_new, check_target, stored_settings

if TYPE_CHECKING:
    from diorama.learn.collector import RemoteEnvs
    from diorama.learn.distributed import Team
    from diorama.scale.processes import Launched

_FAILED: Final = 2
_DEFAULT_ROOT: Final = Path("runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A run to start or to resume; everything about it is checked.

    Attributes:
        plan: Settings and world of the run.
        run_root: Directory of the runs.
        run_id: Name of the run.
        resume_to: Env steps that a resumed run trains to; None for a new run.
    """

    plan: TrainingPlan
    run_root: Path
    run_id: str
    resume_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedRun:
    """A run whose training has ended."""

    plan: TrainingPlan
    outcome: TrainingOutcome


def request_new(
    world: str, preset: str, overrides: Sequence[tuple[str, dict[str, Any]]], *, run_root: Path, run_id: str | None
) -> RunRequest:
    """Check the settings of a new run; nothing is written yet."""
    layers = [
        load_preset(world, preset),
        *(Layer(source=source, values=values) for source, values in overrides),
        Layer(source="WORLD", values={"world": world}),
    ]
    plan = plan_training(settings_of(layers))
    if run_id is None:
        run_id = default_run_id(SystemClock().now(), short_revision(Path.cwd()))
    return RunRequest(plan=plan, run_root=run_root, run_id=run_id)


def request_resumed(world: str, run_id: str, steps: int | None, *, run_root: Path) -> RunRequest:
    """Check that a run can be resumed with the settings that it was started with.

    Raises:
        UnknownName: There is no such world or run.
        ConfigError: The run is of another world, or has reached its env steps already.
    """
    from diorama.worlds.registry import load_world

    load_world(world)
    run = open_run(run_root, run_id)
    settings = stored_settings(run)
    if settings.world != world:
        raise ConfigError(
            f"run {run_id!r} is of world {settings.world!r}, not of {world!r}",
            code="run_of_another_world",
            run_id=run_id,
            world=settings.world,
            asked=world,
        )
    resume_to = check_target(run, settings, steps)
    return RunRequest(plan=plan_training(settings), run_root=run_root, run_id=run_id, resume_to=resume_to)


def train_here(request: RunRequest) -> None:
    """Train in this process, or as one of the processes of torchrun, of which only the first prints anything."""
    from diorama.learn.distributed import join_team, launched_size

    with stop_on_interrupt() as stop:
        if launched_size() == 1:
            print_result(_train(request, stop), stop)
            return
        from diorama.training.distributed import follow

        check_processes(request.plan, launched_size())
        team = join_team(request.plan.settings.execution.device)
        if team.is_leader:
            print_result(_train(request, stop, team=team), stop)
        elif not follow(request.plan, team):
            raise typer.Exit(1)


def train_on_ray(request: RunRequest, workers: int, *, address: str, processes: int) -> None:
    """Train in this process from rollouts that the workers of a Ray cluster collect.

    Raises:
        ConfigError: The run cannot be trained that way, or no cluster answers at the address.
        MissingExtra: Ray is not installed.
    """
    from diorama.learn.distributed import launched_size
    from diorama.scale.cluster import cluster
    from diorama.scale.rollouts.source import RemoteCopies

    if processes > 1:
        raise ConfigError(
            "--ray-workers cannot be combined with --processes: one process learns from the rollouts of all workers",
            code="ray_workers_with_processes",
            workers=workers,
            processes=processes,
        )
    if launched_size() > 1:
        raise ConfigError(
            f"--ray-workers {workers} cannot be combined with torchrun: start one process, which learns",
            code="ray_workers_with_torchrun",
            workers=workers,
        )
    check_workers(request.plan, workers)
    threads = request.plan.settings.execution.threads or 1
    with cluster(address, cpus=workers * threads), stop_on_interrupt() as stop:
        copies = RemoteCopies(request.plan, workers, tell=lambda line: typer.echo(line, err=True))
        trained = _train(request, stop, remote_envs=copies)
    print_result(trained, stop)


def train_in_processes(request: RunRequest, processes: int, context: typer.Context) -> int:
    """Train in several processes on this machine, each of which runs this command line, and return the exit status.

    Raises:
        ConfigError: The run cannot be trained that way.
    """
    from diorama.learn.distributed import launched_size
    from diorama.scale.processes import launch

    if launched_size() > 1:
        raise ConfigError(
            f"--processes {processes}: torchrun has started processes already; leave --processes out",
            code="processes_with_torchrun",
            processes=processes,
        )
    check_processes(request.plan, processes)
    if request.resume_to is None:
        check_new(request.run_root, request.run_id)
        # All processes must use the same id, which may be the time at which this one has started.
        arguments = [*arguments_without(context, "--processes", "--run-id"), "--run-id", request.run_id]
    else:
        arguments = arguments_without(context, "--processes")
    return report_processes(request, launch(["train", *arguments], processes), processes)


def report_processes(request: RunRequest, launched: "Launched", processes: int) -> int:
    """Print why processes ended that could not print it themselves, and return the exit status of the command."""
    layout, why = run_layout(request.run_root, request.run_id), launched.why
    metadata = Run(layout).metadata() if layout.metadata.exists() else None
    has_ended = metadata is not None and metadata.status in (RunStatus.STOPPED, RunStatus.COMPLETED)
    if launched.is_interrupted and not has_ended:
        why = "the processes were interrupted and did not end the run themselves"
    if why is None:
        return launched.exit_code
    command = f"{_resume_command(request.plan, request.run_root, request.run_id)} --processes {processes}"
    if metadata is None:
        left = f"run {request.run_id!r} had not begun"
    elif metadata.latest_checkpoint is None:
        left = f"run {request.run_id!r} has no checkpoint yet; start it again with: {command}"
    else:
        left = f"run {request.run_id!r} has a checkpoint; resume it with: {command}"
    typer.echo(f"diorama: {why}; {left}", err=True)
    return _FAILED


def _train(
    request: RunRequest, stop: Event, *, team: "Team | None" = None, remote_envs: "RemoteEnvs | None" = None
) -> TrainedRun:
    from rich.console import Console

    from diorama.training.callbacks.progress import TrainingDisplay

    clock = SystemClock()
    begin: Callable[..., TrainingOutcome] = (
        train if request.resume_to is None else partial(resume, steps=request.resume_to)
    )
    with TrainingDisplay(Console(stderr=True), clock) as display:
        outcome = begin(
            request.plan,
            request.run_root,
            request.run_id,
            progress=display,
            stop=stop,
            clock=clock,
            team=team,
            remote_envs=remote_envs,
        )
    return TrainedRun(plan=request.plan, outcome=outcome)


def print_result(trained: TrainedRun, stop: Event) -> None:
    """Print how a run has ended: its score beside the baselines, its directory, and commands to look at it."""
    from diorama.cli.result_console import result_console

    plan, outcome = trained.plan, trained.outcome
    layout, root = outcome.layout, outcome.layout.directory.parent
    console = result_console()
    for health in outcome.sinks:
        if not health.is_healthy:
            console.print(str(health), highlight=False)
    if outcome.status is RunStatus.COMPLETED and plan.learns and not stop.is_set():
        _print_score(trained)
    console.print(
        f"{outcome.status.value} after {outcome.env_steps_total:,} env steps: {layout.directory}", highlight=False
    )
    commands = []
    if outcome.status is RunStatus.STOPPED:
        commands.append(f"go on with: {_resume_command(plan, root, layout.run_id)}")
    elif layout.replay_index.exists():
        commands.append(f"watch it:   diorama serve --open{_root_option(root)}")
        commands.append(f"draw it:    diorama replay export {layout.run_id}{_root_option(root)}")
    if plan.learns and layout.checkpoints.exists():
        commands.append(f"judge it:   diorama eval {layout.run_id}{_root_option(root)}")
    for command in commands:
        console.print(command, highlight=False, soft_wrap=True)


def _print_score(trained: TrainedRun) -> None:
    from rich.console import Console

    from diorama.cli.evaluation.matchups import matchup_table, rating_table
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.cli.evaluation.standings import standings_table
    from diorama.cli.result_console import result_console
    from diorama.runs.matches import read_ratings
    from diorama.training.evaluation import final_contest, final_matchups

    layout, venue, evaluation = trained.outcome.layout, trained.plan.venue, trained.plan.settings.evaluation
    episodes, deterministic = evaluation.closing_episodes, evaluation.deterministic
    if not episodes:
        return
    console = result_console()
    with EvaluationBar(Console(stderr=True)) as bar:
        contest = final_contest(layout, venue, episodes=episodes, deterministic=deterministic, progress=bar)
        console.print(standings_table(contest))
        matchups = final_matchups(layout, venue, episodes=episodes, deterministic=deterministic, progress=bar)
    if matchups:
        console.print(matchup_table(f"{layout.run_id} against every script", matchups))
    ratings = read_ratings(layout)
    if ratings is not None:
        console.print(rating_table(ratings))


def _resume_command(plan: TrainingPlan, root: Path, run_id: str) -> str:
    return f"diorama train {plan.settings.world} --resume {run_id}{_root_option(root)}"


def _root_option(root: Path) -> str:
    return "" if root == _DEFAULT_ROOT else f" --run-root {root}"
