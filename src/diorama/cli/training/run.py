"""What `diorama train` does once its flags are read."""

from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import typer

from diorama.cli.training.flags import given_flags, given_pairs, refuse_when_resuming
from diorama.contracts.errors import ConfigError
from diorama.operate.training.plan import TrainingPlan, plan_training
from diorama.operate.training.session import TrainingOutcome
from diorama.runs.clock import SystemClock
from diorama.runs.metadata import RunStatus

if TYPE_CHECKING:
    from diorama.learn.collector import RemoteEnvs
    from diorama.learn.distributed import Team


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A run that can begin, or go on.

    Attributes:
        plan: What it is.
        run_root: Where it lies.
        run_id: Its name there.
        resumed_to: Env steps it is to reach, where it goes on.
    """

    plan: TrainingPlan
    run_root: Path
    run_id: str
    resumed_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """A run that has come to its end."""

    plan: TrainingPlan
    outcome: TrainingOutcome


def plan_new(
    context: typer.Context, world: str, *, preset: str, config: list[str] | None, settings: list[str] | None
) -> Planned:
    """Check everything about a new run; nothing is written yet."""
    from diorama.operate.training.layers import Layer, settings_of
    from diorama.operate.training.presets import load_preset
    from diorama.runs.layout import default_run_id, short_revision

    overrides = [*given_pairs(config, settings), *given_flags(context)]
    layers = [
        load_preset(world, preset),
        *(Layer(source=source, values=values) for source, values in overrides),
        Layer(source="WORLD", values={"world": world}),
    ]
    plan = plan_training(settings_of(layers))
    run_id = context.params["run_id"]
    if run_id is None:
        run_id = default_run_id(SystemClock().now(), short_revision(Path.cwd()))
    return Planned(plan=plan, run_root=_run_root(context), run_id=run_id)


def plan_resumed(context: typer.Context, world: str, run_id: str) -> Planned:
    """Check that a run can go on with the settings it was started with."""
    from diorama.operate.training.opening import check_target, stored_settings
    from diorama.runs.run import open_run
    from diorama.worlds.registry import load_world

    refuse_when_resuming(context, run_id)
    load_world(world)
    run_root = _run_root(context)
    run = open_run(run_root, run_id)
    settings = stored_settings(run)
    if settings.world != world:
        raise ConfigError(f"run {run_id!r} is of world {settings.world!r}, not of {world!r}")
    steps = check_target(run, settings, context.params["steps"])
    return Planned(plan=plan_training(settings), run_root=run_root, run_id=run_id, resumed_to=steps)


def run_plan(planned: Planned, stop: Event) -> None:
    """Train, and say how it ended; among processes that train together, only one of them says anything."""
    from diorama.learn.distributed import join_team, launched_size

    if launched_size() == 1:
        show_close(trained(planned, stop), stop)
        return
    from diorama.operate.training.combining import check_processes
    from diorama.operate.training.following import follow

    check_processes(planned.plan, launched_size())
    team = join_team(planned.plan.settings.execution.device)
    if team.is_leader:
        show_close(trained(planned, stop, team=team), stop)
    elif not follow(planned.plan, team):
        raise typer.Exit(1)


def trained(
    planned: Planned, stop: Event, *, team: "Team | None" = None, elsewhere: "RemoteEnvs | None" = None
) -> Trained:
    """Train to the end, or until the event is set."""
    from rich.console import Console

    from diorama.operate.training.display import TrainingDisplay
    from diorama.operate.training.session import resume, train

    clock, plan, root, run_id = SystemClock(), planned.plan, planned.run_root, planned.run_id
    with TrainingDisplay(Console(stderr=True), clock) as display:
        if planned.resumed_to is None:
            outcome = train(plan, root, run_id, watch=display, stop=stop, clock=clock, team=team, elsewhere=elsewhere)
        else:
            outcome = resume(
                plan,
                root,
                run_id,
                steps=planned.resumed_to,
                watch=display,
                stop=stop,
                clock=clock,
                team=team,
                elsewhere=elsewhere,
            )
    return Trained(plan=plan, outcome=outcome)


def show_close(trained: Trained, stop: Event) -> None:
    """Say how the run ended: its score beside the baselines, where it lies, how to watch it."""
    from diorama.cli.result_console import result_console

    plan, outcome = trained.plan, trained.outcome
    console = result_console()
    for health in outcome.sinks:
        if not health.is_healthy:
            console.print(str(health), highlight=False)
    if outcome.status is RunStatus.COMPLETED and plan.learns and not stop.is_set():
        _show_score(trained)
    layout = outcome.layout
    console.print(
        f"{outcome.status.value} after {outcome.env_steps_total:,} env steps: {layout.directory}", highlight=False
    )
    root = layout.directory.parent
    where = "" if root == Path("runs") else f" --run-root {root}"
    if outcome.status is RunStatus.STOPPED:
        console.print(
            f"go on with: diorama train {plan.settings.world} --resume {layout.run_id}{where}",
            highlight=False,
            soft_wrap=True,
        )
    elif layout.replay_index.exists():
        console.print(f"watch it:   diorama serve --open{where}", highlight=False, soft_wrap=True)
        console.print(f"draw it:    diorama replay export {layout.run_id}{where}", highlight=False, soft_wrap=True)
    if plan.learns and layout.checkpoints.exists():
        console.print(f"judge it:   diorama eval {layout.run_id}{where}", highlight=False, soft_wrap=True)


def _show_score(trained: Trained) -> None:
    from rich.console import Console

    from diorama.cli.evaluation.encounters import encounter_table, rating_table
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.cli.evaluation.standings import standings_table
    from diorama.cli.result_console import result_console
    from diorama.operate.training.closing import closing_contest, closing_encounters
    from diorama.runs.matches import read_ratings

    evaluation = trained.plan.settings.evaluation
    if not evaluation.closing_episodes:
        return
    with EvaluationBar(Console(stderr=True)) as bar:
        contest = closing_contest(
            trained.outcome.layout,
            trained.plan.venue,
            episodes=evaluation.closing_episodes,
            deterministic=evaluation.deterministic,
            progress=bar,
        )
        console = result_console()
        console.print(standings_table(contest))
        encounters = closing_encounters(
            trained.outcome.layout,
            trained.plan.venue,
            episodes=evaluation.closing_episodes,
            deterministic=evaluation.deterministic,
            progress=bar,
        )
    if encounters:
        console.print(encounter_table(f"{trained.outcome.layout.run_id} against every script", encounters))
    ratings = read_ratings(trained.outcome.layout)
    if ratings is not None:
        console.print(rating_table(ratings))


def _run_root(context: typer.Context) -> Path:
    root = context.params["run_root"]
    return root if isinstance(root, Path) else Path(str(root))
