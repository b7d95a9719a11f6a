"""`diorama townlet replay`: PPO over a captured dataset, without towns."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import RunRootOption, settings_option
from diorama.cli.townlet.options import DatasetArgument, LearningPresetOption, RunIdOption


def replay(
    dataset: DatasetArgument,
    epochs: Annotated[int, typer.Option(min=1, help="Updates, each from as many decisions as a rollout has.")] = 20,
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="Run or checkpoint to begin with, such as a clone's.", show_default="a new network"
        ),
    ] = None,
    run_id: RunIdOption = None,
    preset: LearningPresetOption = "default",
    run_root: RunRootOption = Path("runs"),
    settings: Annotated[list[str] | None, settings_option("ppo.update_epochs=2")] = None,
) -> None:
    """Train a policy by PPO from a captured dataset alone, and keep it as a run to start others from.

    What was captured is taken for what the policy itself might have done, so keep it short and begin with a clone. To
    learn from a dataset and from towns in turns, train with --set replay.dataset=DATASET instead.
    """
    from rich.console import Console

    from diorama.cli.result_console import result_console
    from diorama.cli.townlet.annealing import plan_replaying
    from diorama.cli.training.options import parse_overrides
    from diorama.runs.clock import SystemClock
    from diorama.runs.layout import default_run_id, short_revision
    from diorama.training.callbacks.progress import TrainingDisplay
    from diorama.training.offline import OfflineRun

    clock = SystemClock()
    plan = plan_replaying(dataset, preset=preset, overrides=parse_overrides(None, settings), start=start)
    name = default_run_id(clock.now(), short_revision(Path.cwd())) if run_id is None else run_id
    with TrainingDisplay(Console(stderr=True), clock) as display:
        session = OfflineRun(plan, run_root, name, progress=display, clock=clock)
        try:
            layout = session.train(epochs)
        finally:
            session.close()
    console = result_console()
    console.print(f"{epochs} updates, kept in {layout.directory}", highlight=False, soft_wrap=True)
    where = "" if run_root == Path("runs") else f" --run-root {run_root}"
    console.print(
        f"look into it:  diorama telemetry summary {layout.telemetry / 'ppo.ndjson'}", highlight=False, soft_wrap=True
    )
    console.print(f"judge it:      diorama eval {layout.run_id}{where}", highlight=False, soft_wrap=True)
    console.print(
        f"train from it: diorama train townlet --preset {preset} --set start={layout.directory}",
        highlight=False,
        soft_wrap=True,
    )
